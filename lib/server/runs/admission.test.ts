import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { POST } from "@/app/api/v1/flows/[id]/runs/route";
import { localViewer } from "../auth/viewer";
import type { Db } from "../db";
import { createFlow } from "../flows/commands";
import { startServices } from "../start";
import { startRun } from "./commands";
import { tryModels } from "./fork";
import { getRunHead } from "./store/run-rows";
import { newRow } from "./testing/insert-runs";

let db: Db;
let flow: { id: string; revision: string };
let ended: string;
beforeAll(async () => {
  vi.stubEnv("SWARMLOOM_MAX_WAITING", "3");
  db = await startServices();
  const source = 'name: T\nagents:\n  a: { model: "demo:a" }\nswarm: { flow: a }\n';
  flow = await createFlow(localViewer, { source });
  ended = (await startRun(localViewer, flow.id, { input: "x" })).id;
  await vi.waitFor(async () => expect((await getRunHead(localViewer, ended)).status).toBe("SUCCESS"), 20_000);
  await globalThis.swarmloomServices?.endRuns();
});
afterEach(() => db.run.deleteMany({ where: { id: { not: ended } } }));

const countWaiting = (): Promise<number> => db.run.count({ where: { status: "INIT" } });

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
  expect(await countWaiting()).toBe(3);
  const { id } = await db.run.findFirstOrThrow({ where: { status: "INIT" } });
  await db.run.update({ where: { id }, data: { status: "RUNNING" } });
  expect((await post()).status).toBe(202);
});

test("of several that continue a run, all begin or none does", async () => {
  await post();
  const models = ["demo:a", "demo:b", "demo:c"];
  const request = { node: 2, models };
  await expect(tryModels(localViewer, ended, request)).rejects.toMatchObject({
    code: "rate_limited",
    message: expect.stringContaining("1 run waits for a turn, and with 3 more there would be over 3"),
  });
  expect(await countWaiting()).toBe(1);
  await tryModels(localViewer, ended, { ...request, models: models.slice(1) });
  expect(await countWaiting()).toBe(3);
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
  expect(await countWaiting()).toBe(2);
});
