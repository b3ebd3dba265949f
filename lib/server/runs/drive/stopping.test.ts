import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { lockDatabase } from "@/prisma/testing/lock-database";
import { isSqlite } from "@/prisma/testing/test-stores";
import { localViewer, toTeamViewer } from "../../auth/viewer";
import type { Db } from "../../db";
import { getDatabaseFile } from "../../env";
import { createFlow } from "../../flows/commands";
import { purgeFlow, trashFlow } from "../../flows/trash";
import { runWorld } from "../../run-world";
import { startServices } from "../../start";
import { cancelRun, startRun } from "../commands";
import { getRun } from "../read/queries";
import { EndlessModel } from "../testing/endless-model";
import { newRow } from "../testing/insert-runs";
import { Executor, getExecutor, shutDownExecutor } from "./executor";

const stranger = toTeamViewer({ id: "stranger", name: "S" }, { teamId: "elsewhere", role: "editor" });
const teller = `name: Tale
agents:
  teller: { model: "compatible:x" }
swarm: { type: workflow, flow: teller }
`;
const asking = `name: Asks
agents:
  a: { model: "demo:writer" }
approvals:
  check: { message: "May it go on?" }
swarm: { type: workflow, flow: a >> check }
`;

let db: Db;
let model: EndlessModel;
beforeAll(async () => {
  model = new EndlessModel();
  await model.start();
  db = await startServices();
  // Tests trigger the heartbeats.
  getExecutor().stop();
});
beforeEach(() => model.waitUntilClosed(model.closed + model.open));
afterEach(() => void vi.useRealTimers());
afterAll(() => model.stop());

/** A run whose answer has begun. */
async function startTale(): Promise<{ runId: string; flowId: string }> {
  const { id: flowId } = await createFlow(localViewer, { source: teller });
  const { id: runId } = await startRun(localViewer, flowId, { input: "go" });
  await untilTold(runId);
  return { runId, flowId };
}

async function untilTold(runId: string): Promise<void> {
  for (;;) {
    const { state } = await getRun(localViewer, runId);
    if (state.nodes.some(({ output }) => output.text === "Once upon")) return;
    await sleep(5);
  }
}

async function ended(runId: string) {
  for (;;) {
    const run = await getRun(localViewer, runId);
    if (isTerminal(run.status)) return run;
    await sleep(5);
  }
}

describe("deleting a flow", () => {
  test("closes the connections of its runs first, and leaves nothing of it", async () => {
    const { flowId } = await startTale();
    const second = await startRun(localViewer, flowId, { input: "go" });
    await untilTold(second.id);
    const closed = model.closed;
    await trashFlow(localViewer, flowId);
    await purgeFlow(localViewer, flowId);
    await model.waitUntilClosed(closed + 2);
    expect(await db.run.count({ where: { flowId } })).toBe(0);
    expect(await db.runEvent.count({ where: { runId: second.id } })).toBe(0);
  });

  test("of another team stops nothing", async () => {
    const { flowId, runId } = await startTale();
    await expect(trashFlow(stranger, flowId)).rejects.toMatchObject({ code: "not_found" });
    expect([model.open, (await getRun(localViewer, runId)).status]).toEqual([1, "RUNNING"]);
    await cancelRun(localViewer, runId);
    expect((await ended(runId)).status).toBe("CANCELLED");
  });
});

describe("a run that does not belong to this process any more has its connection closed, though its model is silent", () => {
  test.each([
    ["it was deleted by another process", (id: string) => db.run.delete({ where: { id } })],
    [
      "another process took it over",
      (id: string) => db.run.update({ where: { id }, data: { owner: "other", epoch: { increment: 1 } } }),
    ],
    [
      "another process ended it",
      (id: string) => db.run.update({ where: { id }, data: { owner: null, status: "FAILED" } }),
    ],
  ])("at the next heartbeat when %s", async (_, change) => {
    const { runId } = await startTale();
    const closed = model.closed;
    await change(runId);
    await getExecutor().beat();
    await model.waitUntilClosed(closed + 1);
    await db.run.deleteMany({ where: { id: runId } });
  });

  test("at the next word of its model, long before the step is finished", async () => {
    const { runId } = await startTale();
    const closed = model.closed;
    await db.run.update({ where: { id: runId }, data: { owner: "other", epoch: { increment: 1 } } });
    model.sendText(" a time");
    await model.waitUntilClosed(closed + 1);
    await db.run.deleteMany({ where: { id: runId } });
  });
});

describe("cancelling a run that another process drives", () => {
  test("takes effect within the second in which that process looks, long before its next heartbeat", async () => {
    const other = new Executor(db, { concurrency: 1, context: runWorld, heartbeatMs: 3_600_000, leaseMs: 7_200_000 });
    const { id: flowId, revision: revisionId } = await createFlow(localViewer, { source: teller });
    const row = { ...newRow(), flowId, revisionId, flowName: "T" };
    const { id: runId } = await db.run.create({ data: row });
    other.start();
    other.wake();
    await untilTold(runId);
    expect((await db.run.findUniqueOrThrow({ where: { id: runId } })).owner).toBe(other.owner);
    const closed = model.closed;
    await cancelRun(localViewer, runId);
    await model.waitUntilClosed(closed + 1);
    const { status, state } = await ended(runId);
    expect([status, state.nodes.at(-1)?.output.text]).toEqual(["CANCELLED", "Once upon"]);
    other.stop();
  });
});

