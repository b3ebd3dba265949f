import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { createSaveGate } from "./save-gate";

const request = { flowId: "f", snapshot: { source: "", layout: emptyLayout }, baseRevision: "r1", allowEmpty: false };
beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("a save that waits for long is kept in the browser, and not sent later", async () => {
  const save = vi.fn(async () => ({ type: "succeeded" as const, revision: "r2" }));
  const gate = createSaveGate({ save, current: async () => null }, () => null);
  const release = gate.hold();
  const first = gate.save(request);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await first).toMatchObject({ type: "failed", retryable: true, offline: true });
  const second = gate.save(request);
  await vi.advanceTimersByTimeAsync(0);
  expect(await second).toMatchObject({ type: "failed" });
  release();
  await vi.runAllTimersAsync();
  expect(save).not.toHaveBeenCalled();
  expect(await gate.save(request)).toMatchObject({ type: "succeeded" });
});

it("a failed save leaves no trace by the shared document alone: letters have ids there", async () => {
  const failed = { type: "failed" as const, message: "The server did not answer.", retryable: true };
  const save = vi.fn(async () => failed);
  let isTogether = true;
  const gate = createSaveGate({ save, current: async () => null }, () => (isTogether ? save : null));
  expect(await gate.save(request)).toEqual({ ...failed, isTraceless: true });
  isTogether = false;
  expect(await gate.save(request)).toEqual(failed);
  const release = gate.hold();
  const held = gate.save(request);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await held).toMatchObject({ type: "failed", isTraceless: true });
  release();
  expect(save).toHaveBeenCalledTimes(2);
});
