import { AsyncResource } from "node:async_hooks";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { logger } from "../log/logger";
import { asLoopWork, type LoopHold, type LoopWork, toRoute, watchLoopHolds } from "./loop-holds";
import { getMetrics } from "./metrics";

let reports: { hold: LoopHold; work: LoopWork }[] = [];
let stop = (): void => {};
beforeEach(() => {
  reports = [];
  stop = watchLoopHolds((hold, work) => reports.push({ hold, work }));
});
afterEach(() => stop());

/** Holds the event loop for so much processor time: on a busy machine a process has less of it than time goes by. */
function hold(ms: number): void {
  const start = process.cpuUsage();
  for (let usage = { user: 0, system: 0 }; usage.user + usage.system < ms * 1000; ) usage = process.cpuUsage(start);
}

test("work that holds the event loop is reported under its name, also when it goes on later", async () => {
  await asLoopWork({ route: "GET /slow" }, async () => {
    await nextTurn();
    hold(400);
  });
  await asLoopWork({ route: "GET /quick" }, async () => {
    for (let count = 0; count < 10; count++) {
      await nextTurn();
      hold(10);
    }
  });
  expect(reports.map(({ work }) => work)).toEqual([{ route: "GET /slow" }]);
  expect(reports[0]?.hold.heldMs).toBeGreaterThan(100);
  expect(reports[0]?.hold.heldMs).toBeLessThan(2_000);
  expect(reports[0]?.hold.loadedModules).toBe(0);
});

test("work before another callback that it calls counts as its own", async () => {
  await asLoopWork({ route: "GET /outer" }, async () => {
    const inner = new AsyncResource("Inner");
    await nextTurn();
    hold(300);
    inner.runInAsyncScope(() => hold(10));
  });
  expect(reports.map(({ work }) => work)).toEqual([{ route: "GET /outer" }]);
});

test("many short callbacks that leave timers no turn for over a second are reported together, once for each second", async () => {
  await asLoopWork({ route: "run", id: "r1" }, async () => {
    await nextTurn();
    for (let count = 0; count < 30; count++) {
      await Promise.resolve();
      hold(50);
    }
  });
  await nextTurn();
  expect(reports.length).toBeGreaterThan(0);
  expect(reports.length).toBeLessThan(4);
  for (const { hold, work } of reports) {
    expect(work).toEqual({ route: "run", id: "r1" });
    expect(hold.heldMs).toBeGreaterThanOrEqual(1_000);
    expect(hold.callbacks).toBeGreaterThan(5);
  }
}, 90_000);

test("a hold in which modules were loaded says so", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-modules-"));
  const file = path.join(folder, "module.cjs");
  writeFileSync(file, "");
  await asLoopWork({ route: "GET /first" }, async () => {
    await nextTurn();
    createRequire(import.meta.url)(file);
    hold(400);
  });
  rmSync(folder, { recursive: true });
  expect(reports[0]?.hold.loadedModules).toBe(1);
});

test("waiting is not holding", async () => {
  await asLoopWork({ route: "GET /waits" }, () => new Promise((resolve) => setTimeout(resolve, 300)));
  expect(reports).toEqual([]);
});

test("a hold that no work began has no name", async () => {
  await new Promise<void>((resolve) => {
    setTimeout(() => {
      hold(400);
      resolve();
    }, 1);
  });
  await nextTurn();
  expect(reports.map(({ work }) => work.route)).toEqual(["other"]);
});

test("the log has the route, and the metric counts it", async () => {
  stop();
  stop = watchLoopHolds();
  const lines: unknown[] = [];
  const warn = logger.warn.bind(logger);
  logger.warn = (...args: unknown[]) => void lines.push(args);
  await asLoopWork({ route: "run", id: "r1" }, async () => {
    await nextTurn();
    hold(400);
  });
  logger.warn = warn;
  expect(lines).toEqual([
    [{ route: "run", id: "r1", heldMs: expect.any(Number), loadedModules: 0, callbacks: 1 }, "the event loop was held"],
  ]);
  expect(await getMetrics().registry.getSingleMetricAsString("swarmloom_event_loop_holds_total")).toContain(
    'swarmloom_event_loop_holds_total{route="run"} 1',
  );
});

test.each([
  ["GET", "/api/v1/runs/6c8b2c1e-7a4f-4a6e-9f0e-2f4f4a7b1c11/events", "GET /api/v1/runs/:id/events"],
  ["POST", "/api/v1/check-answer", "POST /api/v1/check-answer"],
  ["GET", "/api/v1/audit/export.csv", "GET /api/v1/audit/export.csv"],
  ["GET", "/", "GET /"],
  ["GET", "/s/Kx9vQ2", "GET /s/:id"],
  ["GET", `/${"a/".repeat(1_000)}`, "GET /a/a/a/a/a/a/a/a"],
])("%s %s is %s", (method, path, route) => expect(toRoute(method, path)).toBe(route));