describe("shutting down", () => {
  // What these executors hand back is not to be taken by that of this process.
  beforeAll(() => globalThis.swarmloomServices?.endRuns());

  const makeExecutor = (): Executor => new Executor(db, { concurrency: 2, context: runWorld });
  const insertRun = async (source: string): Promise<string> => {
    const { id: flowId, revision: revisionId } = await createFlow(localViewer, { source });
    return (await db.run.create({ data: { ...newRow(), flowId, revisionId, flowName: "T" } })).id;
  };

  test("hands runs under way and runs that wait for a person back at once; they go on where they were", async () => {
    const executor = makeExecutor();
    const [tale, question] = [await insertRun(teller), await insertRun(asking)];
    executor.wake();
    await untilTold(tale);
    while ((await getRun(localViewer, question)).status !== "WAITING") await sleep(5);
    const closed = model.closed;
    await executor.shutDown();
    const [told, asked] = [await getRun(localViewer, tale), await getRun(localViewer, question)];
    expect([told.status, asked.status]).toEqual(["INIT", "INIT"]);
    await model.waitUntilClosed(closed + 1);
    await sleep(50);
    expect(await getRun(localViewer, tale)).toEqual(told);

    const next = makeExecutor();
    await next.beat();
    while ((await getRun(localViewer, question)).status !== "WAITING") await sleep(5);
    const { state } = await getRun(localViewer, question);
    expect(state.nodes.filter(({ kind }) => kind === "llm_call")).toHaveLength(1);
    const step = state.nodes.find(({ status }) => status === "WAITING");
    expect(step?.question?.number).toBe(asked.state.nodes.find(({ id }) => id === step?.id)?.question?.number);
    while ((await getRun(localViewer, tale)).state.nodes.at(-1)?.attempts.length !== 1) await sleep(5);
    const call = (await getRun(localViewer, tale)).state.nodes.at(-1);
    expect(call?.attempts).toMatchObject([
      { attempt: 1, error: { code: "interrupted" }, output: { text: "Once upon" } },
    ]);
    await next.shutDown();
    for (const id of [tale, question]) await cancelRun(localViewer, id);
  });

  test("leaves runs that wait for their turn to the next start, and takes no new ones", async () => {
    const executor = makeExecutor();
    const runs = [await insertRun(teller), await insertRun(teller)];
    executor.wake();
    for (const id of runs) await untilTold(id);
    const [waiting, late] = [await insertRun(teller), await insertRun(teller)];
    executor.wake();
    await executor.shutDown();
    executor.wake();
    await executor.beat();
    await sleep(50);
    const statuses = await Promise.all([...runs, waiting, late].map((id) => getRun(localViewer, id)));
    expect(statuses.map(({ status }) => status)).toEqual(["INIT", "INIT", "INIT", "INIT"]);

    for (const id of runs) await cancelRun(localViewer, id);
    for (const id of runs) expect((await getRun(localViewer, id)).error?.message).toMatch(/had stopped/);
    const next = makeExecutor();
    await next.beat();
    await untilTold(waiting);
    await untilTold(late);
    await next.shutDown();
    for (const id of [waiting, late]) await cancelRun(localViewer, id);
  });

  test("hands back a run that is being claimed in this moment", async () => {
    const executor = makeExecutor();
    const id = await insertRun(teller);
    executor.wake();
    await executor.shutDown();
    await sleep(50);
    expect((await getRun(localViewer, id)).status).toBe("INIT");
    await cancelRun(localViewer, id);
  });

  test.runIf(isSqlite)("resolves after five seconds when the database does not take what is handed back", async () => {
    const executor = makeExecutor();
    const id = await insertRun(teller);
    executor.wake();
    await untilTold(id);
    const closed = model.closed;
    const unlock = await lockDatabase(getDatabaseFile());
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const onEnd = vi.fn();
    void executor.shutDown().then(onEnd);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(onEnd).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(onEnd).toHaveBeenCalledOnce();
    await model.waitUntilClosed(closed + 1);
    await unlock();
    await vi.advanceTimersByTimeAsync(1_000);
    vi.useRealTimers();
    while ((await getRun(localViewer, id)).status !== "INIT") await sleep(5);
    await cancelRun(localViewer, id);
  });

  test("of a process that drives nothing, or never opened the database, resolves", async () => {
    const executor = globalThis.swarmloomExecutor;
    globalThis.swarmloomExecutor = undefined;
    await shutDownExecutor();
    globalThis.swarmloomExecutor = executor;
    await makeExecutor().shutDown();
  });
});
