import { setTimeout as sleepFor } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { type Script, ScriptedModels } from "@/lib/core/run/testing/scripted-model";
import { emptyRunState, foldEvents } from "@/lib/core/trace/model/fold-events";
import { payloadLimit } from "@/lib/core/trace/model/step-texts";
import { AppError } from "../app-error";
import { localViewer, toTeamViewer, type Viewer } from "../auth/viewer";
import type { Db } from "../db";
import { createFlow, saveFlow } from "../flows/commands";
import { purgeFlow, trashFlow } from "../flows/trash";
import { startServices } from "../start";
import { toolPort } from "../tools/registry";
import { cancelRun, startRun } from "./commands";
import { Executor, type ExecutorOptions, getExecutor } from "./drive/executor";
import { streamRunEvents } from "./read/event-stream";
import { listRuns } from "./read/list-runs";
import { getRun, getRunFlow, getRunNode, readRunEvents } from "./read/queries";
import { newRow } from "./testing/insert-runs";
import { toReader } from "./testing/stream-reader";

const stranger = toTeamViewer({ id: "stranger", name: "S" }, { teamId: "elsewhere", role: "editor" });
const demo = `name: Two
agents:
  a: { model: "demo:writer" }
  b: { model: "demo:writer" }
swarm: { type: workflow, flow: a >> b }
`;
const chain = `name: Chain
agents:
  a: { model: "compatible:x" }
  b: { model: "compatible:x" }
swarm: { type: workflow, flow: a >> b }
`;

/** The events of a page alone. */
const listRunEvents = async (...args: Parameters<typeof readRunEvents>) => (await readRunEvents(...args)).events;

let db: Db;
beforeAll(async () => {
  db = await startServices();
  // Its heartbeat would take runs that wait for an executor of a test.
  getExecutor().stop();
});

const executors: Executor[] = [];
afterEach(() => {
  for (const executor of executors.splice(0)) {
    executor.takesRuns = false;
    executor.stop();
  }
});

const sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
  await sleepFor(ms, undefined, { signal });
};

/** An executor as another process would have it, asking scripted models. */
function makeExecutor(
  script: Script,
  { now = Date.now, ...options }: Partial<ExecutorOptions> & { now?: () => number } = {},
): { executor: Executor; models: ScriptedModels } {
  const models = new ScriptedModels(script, sleep);
  const executor = new Executor(db, {
    concurrency: 4,
    context: { models, tools: toolPort, now, random: () => 0, sleep },
    ...options,
  });
  executors.push(executor);
  return { executor, models };
}

/** The row of a run that waits to be driven by an executor of the test. */
async function insertRun(source: string, input = "go", row: object = {}): Promise<string> {
  const { id: flowId, revision } = await createFlow(localViewer, { source });
  const data = { ...newRow(), flowId, revisionId: revision, flowName: "T", input, ...row };
  return (await db.run.create({ data })).id;
}

/** Waits until the run has ended. */
async function ended(id: string) {
  for (;;) {
    const run = await getRun(localViewer, id);
    if (isTerminal(run.status)) return run;
    await sleepFor(5);
  }
}

const codeOf = (pending: Promise<unknown>): Promise<unknown> =>
  pending.then(
    () => "nothing was refused",
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );

