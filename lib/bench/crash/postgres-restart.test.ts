import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findPostgres } from "@/.config/find-postgres.mjs";
import { PostgresServer } from "@/prisma/testing/postgres-server";
import { AppProcess } from "../server/app-process";
import { CrashWorld } from "./crash-world";
import type { WatchedRun } from "./watched-run";

let server: PostgresServer;
let world: CrashWorld;
beforeAll(async () => {
  const installation = findPostgres();
  if (installation?.type !== "programs") throw new Error("this test starts a server of its own");
  server = new PostgresServer(installation.folder);
  await server.start();
  process.env.DATABASE_URL = server.url;
  world = await CrashWorld.open();
});
afterAll(async () => {
  await world.close();
  await server.stop();
});

async function observeAll(runs: readonly WatchedRun[]): Promise<void> {
  for (const run of runs) await run.observe();
}

/** Kills PostgreSQL as a crash would once each run has a finished call, brings it back, and checks how the runs end. */
async function crashServer(runs: readonly WatchedRun[]): Promise<void> {
  for (; runs.some((run) => run.finishedCallPaths.length === 0); await sleep(10)) await observeAll(runs);
  expect(runs.some(({ hasEnded }) => !hasEnded)).toBe(true);
  await server.kill("SIGQUIT");
  await sleep(3_000);
  await server.launch();
  for (const end = Date.now() + 45_000; runs.some(({ hasEnded }) => !hasEnded) && Date.now() < end; await sleep(50))
    await observeAll(runs);
  for (const run of runs)
    expect([...(await run.listEventFaults()), ...(await run.listEndFaults()), ...run.listRepeatedCalls()]).toEqual([]);
}

test("PostgreSQL is killed in the middle of runs and comes back: they end right, and nothing finished is repeated", async () => {
  const executor = await world.startExecutor();
  await crashServer(await Promise.all(["lanes", "tools", "loop", "team"].map((shape) => world.insertRun(shape))));
  expect(executor.isAlive).toBe(true);
  await executor.kill();
}, 90_000);

test("the same with two workers of the product", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-restart-"));
  const env = {
    DATABASE_URL: server.url,
    SWARMLOOM_DATA: folder,
    SWARMLOOM_SECRET: "the secret of a test",
    COMPATIBLE_BASE_URL: `${world.server.origin}/v1`,
    SWARMLOOM_LIMITS: "compatible=6",
  };
  const workers = [new AppProcess("worker", env), new AppProcess("worker", env)];
  for (const worker of workers) await worker.waitFor("the worker is ready");
  await crashServer(await Promise.all(Array.from({ length: 6 }, () => world.insertRun("writers"))));
  for (const worker of workers) {
    expect(worker.isAlive).toBe(true);
    await worker.end("SIGTERM");
  }
  rmSync(folder, { recursive: true, force: true });
}, 120_000);
