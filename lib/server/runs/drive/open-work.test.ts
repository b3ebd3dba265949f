import { setTimeout as sleepFor } from "node:timers/promises";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { localViewer } from "../../auth/viewer";
import type { Db } from "../../db";
import { startServices } from "../../start";
import { cancelRun } from "../commands";
import { getRun } from "../read/queries";
import { insertWaitingRun, OwnExecutors, waitForEnd } from "../testing/own-executors";
import { claimNextRun } from "./claim-run";

const source = `name: Both
agents:
  a: { model: "compatible:x" }
  b: { model: "compatible:x" }
approvals: { ok: { message: "Go on?" } }
swarm: { flow: (ok | a) >> b }
`;
const other = `name: Other
agents:
  c: { model: "compatible:x" }
swarm: { flow: c }
`;

const patience = { timeout: 20_000, interval: 50 };
const findRow = (id: string) => db.run.findUnique({ where: { id }, select: { status: true, isWorking: true } });
let db: Db;
let executors: OwnExecutors;
beforeAll(async () => {
  db = await startServices();
  await globalThis.swarmloomServices?.endRuns();
  executors = new OwnExecutors(db);
});
afterEach(() => executors.stop());

test("a run with one branch at a person has its slot until its other branches have ended", async () => {
  const script = { a: [{ text: ["A", "A"], paceMs: 400 }], c: [{ text: "C" }] };
  const { executor, models } = executors.make(script, { concurrency: 1 });
  const both = await insertWaitingRun(source);
  executor.wake();
  while ((await getRun(localViewer, both)).status !== "WAITING" || models.requestsOf("a").length === 0)
    await sleepFor(5);
  const next = await insertWaitingRun(other);
  executor.wake();
  const end = await waitForEnd(next);
  const { state } = await getRun(localViewer, both);
  const branch = state.nodes.find(({ path }) => path === "a");
  expect(branch?.status).toBe("SUCCESS");
  expect(end.state.nodes[0]?.startedAt).toBeGreaterThanOrEqual(branch?.endedAt ?? Number.POSITIVE_INFINITY);
  await vi.waitFor(
    async () => expect(await findRow(both)).toMatchObject({ status: "WAITING", isWorking: false }),
    patience,
  );
  await cancelRun(localViewer, both);
  await executor.cancel(both);
  await waitForEnd(both);
});

test("a run with one branch at a person and another at work counts as under way of its team, in all processes", async () => {
  const { executor } = executors.make({ a: [{ text: "A", end: "never" }] }, { concurrency: 1 });
  const both = await insertWaitingRun(source);
  executor.wake();
  await vi.waitFor(async () => expect(await findRow(both)).toEqual({ status: "WAITING", isWorking: true }), patience);
  executor.takesRuns = false;
  const next = await insertWaitingRun(other);
  const claim = (teamConcurrency: number) =>
    claimNextRun(db, { owner: "another process", now: Date.now(), leaseMs: 60_000, teamConcurrency });
  expect(await claim(1)).toBeNull();
  expect(await claim(2)).toMatchObject({ runId: next });
  await cancelRun(localViewer, both);
  await executor.cancel(both);
  await waitForEnd(both);
  expect(await findRow(both)).toEqual({ status: "CANCELLED", isWorking: false });
});
