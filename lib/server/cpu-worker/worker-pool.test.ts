import { Worker } from "node:worker_threads";
import { afterEach, expect, test, vi } from "vitest";
import { WorkerPool } from "./worker-pool";

/** A thread that answers a text with itself; `slow` takes a moment, `spin` never ends, `die` ends the thread, `fill` takes all of its memory. */
const script = `
const { parentPort } = require("node:worker_threads");
parentPort.on("message", (text) => {
  if (text === "spin") for (;;);
  if (text === "slow") for (const end = Date.now() + 200; Date.now() < end; );
  if (text === "die") process.exit(1);
  if (text === "fill") for (const all = []; ; ) all.push(new Array(1000).fill(all.length));
  if (text === "throw") return parentPort.postMessage({ type: "failed", error: { name: "TypeError", message: "no" } });
  parentPort.postMessage({ type: "done", result: text });
});
parentPort.postMessage({ type: "ready" });
`;

const created: Worker[] = [];
const createThread = (): Worker => {
  const worker = new Worker(script, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 20 } });
  created.push(worker);
  return worker;
};
afterEach(() => Promise.all(created.splice(0).map((worker) => worker.terminate())));

const openPool = (options: object = {}) =>
  new WorkerPool({ createThread, maxThreads: 1, maxWaiting: 3, idleMs: 60_000, ...options });
const task = (message: string, more: object = {}) => ({ client: "a", deadlineMs: 10_000, message, ...more });

test("a task that does not end is stopped at its deadline; the next one has a new thread", async () => {
  const pool = openPool();
  const endless = pool.run(task("spin", { deadlineMs: 50 }));
  const next = pool.run(task("next"));
  await expect(endless).rejects.toMatchObject({ name: "CostError", message: expect.stringContaining("0.05 s") });
  expect(await next).toBe("next");
  expect(created).toHaveLength(2);
});

test.each([
  ["ends its thread", "die", /thread of this task has ended/],
  ["uses up the memory of its thread", "fill", /memory/],
  ["throws", "throw", /^no$/],
])("a task that %s is rejected, and nothing else", async (_, message, reason) => {
  const pool = openPool();
  const [failed, next] = [pool.run(task(message)), pool.run(task("next"))];
  await expect(failed).rejects.toThrow(reason);
  expect(await next).toBe("next");
});

test("a task that took too much is known as such by every bundle of the server", async () => {
  const pool = openPool();
  const errors = [pool.run(task("fill")), pool.run(task("spin", { deadlineMs: 50 }))].map((run) =>
    run.catch((error: unknown) => error),
  );
  vi.resetModules();
  const other = await import("./worker-pool");
  expect((await Promise.all(errors)).map(other.isCostError)).toEqual([true, true]);
  expect([other.isCostError(new Error("x")), other.isBusyError(new Error("x"))]).toEqual([false, false]);
});

