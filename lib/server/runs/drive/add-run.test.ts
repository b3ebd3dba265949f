import { beforeAll, expect, test } from "vitest";
import { localViewer } from "../../auth/viewer";
import type { Db } from "../../db";
import { createFlow } from "../../flows/commands";
import { startServices } from "../../start";
import { prepareRun } from "../prepare-run";
import { addRuns } from "./add-run";

let db: Db;
beforeAll(async () => {
  db = await startServices();
  await globalThis.swarmloomServices?.endRuns();
});

const source = 'name: T\nagents: { a: { model: "demo:a" } }\nswarm: { flow: a }\n';
async function makeRun(change: object = {}) {
  const { id } = await createFlow(localViewer, { source });
  const run = { input: "go", messages: "[]", revision: undefined, simulate: false };
  const { row, admission } = await prepareRun(localViewer, id, run);
  return { row: { ...row, ...change }, admission };
}

test.each([
  ["of runs whose flow was deleted meanwhile", []],
  ["of these and of runs that exist", ["exists"]],
])("one row that cannot be stored keeps no other from it: %s", async (_, existing) => {
  const rows = [await makeRun(), await makeRun({ flowId: "gone" }), await makeRun(), await makeRun()];
  const copies = [];
  for (const id of existing) {
    await addRuns(db, [await makeRun({ id })]);
    copies.push(await makeRun({ id }));
  }
  const results = await addRuns(db, [...copies, ...rows]);
  expect(results.map(({ status }) => status)).toEqual([
    ...existing.map(() => "rejected"),
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
  ]);
  const ids = rows.map(({ row }) => row.id);
  const stored = await db.run.findMany({ where: { id: { in: ids } }, select: { id: true } });
  const [first, second, third, last] = ids;
  expect(stored.map(({ id }) => id).sort()).toEqual([first, third, last].sort());
  expect(await db.auditEvent.count({ where: { action: "run.started", objectId: second ?? "" } })).toBe(0);
});