describe("startRun", () => {
  test("runs a flow to its end and keeps every event", async () => {
    const { id: flowId } = await createFlow(localViewer, { source: demo });
    const { id } = await startRun(localViewer, flowId, { input: "Looms" });
    const run = await ended(id);
    expect(run).toMatchObject({ status: "SUCCESS", simulated: true, flowName: "Two", input: { text: "Looms" } });
    const events = await listRunEvents(localViewer, id, 0, 1000);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
    expect(run.state).toEqual(foldEvents(emptyRunState, events));
    for (const node of run.state.nodes) expect(await getRunNode(localViewer, id, node.id)).toEqual(node);
    const rows = await db.runNode.findMany({ where: { runId: id }, orderBy: { nodeId: "asc" } });
    expect(rows.map(({ path, status }) => [path, status])).toEqual(
      run.state.nodes.map(({ path, status }) => [path, status]),
    );
  });

  test("runs the revision that was asked for, whatever was saved since", async () => {
    const { id, revision } = await createFlow(localViewer, { source: demo });
    await saveFlow(localViewer, id, { source: demo.replace("a >> b", "b"), baseRevision: revision });
    const run = await ended((await startRun(localViewer, id, { input: "x", revision })).id);
    expect(run.revision).toBe(revision);
    expect(run.state.nodes.filter(({ kind }) => kind === "agent").map(({ name }) => name)).toEqual(["a", "b"]);
    expect(await codeOf(startRun(localViewer, id, { input: "x", revision: "none" }))).toBe("not_found");
  });

  test("returns the flow it runs, whatever was saved since, to its own team only", async () => {
    const layout = { pins: { a: { dx: 5, dy: 6 } } };
    const { id, revision } = await createFlow(localViewer, { source: demo, layout });
    const { id: runId } = await startRun(localViewer, id, { input: "x" });
    await saveFlow(localViewer, id, { source: demo.replace("a >> b", "b"), baseRevision: revision });
    expect(await getRunFlow(localViewer, runId)).toEqual({ source: demo, layout });
    expect(await codeOf(getRunFlow(stranger, runId))).toBe("not_found");
    expect(await codeOf(getRunFlow(localViewer, "none"))).toBe("not_found");
    await ended(runId);
  });

  test("refuses a flow that cannot run, and names what blocks it", async () => {
    const { id } = await createFlow(localViewer, { source: chain });
    const error = await startRun(localViewer, id, { input: "x" }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "bad_request", message: expect.stringContaining("COMPATIBLE_BASE_URL") });
    expect(await db.run.count({ where: { flowId: id } })).toBe(0);
  });
});

