import { beforeAll, expect, test, vi } from "vitest";
import { localTeamId, localViewer, toTeamViewer } from "../../auth/viewer";
import type { Db } from "../../db";
import { createFlow } from "../../flows/commands";
import { startServices } from "../../start";
import { newRow } from "../testing/insert-runs";
import { getQueueStatus } from "./read-queue";

let db: Db;
beforeAll(async () => {
  vi.stubEnv("SWARMLOOM_LIMITS", "openai=8/500");
  vi.stubEnv("SWARMLOOM_TEAM_CONCURRENCY", "2");
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
  for (const status of ["RUNNING", "RUNNING", "INIT"])
    await add({ teamId: "full", createdAt: new Date(3_000), status });
  expect(await getQueueStatus(localViewer)).toEqual({
    waiting: 3,
    waitingSince: 1_000,
    running: 3,
    waitingForPeople: 1,
    workers: [],
    concurrency: 16,
    teamConcurrency: 2,
    waitingForTeam: 1,
    providers: [{ provider: "openai", calls: { most: 8, now: 0 }, starts: { most: 500, now: 0 }, waiting: 0 }],
    abandoned: [{ id, flowName: "T", endedAt: 5_000, reason: "because of storage" }],
  });
  await expect(
    getQueueStatus(toTeamViewer(localViewer, { teamId: localTeamId, role: "editor" })),
  ).rejects.toMatchObject({ code: "forbidden" });
});