test("a thread that cannot start ends one task each time, and the pool asks for no more threads than tasks", async () => {
  const pool = openPool({
    createThread: () => {
      const worker = new Worker('throw new Error("broken")', { eval: true });
      created.push(worker);
      return worker;
    },
  });
  const results = await Promise.allSettled([pool.run(task("one")), pool.run(task("two"))]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(created).toHaveLength(2);
});

test("clients take turns, however many tasks one of them has", async () => {
  const pool = openPool();
  const ended: string[] = [];
  const run = (client: string, message: string): Promise<unknown> =>
    pool.run(task(message, { client })).then(() => ended.push(message));
  await Promise.all([run("a", "a1"), run("a", "a2"), run("a", "a3"), run("b", "b1"), run("c", "c1")]);
  expect(ended).toEqual(["a1", "b1", "c1", "a2", "a3"]);
});

test("short tasks come before long ones, which have every second turn", async () => {
  const pool = openPool();
  const ended: string[] = [];
  const run = (message: string, isLong = false): Promise<unknown> =>
    pool.run(task(message, { client: message, isLong })).then(() => ended.push(message));
  await Promise.all([run("long 1", true), run("long 2", true), run("short 1"), run("short 2"), run("short 3")]);
  expect(ended).toEqual(["short 1", "long 1", "short 2", "long 2", "short 3"]);
});

test("long tasks leave one thread to short ones", async () => {
  const pool = openPool({ maxThreads: 2 });
  const stop = new AbortController();
  const ended: string[] = [];
  const long = ["a", "b", "c"].map((client) =>
    pool
      .run(task("spin", { client, isLong: true, deadlineMs: 3_000, signal: stop.signal }))
      .catch(() => ended.push(client)),
  );
  expect(await pool.run(task("short", { client: "d" }))).toBe("short");
  expect(ended).toEqual([]);
  stop.abort(new Error("enough"));
  await Promise.all(long);
});

test.each([
  ["leaves one thread to others", false, ["b"]],
  ["takes every thread with patient tasks", true, []],
])("a client %s", async (_, isPatient, expected) => {
  const pool = openPool({ maxThreads: 2 });
  const stop = new AbortController();
  const ended: string[] = [];
  const endless = ["spin", "spin", "spin"].map((message) =>
    pool.run(task(message, { isPatient, signal: stop.signal })).catch(() => undefined),
  );
  await expect.poll(() => created).toHaveLength(isPatient ? 2 : 1);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const other = pool.run(task("b", { client: "b" })).then(() => ended.push("b"));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(ended).toEqual(expected);
  stop.abort(new Error("enough"));
  await Promise.all([...endless, other]);
});

test("a thread without work takes a task that waited for a long one, whatever comes after that in its thread", async () => {
  const pool = openPool({ maxThreads: 2, keptThreads: 2 });
  const stop = new AbortController();
  await Promise.all([pool.run(task("one")), pool.run(task("two", { client: "b" }))]);
  const long = pool.run(task("slow", { isLong: true }));
  const endless = pool.run(task("spin", { signal: stop.signal })).catch(() => undefined);
  const waiting = pool.run(task("c", { client: "c", isLong: true, signal: stop.signal }));
  expect(await long).toBe("slow");
  expect(await Promise.race([waiting, endless])).toBe("c");
  stop.abort(new Error("enough"));
  await endless;
});

test("so many threads without work stay", async () => {
  const pool = openPool({ idleMs: 1, maxThreads: 2, keptThreads: 1 });
  await Promise.all([pool.run(task("one")), pool.run(task("two", { client: "b" }))]);
  // A thread that has ended has no id.
  await expect.poll(() => created.filter(({ threadId }) => threadId === -1)).toHaveLength(1);
  expect(await pool.run(task("three"))).toBe("three");
  expect(created).toHaveLength(2);
});

test("of one client a bounded number of tasks wait", async () => {
  const pool = openPool();
  const waiting = Array.from({ length: 3 }, (_, index) => pool.run(task(`${index}`)));
  await expect(pool.run(task("too many"))).rejects.toMatchObject({ name: "BusyError" });
  expect(await pool.run(task("other", { client: "b" }))).toBe("other");
  expect(await Promise.all(waiting)).toEqual(["0", "1", "2"]);
});

test("of one client any number of patient tasks wait", async () => {
  const pool = openPool();
  const results = Array.from({ length: 6 }, (_, index) => pool.run(task(`${index}`, { isPatient: true })));
  expect(await Promise.all(results)).toEqual(["0", "1", "2", "3", "4", "5"]);
});

test("an aborted task ends, whether it waits or runs", async () => {
  const pool = openPool();
  const stop = new AbortController();
  const { signal } = stop;
  const aborted = [pool.run(task("spin", { signal })), pool.run(task("waits", { signal, client: "b" }))];
  const next = pool.run(task("next"));
  const results = Promise.allSettled(aborted);
  stop.abort(new Error("cancelled"));
  for (const result of await results)
    expect(result).toMatchObject({ status: "rejected", reason: { message: "cancelled" } });
  expect(await next).toBe("next");
  await expect(pool.run(task("late", { signal }))).rejects.toThrow("cancelled");
});

test("a thread without work ends, and another one is created for the next task", async () => {
  const pool = openPool({ idleMs: 1 });
  expect(await pool.run(task("one"))).toBe("one");
  await new Promise((resolve) => created[0]?.once("exit", resolve));
  expect(await pool.run(task("two"))).toBe("two");
  expect(created).toHaveLength(2);
});
