import { beforeAll, beforeEach, expect, test } from "vitest";
import { localTeamId, localViewer, toTeamViewer } from "../auth/viewer";
import type { Db } from "../db";
import { createFlow } from "../flows/commands";
import { newRow } from "../runs/testing/insert-runs";
import { startServices } from "../start";
import { deleteRun } from "./delete-run";
import { applyRetention, findRetention, previewRetention, saveRetention } from "./retention";

const day = 86_400_000;
const now = Date.now();
let db: Db;
let flow: { id: string; revision: string };
beforeAll(async () => {
  db = await startServices();
  await globalThis.swarmloomServices?.endRuns();
  flow = await createFlow(localViewer, { source: 'name: T\nagents:\n  a: { model: "demo:a" }\nswarm: { flow: a }\n' });
});
beforeEach(async () => {
  await db.run.deleteMany();
  await db.retention.deleteMany();
});

/** A run that ended so many days ago. */
async function add(id: string, days: number, row: object = {}): Promise<void> {
  const at = new Date(now - days * day);
  const base = {
    flowId: flow.id,
    revisionId: flow.revision,
    flowName: "T",
    status: "SUCCESS",
    createdAt: at,
    endedAt: at,
  };
  await db.run.create({ data: { ...newRow(), ...base, id, ...row } });
}
const listIds = async (): Promise<string[]> =>
  (await db.run.findMany({ orderBy: { id: "asc" }, select: { id: true } })).map(({ id }) => id);
const week = { enabled: true, days: 7, keep: 1 };

test("deletes what ended long ago with everything of it, and nothing else; the preview says so before", async () => {
  await add("a-old", 30);
  await add("b-old", 20);
  await add("c-young", 3);
  await add("d-waits", 30, { status: "WAITING", endedAt: null });
  await add("e-elsewhere", 30, { teamId: "elsewhere" });
  await add("f-continued", 30);
  await add("g-fork", 2, { forkedFrom: "f-continued" });
  await db.runEvent.createMany({
    data: Array.from({ length: 4_500 }, (_, index) => ({
      runId: "a-old",
      seq: index + 1,
      type: "node.noted",
      at: new Date(),
      body: "{}",
    })),
  });
  await db.runPayload.create({ data: { runId: "a-old", nodeId: 1, field: "input", body: "long" } });
  expect(await previewRetention(localViewer, week)).toEqual({
    runs: 2,
    allRuns: 6,
    oldest: now - 30 * day,
    newest: now - 20 * day,
    flows: [{ id: flow.id, name: "T", runs: 2 }],
  });
  await saveRetention(localViewer, week);
  expect(await applyRetention(db, Date.now())).toBe(2);
  expect(await listIds()).toEqual(["c-young", "d-waits", "e-elsewhere", "f-continued", "g-fork"]);
  expect([await db.runEvent.count(), await db.runPayload.count()]).toEqual([0, 0]);
  expect(await findRetention(localViewer)).toMatchObject({ ...week, lastDeleted: 2 });
});

test("keeps what a run continues that stays, whatever it stays for, and what that continues", async () => {
  await add("a-origin", 60);
  await add("b-parent", 50, { forkedFrom: "a-origin" });
  await add("c-newest", 40, { forkedFrom: "b-parent" });
  await add("d-other", 55);
  await saveRetention(localViewer, week);
  expect((await previewRetention(localViewer, week)).runs).toBe(1);
  await applyRetention(db, Date.now());
  expect(await listIds()).toEqual(["a-origin", "b-parent", "c-newest"]);
  await add("e-newer", 30);
  await applyRetention(db, Date.now() + 3_600_000);
  expect(await listIds()).toEqual(["e-newer"]);
});

test("keeps a run that was continued while earlier ones were being deleted", async () => {
  await add("old", 30);
  await add("young", 1);
  await db.run.create({
    data: { ...newRow(), flowId: flow.id, revisionId: flow.revision, flowName: "T", id: "fork", forkedFrom: "old" },
  });
  expect(await deleteRun(db, "old", { unlessContinuedSince: new Date(now - 7 * day) })).toBe(false);
  expect(await listIds()).toEqual(["fork", "old", "young"]);
});

test("keeps the newest of each flow, however old", async () => {
  for (const [id, days] of [
    ["a", 50],
    ["b", 40],
    ["c", 30],
  ] as const)
    await add(id, days);
  await saveRetention(localViewer, { ...week, keep: 2 });
  await applyRetention(db, Date.now());
  expect(await listIds()).toEqual(["b", "c"]);
});

test("deletes nothing before it is switched on, and once an hour at most, by one of several processes", async () => {
  await add("a", 30);
  await add("b", 29);
  await saveRetention(localViewer, { ...week, enabled: false });
  expect(await applyRetention(db, Date.now())).toBe(0);
  await saveRetention(localViewer, week);
  const time = Date.now();
  const counts = await Promise.all([applyRetention(db, time), applyRetention(db, time)]);
  expect(counts.toSorted()).toEqual([0, 1]);
  await add("c", 60);
  expect(await applyRetention(db, time + 1_800_000)).toBe(0);
  expect(await applyRetention(db, time + 3_600_000)).toBe(1);
});

test("what an interruption left half deleted is seen by nobody, and goes with the next look", async () => {
  await add("half", 30, { teamId: "(deleted)" });
  await db.runEvent.create({ data: { runId: "half", seq: 1, type: "node.noted", at: new Date(), body: "{}" } });
  await applyRetention(db, Date.now());
  expect(await listIds()).toEqual([]);
  expect(await db.runEvent.count()).toBe(0);
});

test("is an administrator's alone", async () => {
  const member = toTeamViewer(localViewer, { teamId: localTeamId, role: "editor" });
  const attempts = [findRetention(member), saveRetention(member, week), previewRetention(member, week)];
  await Promise.all(attempts.map((attempt) => expect(attempt).rejects.toMatchObject({ code: "forbidden" })));
});
