import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { EventLoopTurns, type TurnKind } from "./event-loop-turns";

/** Turns by hand: `advance` performs the next one. */
function createTurns() {
  const clock = { now: 0 };
  const scheduled: (() => void)[] = [];
  const turns = new EventLoopTurns(
    () => clock.now,
    (callback) => scheduled.push(callback),
  );
  const begun: string[] = [];
  const wait = (name: string, kind: TurnKind): void => void turns.wait(kind).then(() => begun.push(name));
  const advance = async (): Promise<void> => {
    scheduled.shift()?.();
    await nextTurn();
  };
  return { clock, scheduled, begun, wait, advance };
}

test("one piece of work begins in each turn, in order", async () => {
  const { begun, wait, advance, scheduled } = createTurns();
  for (const name of ["a", "b", "c"]) wait(name, "run");
  await nextTurn();
  expect(begun).toEqual([]);
  await advance();
  expect(begun).toEqual(["a"]);
  await advance();
  await advance();
  expect([begun, scheduled.length]).toEqual([["a", "b", "c"], 0]);
});

test("requests come before what they store, and both before runs", async () => {
  const { begun, wait, advance } = createTurns();
  wait("run", "run");
  wait("store", "store");
  wait("request 1", "request");
  wait("request 2", "request");
  for (let turn = 0; turn < 4; turn++) await advance();
  expect(begun).toEqual(["request 1", "request 2", "store", "run"]);
});

test("runs and readers of many rows take turns", async () => {
  const { begun, wait, advance, clock } = createTurns();
  for (const name of ["run", "read"] as const) wait(name, name);
  for (let turn = 0; turn < 6; turn++) {
    clock.now += 1;
    await advance();
    const last = begun.at(-1);
    wait(last ?? "", last === "run" ? "run" : "read");
  }
  expect(begun).toEqual(["read", "run", "read", "run", "read", "run"]);
});

test("a run waits at most so long, however many requests come", async () => {
  const { begun, wait, advance, clock } = createTurns();
  wait("run", "run");
  for (let turn = 0; turn < 10; turn++) {
    wait("request", "request");
    await advance();
    clock.now += 10;
  }
  expect(begun.indexOf("run")).toBe(6);
});

test("sockets, timers and other callbacks come in between", async () => {
  const turns = new EventLoopTurns();
  let isTimerCalled = false;
  setTimeout(() => {
    isTimerCalled = true;
  }, 1);
  const deadline = performance.now() + 5_000;
  while (!isTimerCalled && performance.now() < deadline) await turns.wait("run");
  expect(isTimerCalled).toBe(true);
});
