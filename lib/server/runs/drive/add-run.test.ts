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
async function makeRow(change: object = {}) {
  const { id } = await createFlow(localViewer, { source });
  const run = { input: "go", messages: "[]", revision: undefined, simulate: false };
  return { ...(await prepareRun(localViewer, id, run)), ...change };
}

test.each([
  ["of runs whose flow was deleted meanwhile", []],
  ["of these and of runs that exist", ["exists"]],
])("one row that cannot be stored keeps no other from it: %s", async (_, existing) => {
  const rows = [await makeRow(), await makeRow({ flowId: "gone" }), await makeRow(), await makeRow()];
  const copies = [];
  for (const id of existing) {
    await addRuns(db, [await makeRow({ id })]);
    copies.push(await makeRow({ id }));
  }
  const results = await addRuns(db, [...copies, ...rows]);
  expect(results.map(({ status }) => status)).toEqual([
    ...existing.map(() => "rejected"),
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
  ]);
  const stored = await db.run.findMany({ where: { id: { in: rows.map(({ id }) => id) } }, select: { id: true } });
  const [first, , third, last] = rows;
  expect(stored.map(({ id }) => id).sort()).toEqual([first?.id, third?.id, last?.id].sort());
  expect(await db.auditEvent.count({ where: { action: "run.started", objectId: rows[1]?.id ?? "" } })).toBe(0);
});