describe("driving", () => {
  test("a step's end is on disk before the next step asks its model", async () => {
    const id = await insertRun(chain);
    const seen: string[] = [];
    const models = new ScriptedModels({ a: [{ text: "A" }], b: [{ text: "B" }] }, sleep);
    const executor = new Executor(db, {
      concurrency: 1,
      context: {
        models: {
          find: (name) => {
            const found = models.find(name);
            return (
              found && {
                ...found,
                model: {
                  async *stream(request) {
                    const rows = await db.runNode.findMany({ where: { runId: id, kind: "agent", status: "SUCCESS" } });
                    seen.push(`${request.agent} after ${rows.map((row) => row.name).join()}`);
                    yield* found.model.stream(request);
                  },
                },
              }
            );
          },
        },
        tools: toolPort,
        now: Date.now,
        random: () => 0,
        sleep,
      },
    });
    executor.wake();
    expect((await ended(id)).output.text).toBe("B");
    expect(seen).toEqual(["a after ", "b after a"]);
  });

  test("two processes that want the same run: one drives it", async () => {
    const id = await insertRun(chain);
    const script = (): Script => ({ a: [{ text: "A", delayMs: 20 }], b: [{ text: "B" }] });
    const [one, two] = [makeExecutor(script()), makeExecutor(script())];
    one.executor.wake();
    two.executor.wake();
    expect((await ended(id)).status).toBe("SUCCESS");
    expect(one.models.requests.length + two.models.requests.length).toBe(2);
  });

  test("a large text is stored once beside its step and read back whole", async () => {
    const long = "word ".repeat(10_000);
    const id = await insertRun(chain, long);
    makeExecutor({ a: [{ text: long }], b: [{ text: "B" }] }).executor.wake();
    const run = await ended(id);
    expect(run.input).toEqual({ text: long.slice(0, payloadLimit), length: long.length });
    const agent = run.state.nodes.find(({ path }) => path === "a");
    expect(agent?.output).toEqual({ text: long.slice(0, payloadLimit), length: long.length });
    expect((await getRunNode(localViewer, id, agent?.id ?? 0)).output).toEqual({ text: long });
    expect(run.output).toEqual({ text: "B" });
  });

  test("cancelling ends it at once, and once", async () => {
    const id = await insertRun(chain);
    const { executor } = makeExecutor({ a: [{ text: ["some", " words"], paceMs: 10_000 }] });
    executor.wake();
    while ((await getRun(localViewer, id)).state.nodes.at(-1)?.output.text !== "some") await sleepFor(5);
    await executor.cancel(id);
    const run = await ended(id);
    expect(run.status).toBe("CANCELLED");
    expect(run.state.nodes.every(({ status }) => status === "CANCELLED")).toBe(true);
    expect(run.state.nodes.find(({ path }) => path === "a")?.output.text).toBe("some");
    await cancelRun(localViewer, id);
    expect(await getRun(localViewer, id)).toEqual(run);
  });

  test("a cancel that another process took is seen at the next heartbeat", async () => {
    const id = await insertRun(chain);
    const { executor } = makeExecutor({ a: [{ text: "never", delayMs: 60_000 }] });
    executor.wake();
    while ((await getRun(localViewer, id)).status !== "RUNNING") await sleepFor(5);
    await db.run.update({ where: { id }, data: { cancelRequested: true } });
    await executor.beat();
    expect((await ended(id)).status).toBe("CANCELLED");
  });

  test("a run that waits is cancelled without being driven", async () => {
    const id = await insertRun(chain);
    const { executor, models } = makeExecutor({});
    await executor.cancel(id);
    expect(await getRun(localViewer, id)).toMatchObject({ status: "CANCELLED", state: { nodes: [] } });
    executor.wake();
    await sleepFor(30);
    expect(models.requests).toEqual([]);
  });

  test("a run whose text is damaged in the store fails with a message", async () => {
    const id = await insertRun(chain, "go", { messages: "no JSON" });
    makeExecutor({}).executor.wake();
    expect(await ended(id)).toMatchObject({ status: "FAILED", error: { code: "internal" } });
  });

  test("deleting its flow stops a run of another process, and waits for its end", async () => {
    const id = await insertRun(chain);
    const script: Script = { a: [{ text: ["1", "2", "3"], paceMs: 60_000 }], b: [{ text: "B" }] };
    const { executor, models } = makeExecutor(script, { heartbeatMs: 50 });
    executor.start();
    executor.wake();
    while ((await getRun(localViewer, id)).status !== "RUNNING") await sleepFor(5);
    const run = await getRun(localViewer, id);
    const stream = await streamRunEvents(toReader(localViewer), id, 0);
    const reading = new Response(stream).text().catch(String);
    await trashFlow(localViewer, run.flowId);
    await purgeFlow(localViewer, run.flowId);
    expect(await codeOf(getRun(localViewer, id))).toBe("not_found");
    expect(await reading).toMatch(/"status":"CANCELLED"|There is no such run/);
    expect(models.requestsOf("b")).toEqual([]);
  });
});

describe("streamRunEvents", () => {
  const readAll = async (stream: ReadableStream<Uint8Array>): Promise<number[]> => {
    const text = await new Response(stream).text();
    return [...text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]));
  };

  test("follows a run live to its end, without a gap or a double", async () => {
    const id = await insertRun(chain);
    const stream = await streamRunEvents(toReader(localViewer), id, 0);
    const reading = readAll(stream);
    makeExecutor({
      a: [{ text: ["x", "y", "z"], paceMs: 15 }],
      b: [{ text: ["1", "2"], paceMs: 15 }],
    }).executor.wake();
    const seen = await reading;
    const all = (await listRunEvents(localViewer, id, 0, 1000)).map(({ seq }) => seq);
    expect(seen).toEqual(all);
    expect(await readAll(await streamRunEvents(toReader(localViewer), id, 4))).toEqual(all.slice(4));
    expect(await readAll(await streamRunEvents(toReader(localViewer), id, all.length))).toEqual([]);
  });

  test("ends for a reader who was removed from the team meanwhile", async () => {
    const id = await insertRun(chain, "go", { status: "RUNNING", leaseUntil: new Date(Date.now() + 60_000) });
    const member = { ...localViewer, id: "member" };
    let roles: Viewer["roles"] = member.roles;
    const reader = { ...toReader(member), reload: async () => ({ ...member, roles }), reloadMs: 20 };
    const reading = readAll(await streamRunEvents(reader, id, 0));
    const first = await Promise.race([reading.catch(() => "ended"), sleepFor(1_500).then(() => "open")]);
    expect(first).toBe("open");
    roles = new Map();
    await expect(reading).rejects.toThrow();
    await db.run.update({ where: { id }, data: { status: "FAILED" } });
  });

  test("ends when the reader goes away", async () => {
    const id = await insertRun(chain, "go", { status: "RUNNING", leaseUntil: new Date(Date.now() + 60_000) });
    const controller = new AbortController();
    const stream = await streamRunEvents(toReader(localViewer, controller.signal), id, 0);
    const reading = readAll(stream);
    controller.abort();
    expect(await reading).toEqual([]);
    await db.run.update({ where: { id }, data: { status: "FAILED" } });
  });
});

