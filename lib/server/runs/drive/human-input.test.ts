import { setTimeout as sleepFor } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { isTerminal, type RunStatus } from "@/lib/core/run/events/run-status";
import type { RunNode } from "@/lib/core/trace/model/run-state";
import { readTemplates } from "@/lib/templates/files";
import { AppError } from "../../app-error";
import { localViewer, toTeamViewer } from "../../auth/viewer";
import type { Db } from "../../db";
import { createFlow } from "../../flows/commands";
import { startOrchestration } from "../../orchestration/start-orchestration";
import { startServices } from "../../start";
import { answerQuestion, cancelRun, startRun } from "../commands";
import { getAgent, getAgentHistory, getAgentResult, listAgents } from "../read/agent-queries";
import { streamPublicEvents } from "../read/event-stream";
import { listRuns } from "../read/list-runs";
import { getRun, getRunNode } from "../read/queries";
import { tellAgent } from "../tell-agent";
import { toReader } from "../testing/stream-reader";
import { getExecutor } from "./executor";
import { RunPeople } from "./human-input";

const stranger = toTeamViewer({ id: "stranger", name: "S" }, { teamId: "elsewhere", role: "editor" });

let db: Db;
beforeAll(async () => {
  db = await startServices();
});

const codeOf = (pending: Promise<unknown>): Promise<unknown> =>
  pending.then(
    () => "nothing was refused",
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );

async function start(template: string, input = "go"): Promise<string> {
  const { id } = await createFlow(localViewer, { source: readTemplates().get(template) });
  return (await startRun(localViewer, id, { input })).id;
}

async function until(run: string, isRight: (status: RunStatus) => boolean) {
  for (;;) {
    const found = await getRun(localViewer, run);
    if (isRight(found.status)) return found;
    // Twenty runs are looked at side by side: each look takes the processor from the runs.
    await sleepFor(50);
  }
}
const ended = (run: string) => until(run, isTerminal);

