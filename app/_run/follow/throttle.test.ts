import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { throttle } from "./throttle";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("calm", () => {
  it("acts at once, and once more for all that comes within the time", () => {
    const act = vi.fn();
    const call = throttle(act, 50);
    call();
    expect(act).toHaveBeenCalledTimes(1);
    for (let times = 0; times < 5; times++) call();
    vi.advanceTimersByTime(49);
    expect(act).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1);
    expect(act).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(500);
    expect(act).toHaveBeenCalledTimes(2);
  });

  it("never acts more often, and never misses the last call", () => {
    const at: number[] = [];
    const call = throttle(() => at.push(Date.now()), 50);
    for (let ms = 0; ms < 1000; ms += 7) {
      call();
      vi.advanceTimersByTime(7);
    }
    const last = Date.now();
    vi.advanceTimersByTime(50);
    expect(at.at(-1)).toBeGreaterThanOrEqual(last - 7);
    expect(Math.min(...at.slice(1).map((time, before) => time - (at[before] ?? 0)))).toBeGreaterThanOrEqual(50);
  });

  it("is silent once stopped, and can begin again", () => {
    const act = vi.fn();
    const call = throttle(act, 50);
    call();
    call();
    call.stop();
    vi.advanceTimersByTime(500);
    expect(act).toHaveBeenCalledTimes(1);
    call();
    expect(act).toHaveBeenCalledTimes(2);
  });
});
