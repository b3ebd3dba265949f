import { beforeAll, describe, expect, test } from "vitest";
import type { Json } from "@/lib/core/flow/flow";
import type { RunEvent } from "@/lib/core/run/events/events";
import { noUsage } from "@/lib/core/run/events/usage";
import { payloadLimit } from "@/lib/core/trace/model/step-texts";
import { AppError } from "../../app-error";
import { localViewer, toTeamViewer } from "../../auth/viewer";
import { type Db, getRunStore } from "../../db";
import { createFlow } from "../../flows/commands";
import { startServices } from "../../start";
import { runAgain } from "../commands";
import { getExecutor } from "../drive/executor";
import { RunRecorder } from "../drive/run-recorder";
import { newRow } from "../testing/insert-runs";
import { exportRunFile } from "./export-run";
import { getCutNode, getNodeText, getRun, getRunNode } from "./queries";

const stranger = toTeamViewer({ id: "stranger", name: "S" }, { teamId: "elsewhere", role: "editor" });
const source = `name: One
agents:
  a: { model: "compatible:x" }
swarm: { type: workflow, flow: a }
`;

let db: Db;
beforeAll(async () => {
  db = await startServices();
  getExecutor().stop();
});

/** An event without its number and its time: the order gives them. */
type Told = RunEvent extends infer E ? (E extends RunEvent ? Omit<E, "seq" | "at"> : never) : never;

const start = (id: number, parent: number, kind: "agent" | "llm_call", name: string, path: string): Told => ({
  type: "node.started",
  id,
  parent,
  kind,
  name,
  path,
  input: { text: "[]" },
});
const end = (id: number, given: { text?: string; metadata?: Record<string, Json> } = {}): Told => ({
  type: "node.finished",
  id,
  status: "SUCCESS",
  output: { text: given.text ?? "" },
  usage: noUsage,
  ...(given.metadata && { metadata: given.metadata }),
});

/** A run to which exactly this happened, as its driver stores it. */
async function storeRun(told: readonly Told[]): Promise<string> {
  const { id: flowId, revision } = await createFlow(localViewer, { source });
  const { id: runId } = await db.run.create({
    data: {
      ...newRow(),
      flowId,
      revisionId: revision,
      flowName: "One",
      status: "RUNNING",
      input: "go",
      messages: '[{"role":"user","content":"before"}]',
      owner: "test",
      epoch: 1,
    },
  });
  const recorder = new RunRecorder(getRunStore(), { runId, owner: "test", epoch: 1 });
  const all: Told[] = [
    { type: "run.started", input: { text: "go" }, flow: "One" },
    { type: "node.started", id: 1, path: "/", kind: "swarm", name: "One", input: { text: "go" } },
    ...told,
  ];
  for (const [index, event] of all.entries()) recorder.add({ ...event, seq: index + 1, at: 1000 + index });
  await recorder.flush();
  return runId;
}

const long = "x".repeat(payloadLimit + 1);
const cut = { text: long.slice(0, payloadLimit), length: long.length };
const call = [start(2, 1, "agent", "a", "a"), start(3, 2, "llm_call", "m", "a#llm-1")];

