import { getEventListeners } from "node:events";
import { describe, expect, test, vi } from "vitest";
import { sleep } from "./sleep";

describe("sleep", () => {
  test("resolves after its time and removes its listener", async () => {
    const { signal } = new AbortController();
    vi.useFakeTimers();
    const onEnd = vi.fn();
    void sleep(20, signal).then(onEnd);
    await vi.advanceTimersByTimeAsync(19);
    expect(onEnd).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(onEnd).toHaveBeenCalledOnce();
    vi.useRealTimers();
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("rejects with the signal's reason, at once or later", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const sleeping = sleep(60_000, controller.signal);
    controller.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
    await expect(sleep(60_000, controller.signal)).rejects.toBe(reason);
  });
});