describe("what the list needs of a run", () => {
  const columns = (id: string) =>
    db.run.findUniqueOrThrow({
      where: { id },
      select: {
        startedById: true,
        startedBy: true,
        models: true,
        search: true,
        tokens: true,
        cost: true,
        errorCode: true,
      },
    });

  test("is kept from its start, and whole when it has ended", async () => {
    const { id: flowId } = await createFlow(localViewer, { source: demo });
    const long = `${"x".repeat(20_000)} NEEDLE`;
    const { id } = await startRun({ ...localViewer, id: "mia", name: "Mia" }, flowId, { input: long });
    expect((await listRuns(localViewer, { flow: flowId, q: "needle", person: "mia" })).runs).toHaveLength(1);
    const run = await ended(id);
    expect(run).toMatchObject({ startedBy: "Mia", models: ["demo:writer"], durationMs: expect.any(Number) });
    const kept = await columns(id);
    expect(kept).toMatchObject({ models: "\ndemo:writer\n", tokens: run.usage.input + run.usage.output, cost: 0 });
    expect(kept.search).toBe(`${long}\n${run.output.text}`.toLowerCase());
  });
});

describe("lists", () => {
  test("page by page through runs of the same moment, each once", async () => {
    const { id: flowId } = await createFlow(localViewer, { source: demo });
    const { revision } = await ended((await startRun(localViewer, flowId, { input: "0" })).id);
    const createdAt = new Date(Date.now() - 1000);
    for (let i = 0; i < 7; i++)
      await db.run.create({
        data: {
          ...newRow(),
          id: `same-${i}`,
          flowId,
          revisionId: revision,
          flowName: "Two",
          status: "SUCCESS",
          input: String(i),
          createdAt,
        },
      });
    const seen: string[] = [];
    let before: string | undefined;
    do {
      const page = await listRuns(localViewer, { flow: flowId, limit: 3, before });
      seen.push(...page.runs.map((run) => run.input.text));
      before = page.next ?? undefined;
    } while (before !== undefined);
    expect(seen).toEqual(["0", "6", "5", "4", "3", "2", "1", "0"]);
    expect(await codeOf(listRuns(localViewer, { before: "nonsense" }))).toBe("bad_request");
  });
});

test("a run of another team is not there, for every door", async () => {
  const { id: flowId } = await createFlow(localViewer, { source: demo });
  const { id } = await startRun(localViewer, flowId, { input: "secret" });
  await ended(id);
  expect((await listRuns(stranger)).runs).toEqual([]);
  const doors = [
    startRun(stranger, flowId, { input: "x" }),
    getRun(stranger, id),
    getRunNode(stranger, id, 1),
    listRunEvents(stranger, id, 0, 10),
    streamRunEvents(toReader(stranger), id, 0),
    cancelRun(stranger, id),
  ];
  expect(await Promise.all(doors.map(codeOf))).toEqual(doors.map(() => "not_found"));
});
