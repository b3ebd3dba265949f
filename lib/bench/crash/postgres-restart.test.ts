import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findPostgres } from "@/.config/find-postgres.mjs";
import { PostgresServer } from "@/prisma/testing/postgres-server";
import { CrashWorld } from "./crash-world";
import type { ExecutorChild } from "./executor-child";

let server: PostgresServer;
let world: CrashWorld;
let executor: ExecutorChild;
beforeAll(async () => {
  const installation = findPostgres();
  if (installation?.type !== "programs") throw new Error("this test starts a server of its own");
  server = new PostgresServer(installation.folder);
  await server.start();
  process.env.DATABASE_URL = server.url;
  world = await CrashWorld.open();
  executor = await world.startExecutor();
});
afterAll(async () => {
  await executor.kill();
  await globalThis.swarmloomServices?.endRuns();
  await world.close();
  await server.stop();
});

test("PostgreSQL is killed in the middle of runs and comes back: they end right, and nothing finished is repeated", async () => {
  const runs = await Promise.all(["lanes", "tools", "loop", "team"].map((shape) => world.insertRun(shape)));
  const observeAll = async (): Promise<void> => {
    for (const run of runs) await run.observe();
  };
  while (runs.some((run) => run.finishedCallPaths.length === 0)) {
    await observeAll();
    await sleep(10);
  }
  expect(runs.some(({ hasEnded }) => !hasEnded)).toBe(true);
  await server.kill("SIGQUIT");
  await sleep(3_000);
  await server.launch();
  for (const end = Date.now() + 45_000; runs.some(({ hasEnded }) => !hasEnded) && Date.now() < end; await sleep(50))
    await observeAll();
  for (const run of runs)
    expect([...(await run.listEventFaults()), ...(await run.listEndFaults()), ...run.listRepeatedCalls()]).toEqual([]);
  expect(executor.isAlive).toBe(true);
}, 90_000);