/** The step that waits, once the run does. */
/** The step that asks a question after another one. */
async function waiting(run: string, after = 0): Promise<RunNode & { number: number }> {
  for (;;) {
    const { state } = await until(run, (status) => status === "WAITING");
    const node = state.nodes.find(({ status }) => status === "WAITING");
    if (!node?.question) throw new Error("no step waits");
    if (node.question.number > after) return { ...node, number: node.question.number };
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe("a person's answer", () => {
  test("is asked for in the row of the run, and lets it go on; who and when is kept", async () => {
    const run = await start("approval");
    const { id, number } = await waiting(run);
    expect(await db.run.findUniqueOrThrow({ where: { id: run } })).toMatchObject({ status: "WAITING" });
    expect((await listRuns(localViewer, { status: "WAITING" })).runs.map((one) => one.id)).toContain(run);
    const before = Date.now();
    await answerQuestion(localViewer, run, id, { question: number, decision: "approved", text: "Mended." });
    const { state, status } = await ended(run);
    expect(status).toBe("SUCCESS");
    const node = state.nodes.find((one) => one.id === id);
    expect(node).toMatchObject({
      status: "SUCCESS",
      output: { text: "Mended." },
      answer: { by: "You", text: "Mended." },
    });
    expect(node?.answer?.at).toBeGreaterThanOrEqual(before);
  });

  test("a rejection ends the run with its user and reason", async () => {
    const run = await start("approval");
    const { id, number } = await waiting(run);
    await answerQuestion(localViewer, run, id, { question: number, decision: "rejected", reason: "too short" });
    expect((await ended(run)).error).toMatchObject({ code: "rejected", message: 'You rejected "check": too short' });
  });

  test("comes once: a second one, or one to another question, is refused", async () => {
    const run = await start("approval");
    const { id, number } = await waiting(run);
    const answer = { question: number, decision: "approved" as const };
    expect(await codeOf(answerQuestion(localViewer, run, id, { ...answer, question: number + 1 }))).toBe("conflict");
    const both = await Promise.all([1, 2, 3].map(() => codeOf(answerQuestion(localViewer, run, id, answer))));
    expect(both.filter((code) => code === "nothing was refused")).toHaveLength(1);
    expect(both.filter((code) => code === "conflict")).toHaveLength(2);
    expect((await ended(run)).status).toBe("SUCCESS");
    expect(await codeOf(answerQuestion(localViewer, run, id, answer))).toBe("conflict");
  });

  test("is not there for other teams, nor for steps that do not exist", async () => {
    const run = await start("approval");
    const { id, number } = await waiting(run);
    const answer = { question: number, decision: "approved" as const };
    expect(await codeOf(answerQuestion(stranger, run, id, answer))).toBe("not_found");
    expect(await codeOf(answerQuestion(localViewer, run, 999, answer))).toBe("not_found");
    await cancelRun(localViewer, run);
    const { status, state } = await ended(run);
    expect([status, state.nodes.find((one) => one.id === id)?.status]).toEqual(["CANCELLED", "CANCELLED"]);
  });

  test("that another process took in is found at the next heartbeat", async () => {
    const run = await start("approval");
    const { number } = await waiting(run);
    const body = JSON.stringify({ decision: "approved", by: "Ann" });
    await db.runAnswer.create({ data: { runId: run, question: number, body, at: new Date() } });
    await getExecutor().beat();
    expect((await ended(run)).status).toBe("SUCCESS");
  });

  test("ends the wait of the run that asked, as cancelling does", async () => {
    let changes = 0;
    const people = new RunPeople(db, "r", () => changes++);
    const asked = { node: 1, path: "p", type: "approval" as const, message: "" };
    const gone = new AbortController();
    const first = people.ask({ ...asked, question: 7 }, new AbortController().signal);
    const second = people.ask({ ...asked, question: 8 }, gone.signal);
    people.give(7, { decision: "approved", by: "Ann" });
    expect(await first).toEqual({ decision: "approved", by: "Ann" });
    expect(people.isWaiting).toBe(true);
    gone.abort(new Error("cancelled"));
    await expect(second).rejects.toThrow("cancelled");
    expect([people.isWaiting, changes]).toEqual([false, 4]);
  });

  test("many waiting runs block no other run", async () => {
    const waiters = await Promise.all(Array.from({ length: 20 }, () => start("approval")));
    await Promise.all(waiters.map((run) => waiting(run)));
    expect((await ended(await start("hello"))).status).toBe("SUCCESS");
    await Promise.all(waiters.map((run) => cancelRun(localViewer, run)));
    await Promise.all(waiters.map((run) => ended(run)));
  });
});

describe("telling an agent something", () => {
  test("reaches the run that is at work, once it is approved, too; afterwards it is refused", async () => {
    const run = await start("approval");
    await waiting(run);
    await tellAgent(localViewer, run, "sender", "Mention the date.");
    expect(await codeOf(tellAgent(localViewer, run, "unknown", "x"))).toBe("not_found");
    const { id, number } = await waiting(run);
    await answerQuestion(localViewer, run, id, { question: number, decision: "approved" });
    const again = await waiting(run, number);
    expect(again.question?.message).toContain("Mention the date.");
    await answerQuestion(localViewer, run, id, { question: again.number, decision: "approved" });
    const { state } = await ended(run);
    const sender = state.nodes.find(({ name }) => name === "sender");
    expect(sender?.notes).toMatchObject([{ code: "message", message: "Mention the date.", by: localViewer.name }]);
    expect(await codeOf(tellAgent(localViewer, run, "sender", "late"))).toBe("conflict");
    expect(await codeOf(tellAgent(stranger, run, "sender", "x"))).toBe("not_found");
  });
});

describe("arguments that a person edits", () => {
  const guarded = `agents:
  clerk: { model: "demo:clerk", instructions: "Work out 2 * 3.", tools: [calculator], needs_approval: [calculator] }
swarm: { flow: clerk }
`;
  const startGuarded = async (): Promise<string> => {
    const { id } = await createFlow(localViewer, { source: guarded });
    return (await startRun(localViewer, id, { input: "2 * 3" })).id;
  };

  test("are refused with the path of what does not fit the tool, and the call goes on waiting", async () => {
    const run = await startGuarded();
    const { id, number, question } = await waiting(run);
    expect(question?.schema).toMatchObject({ required: ["expression"] });
    const approve = (text: string) =>
      answerQuestion(localViewer, run, id, { question: number, decision: "approved", text });
    for (const [text, path, part] of [
      ["half {", "", "Expected a JSON object"],
      ["[1]", "", "found a list"],
      ["{}", "", "must have required property 'expression'"],
      ['{"expression":7}', "expression", "`expression` must be string"],
      ['{"expression":""}', "expression", "`expression` must not be empty."],
      ['{"expression":"1","more":1}', "", "must NOT have additional properties"],
    ] as const)
      await expect(approve(text)).rejects.toMatchObject({
        code: "bad_request",
        message: expect.stringContaining(part),
        details: { path },
      });
    expect((await getRun(localViewer, run)).status).toBe("WAITING");
    await approve('{"expression":"20 * 3"}');
    const { state, status } = await ended(run);
    expect(status).toBe("SUCCESS");
    const call = state.nodes.find((node) => node.id === id);
    expect(call).toMatchObject({ input: { text: '{"expression":"20 * 3"}' }, output: { text: "20 * 3 = 60" } });
    expect((await getRunNode(localViewer, run, id)).input.text).toBe('{"expression":"20 * 3"}');
  });

  test("are kept whole as the call's arguments when they are long", async () => {
    const run = await startGuarded();
    const { id, number } = await waiting(run);
    const text = `{"expression":"20 * 3"${" ".repeat(20_000)}}`;
    await answerQuestion(localViewer, run, id, { question: number, decision: "approved", text });
    await ended(run);
    expect((await getRunNode(localViewer, run, id)).input.text).toBe(text);
  });
});

describe("telling an agent that has ended", () => {
  test("is refused with 409, while the run goes on", async () => {
    const run = await start("approval");
    const { id, number } = await waiting(run);
    const { state } = await getRun(localViewer, run);
    const done = state.nodes.find(({ kind, status }) => kind === "agent" && status === "SUCCESS");
    if (!done) throw new Error("no agent has ended before the approval");
    expect(await codeOf(tellAgent(localViewer, run, done.name, "Mention the date."))).toBe("conflict");
    expect(await codeOf(tellAgent(localViewer, run, done.path, "Mention the date."))).toBe("conflict");
    await answerQuestion(localViewer, run, id, { question: number, decision: "approved" });
    expect((await ended(run)).state.nodes.flatMap(({ notes = [] }) => notes)).toEqual([]);
  });

  test("what it accepted and the agent never took is shown at the run's end", async () => {
    const run = await start("approval");
    const { id, number } = await waiting(run);
    await tellAgent(localViewer, run, "sender", "Mention the date.");
    await answerQuestion(localViewer, run, id, { question: number, decision: "rejected" });
    const { state } = await ended(run);
    expect(state.nodes[0]?.notes).toMatchObject([
      { code: "message-not-delivered", message: expect.stringContaining("Mention the date.") },
    ]);
    expect(state.nodes[0]?.notes?.[0]?.message).toContain(localViewer.name);
  });
});

describe("agents over HTTP's own queries", () => {
  test("a goal sets agents to work; each can be looked at, with its result and its history", async () => {
    const { run, flow } = await startOrchestration(localViewer, { goal: "Cool streets", model: "demo:planner" });
    expect((await startOrchestration(localViewer, { goal: "Again", model: "demo:planner" })).flow).toBe(flow);
    expect((await ended(run)).status).toBe("SUCCESS");
    const { agents } = await listAgents(localViewer, { run });
    expect(agents.map(({ name, spawned }) => [name, spawned]).sort()).toEqual([
      ["lead", false],
      ["lead", true],
      ["lead", true],
    ]);
    const [spawned] = agents.filter((agent) => agent.spawned);
    if (!spawned) throw new Error("no agent was spawned");
    expect(await getAgent(localViewer, { id: spawned.id })).toMatchObject({
      status: "SUCCESS",
      task: { text: expect.stringContaining("Cool streets") },
    });
    expect(await getAgentResult(localViewer, { id: spawned.id })).toMatchObject({ isOver: true, status: "SUCCESS" });
    const { messages } = await getAgentHistory(localViewer, { id: spawned.id });
    expect(messages.map(({ role }) => role).slice(0, 2)).toEqual(["system", "user"]);
    expect(messages.at(-1)?.role).toBe("assistant");
  });

  test("other steps, and agents of other teams, are not found", async () => {
    const { run } = await startOrchestration(localViewer, { goal: "Mine", model: "demo:planner" });
    await ended(run);
    const [agent] = (await listAgents(localViewer, { run })).agents;
    for (const id of ["nothing", `${run}.1`, `${run}.9999`, "../etc.1", ""])
      expect(await codeOf(getAgent(localViewer, { id }))).toBe("not_found");
    for (const ask of [getAgent, getAgentResult, getAgentHistory])
      expect(await codeOf(ask(stranger, { id: agent?.id ?? "" }))).toBe("not_found");
    expect((await listAgents(stranger, {})).agents).toEqual([]);
  });

  test("a flow of another type cannot take a goal", async () => {
    const { id } = await createFlow(localViewer, { source: readTemplates().get("chain") });
    expect(await codeOf(startOrchestration(localViewer, { goal: "x", flow: id }))).toBe("bad_request");
    expect(await codeOf(startOrchestration(stranger, { goal: "x", flow: id }))).toBe("not_found");
  });
});

test("the public stream tells what was asked for, and ends with the run", async () => {
  const run = await start("chain");
  const body = await streamPublicEvents(toReader(localViewer), run, ["text", "status"]);
  const text = await new Response(body).text();
  expect(new Set([...text.matchAll(/^event: (\w+)$/gm)].map(([, type]) => type))).toEqual(new Set(["status", "text"]));
  expect(text).toContain('"kind":"run","name":"","status":"SUCCESS"');
  expect(await codeOf(streamPublicEvents(toReader(stranger), run, undefined))).toBe("not_found");
});
