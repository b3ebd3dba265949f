import { afterAll, beforeAll, expect, test } from "vitest";
import { CrashTrial } from "./crash-trial";
import { CrashWorld } from "./crash-world";
import { freezeExecutor, resumeInsideLanes } from "./single-trials";

let world: CrashWorld;
beforeAll(async () => {
  world = await CrashWorld.open();
});
afterAll(() => world.close());

const seed = 14;

test(`executors are killed at random moments of mixed runs (seed ${seed}), and every run ends right`, async () => {
  const report = await new CrashTrial(world, { kills: 12, seed }).perform();
  expect(report).toMatchObject({ repeatedFinished: [], eventFaults: [], endFaults: [] });
  expect(report.finishedCalls).toBeGreaterThan(report.runs);
}, 120_000);

test("four parallel branches of eight steps are resumed where they were", async () => {
  expect(await resumeInsideLanes(world)).toEqual({ count: 4, resumed: 4, faults: [] });
}, 60_000);

test("an executor that is frozen beyond its lease writes nothing more, and its call is aborted", async () => {
  expect(await freezeExecutor(world)).toEqual([]);
}, 60_000);
