import { describe, expect, test } from "vitest";
import { VirtualClock } from "../testing/virtual-clock";
import { CancelScope, ScopeStop } from "./cancel-scope";

const cancel = new ScopeStop("CANCELLED", { code: "cancelled", message: "mine" });
const late = new ScopeStop("TIMEOUT", { code: "limit", message: "late" });
const never = (): Promise<never> => new Promise(() => undefined);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("CancelScope", () => {
  test("stopping ends what is inside, not what is outside or closed; the first reason stays", () => {
    const outer = new CancelScope();
    const [middle, other, closed] = [outer.open(), outer.open(), outer.open()];
    const inner = middle.open();
    closed.close();
    middle.stopBecause(cancel);
    middle.stopBecause(late);
    expect([outer, middle, inner, other, closed].map((scope) => scope.stop)).toEqual([
      null,
      cancel,
      cancel,
      null,
      null,
    ]);
    outer.stopBecause(late);
    expect([outer, middle, inner, other, closed].map((scope) => scope.stop)).toEqual([
      late,
      cancel,
      cancel,
      late,
      null,
    ]);
  });

  test("what is opened in a stopped scope is stopped", async () => {
    const outer = new CancelScope();
    outer.stopBecause(cancel);
    const inner = outer.open();
    expect(inner.signal.aborted).toBe(true);
    expect(await inner.guard(never())).toBe(cancel);
  });

  test("guards give what the work gives, until the scope is stopped", async () => {
    const scope = new CancelScope();
    expect(await scope.guard(Promise.resolve(1))).toBe(1);
    await expect(scope.guard(Promise.reject(new Error("own")))).rejects.toThrow("own");
    const waits = [scope.guard(never()), scope.open().guard(never())];
    scope.stopBecause(cancel);
    expect(await Promise.all(waits)).toEqual([cancel, cancel]);
  });

  test("work that fails after the stop has no effect", async () => {
    const scope = new CancelScope();
    let fail: (error: Error) => void = () => undefined;
    const wait = scope.guard(new Promise((_resolve, reject) => (fail = reject)));
    scope.stopBecause(cancel);
    fail(new Error("late"));
    expect(await wait).toBe(cancel);
    await turn();
  });

  test("the signal has the reason", () => {
    for (const [stop, name] of [
      [cancel, "AbortError"],
      [late, "TimeoutError"],
    ] as const) {
      const scope = new CancelScope();
      const { signal } = scope;
      expect(signal.aborted).toBe(false);
      scope.stopBecause(stop);
      expect(signal.reason).toMatchObject({ name, message: stop.error.message });
    }
  });

  test("a time limit stops the scope, unless it is closed before", async () => {
    const clock = new VirtualClock();
    const [slow, quick] = [new CancelScope(), new CancelScope()];
    slow.stopAfter(2, late.error, clock.sleep);
    quick.stopAfter(1, late.error, clock.sleep);
    quick.close();
    await turn();
    expect(clock.sleeping).toBe(1);
    clock.advance();
    await turn();
    expect([clock.now(), slow.stop, quick.stop]).toEqual([2000, late, null]);
  });

  test("100,000 scopes inside each other are stopped without overflowing the stack", () => {
    const outer = new CancelScope();
    let inner = outer;
    for (let i = 0; i < 100_000; i++) inner = inner.open();
    outer.stopBecause(cancel);
    expect(inner.stop).toBe(cancel);
  });
});
