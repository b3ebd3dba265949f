import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { POST } from "@/app/api/v1/flows/[id]/runs/route";
import { localViewer } from "../auth/viewer";
import type { Db } from "../db";
import { createFlow } from "../flows/commands";
import { startServices } from "../start";
import { startRun } from "./commands";
import { newRow } from "./testing/insert-runs";

let db: Db;
let flow: { id: string; revision: string };
beforeAll(async () => {
  vi.stubEnv("SWARMLOOM_MAX_WAITING", "3");
  db = await startServices();
  await globalThis.swarmloomServices?.endRuns();
  const source = 'name: T\nagents:\n  a: { model: "demo:a" }\nswarm: { flow: a }\n';
  flow = await createFlow(localViewer, { source });
});
afterEach(() => db.run.deleteMany());

const post = (): Promise<Response> =>
  POST(
    new Request(`http://127.0.0.1:3000/api/v1/flows/${flow.id}/runs`, {
      method: "POST",
      headers: { "content-type": "application/json", host: "127.0.0.1:3000" },
      body: JSON.stringify({ input: "x" }),
    }),
    { params: Promise.resolve({ id: flow.id }) },
  );

test("a run too many is refused with the time until the next attempt, and begins once fewer wait", async () => {
  for (let count = 0; count < 3; count++) expect((await post()).status).toBe(202);
  const refused = await post();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
  expect(await refused.json()).toMatchObject({
    error: { code: "rate_limited", message: expect.stringContaining("SWARMLOOM_MAX_WAITING") },
  });
  expect(await db.run.count()).toBe(3);
  const { id } = await db.run.findFirstOrThrow();
  await db.run.update({ where: { id }, data: { status: "RUNNING" } });
  expect((await post()).status).toBe(202);
});

test("runs that are under way or have ended do not count", async () => {
  const row = { flowId: flow.id, revisionId: flow.revision, flowName: "T" };
  for (const status of ["RUNNING", "WAITING", "SUCCESS", "FAILED"])
    await db.run.create({ data: { ...newRow(), ...row, status } });
  expect((await post()).status).toBe(202);
});

test("of runs that are posted at once as many are admitted as there are places; what they need is read once", async () => {
  const findFlow = vi.spyOn(db.flow, "findFirst");
  const answers = await Promise.all(Array.from({ length: 10 }, post));
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 202, ...Array(7).fill(429)]);
  expect(await db.run.count({ where: { status: "INIT" } })).toBe(3);
  expect(findFlow).toHaveBeenCalledTimes(1);
  findFlow.mockRestore();
});

test("a run that exists already does not keep those that are posted with it from being stored", async () => {
  await startRun(localViewer, flow.id, { input: "x", id: "taken" });
  const results = await Promise.allSettled([
    startRun(localViewer, flow.id, { input: "x" }),
    startRun(localViewer, flow.id, { input: "x", id: "taken" }),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(await db.run.count()).toBe(2);
});