describe("a step with large texts", () => {
  const body = { provider: "p", url: "http://x", body: { text: long } };
  const told: Told[] = [
    ...call,
    { type: "request.sent", id: 3, ...body, dropped: [{ parameter: "tools", reason: "refused" }] },
    { type: "reasoning.appended", id: 3, text: long },
    { type: "text.appended", id: 3, text: long },
    { type: "response.received", id: 3, body: { text: long } },
  ];

  test("is read cut, whole, and text by text, once it has ended", async () => {
    const metadata = { toolCalls: [{ id: "1", name: "write", arguments: long }], model: "m", value: long };
    const id = await storeRun([...told, end(3, { text: long, metadata })]);
    const shown = await getCutNode(localViewer, id, 3);
    expect(shown).toMatchObject({
      output: cut,
      response: cut,
      reasoning: cut.text,
      reasoningLength: long.length,
      request: { body: cut, dropped: [{ parameter: "tools" }] },
      metadata: { cut: true, model: "m", toolCalls: [{ id: "1", name: "write" }] },
    });
    expect(shown.metadata).not.toHaveProperty("value");
    expect(JSON.stringify(shown).length).toBeLessThan(6 * payloadLimit);
    const whole = await getRunNode(localViewer, id, 3);
    expect(whole).toMatchObject({ output: { text: long }, response: { text: long }, reasoning: long, metadata });
    expect(whole).not.toHaveProperty("reasoningLength");
    for (const field of ["output", "request", "response", "reasoning"] as const)
      expect(await getNodeText(localViewer, id, 3, field)).toBe(long);
    expect(await getNodeText(localViewer, id, 3, "input")).toBe("[]");
  });

  test("is read while it runs", async () => {
    const id = await storeRun(told);
    expect(await getCutNode(localViewer, id, 3)).toMatchObject({ status: "RUNNING", output: cut, reasoning: cut.text });
    expect(await getNodeText(localViewer, id, 3, "output")).toBe(long);
    expect(await getNodeText(localViewer, id, 3, "request")).toBe(long);
    const row = await db.runNode.findUniqueOrThrow({ where: { runId_nodeId: { runId: id, nodeId: 3 } } });
    expect(row.body.length).toBeLessThan(6 * payloadLimit);
  });

  test("a longer one of an earlier attempt is not taken for the last one", async () => {
    const id = await storeRun([
      ...told,
      { type: "request.sent", id: 3, ...body, body: { text: "short" } },
      { type: "response.received", id: 3, body: { text: "brief" } },
      end(3),
    ]);
    const whole = await getRunNode(localViewer, id, 3);
    expect(whole).toMatchObject({ request: { body: { text: "short" } }, response: { text: "brief" } });
    expect(await getNodeText(localViewer, id, 3, "request")).toBe("short");
    expect(await getNodeText(localViewer, id, 3, "response")).toBe("brief");
  });

  test("a text that a step does not have is empty", async () => {
    const id = await storeRun(call);
    expect(await getNodeText(localViewer, id, 2, "response")).toBe("");
  });
});

describe("runAgain", () => {
  test("starts the same revision on the same input and messages", async () => {
    const id = await storeRun([]);
    // No such provider is set up here: the response reports it.
    await expect(runAgain(localViewer, id)).rejects.toMatchObject({ code: "bad_request" });
    await db.revision.updateMany({ data: { source: source.replace("compatible:x", "demo:x") } });
    const { id: second } = await runAgain(localViewer, id);
    const [first, next] = await Promise.all(
      [id, second].map((one) =>
        db.run.findUniqueOrThrow({ where: { id: one }, select: { input: true, messages: true, revisionId: true } }),
      ),
    );
    expect(next).toEqual(first);
    expect(second).not.toBe(id);
  });
});

test("a step of another team's run is not there, for every door", async () => {
  const id = await storeRun(call);
  const doors = [
    getCutNode(stranger, id, 3),
    getNodeText(stranger, id, 3, "output"),
    getCutNode(localViewer, id, 99),
    getNodeText(localViewer, id, 99, "output"),
    runAgain(stranger, id),
  ];
  const codes = doors.map((door) => door.then(String, (error: unknown) => error instanceof AppError && error.code));
  expect(await Promise.all(codes)).toEqual(doors.map(() => "not_found"));
  expect((await getRun(localViewer, id)).id).toBe(id);
});

describe("a large text that several steps have", () => {
  test("is stored once, and read whole at each of them and in the run", async () => {
    const answer = "An answer. ".repeat(10_000);
    const run = await storeRun([
      ...call,
      end(3, { text: answer }),
      end(2, { text: answer }),
      { type: "node.started", id: 4, parent: 1, kind: "agent", name: "b", path: "b", input: { text: answer } },
      end(4, { text: "short" }),
      end(1, { text: answer }),
      { type: "run.finished", status: "SUCCESS", output: { text: answer }, usage: noUsage },
    ]);
    const rows = await db.runPayload.findMany({ where: { runId: run } });
    expect(rows).toHaveLength(5);
    expect(rows.reduce((length, { body }) => length + body.length, 0)).toBe(answer.length);
    for (const node of [1, 2, 3]) {
      expect((await getRunNode(localViewer, run, node)).output.text).toBe(answer);
      expect(await getNodeText(localViewer, run, node, "output")).toBe(answer);
    }
    expect(await getNodeText(localViewer, run, 4, "input")).toBe(answer);
    const { pieces } = await exportRunFile(localViewer, run);
    let file = "";
    for await (const piece of pieces) file += piece;
    expect(file.split(JSON.stringify(answer)).length - 1).toBe(5);
  });
});
