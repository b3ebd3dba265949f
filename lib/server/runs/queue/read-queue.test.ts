import { beforeAll, expect, test } from "vitest";
import { localViewer } from "../../auth/viewer";
import type { Db } from "../../db";
import { createFlow } from "../../flows/commands";
import { startServices } from "../../start";
import { newRow } from "../testing/insert-runs";
import { getQueueStatus } from "./read-queue";

let db: Db;
beforeAll(async () => {
  db = await startServices();
  await globalThis.swarmloomServices?.endRuns();
});

test("the queue shows what waits since when, what is under way, and what the server gave up, of the viewer's teams", async () => {
  const source = 'name: T\nagents:\n  a: { model: "demo:a" }\nswarm: { flow: a }\n';
  const flow = await createFlow(localViewer, { source });
  const add = async (row: object): Promise<string> => {
    const data = { ...newRow(), flowId: flow.id, revisionId: flow.revision, flowName: "T", ...row };
    return (await db.run.create({ data })).id;
  };
  const end = { endedAt: new Date(5_000), status: "FAILED" };
  const failed = (code: string, row: object = {}) =>
    add({ ...end, errorCode: code, error: JSON.stringify({ code, message: `because of ${code}` }), ...row });
  await add({ createdAt: new Date(2_000) });
  await add({ createdAt: new Date(1_000) });
  await add({ status: "RUNNING" });
  await add({ status: "WAITING" });
  await failed("provider");
  await failed("internal", { teamId: "elsewhere" });
  const id = await failed("storage");
  expect(await getQueueStatus(localViewer)).toEqual({
    waiting: 2,
    waitingSince: 1_000,
    running: 1,
    waitingForPeople: 1,
    workers: [],
    abandoned: [{ id, flowName: "T", endedAt: 5_000, reason: "because of storage" }],
  });
  await expect(getQueueStatus({ ...localViewer, role: "member" })).rejects.toMatchObject({ code: "forbidden" });
});
