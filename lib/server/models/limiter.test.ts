import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Limiter, type ProviderLimits } from "./limiter";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const settle = () => vi.advanceTimersByTimeAsync(0);
const free = new AbortController().signal;

function start(limits: ProviderLimits) {
  const limiter = new Limiter(limits);
  const entered: number[] = [];
  const releases: (() => void)[] = [];
  const ask = (number: number, signal = free) =>
    limiter.admit(signal).then(
      (release) => {
        entered.push(number);
        releases.push(release);
      },
      () => entered.push(-number),
    );
  return { entered, releases, ask };
}

describe("Limiter", () => {
  it("lets so many in at a time, in the order of asking", async () => {
    const { entered, releases, ask } = start({ concurrency: 2 });
    for (const number of [1, 2, 3, 4]) void ask(number);
    await settle();
    expect(entered).toEqual([1, 2]);
    releases[0]?.();
    releases[0]?.();
    await settle();
    expect(entered).toEqual([1, 2, 3]);
  });

  it("lets so many begin in a minute, however fast they end", async () => {
    const { entered, releases, ask } = start({ perMinute: 2 });
    for (const number of [1, 2, 3]) void ask(number);
    await settle();
    for (const release of releases) release();
    await settle();
    expect(entered).toEqual([1, 2]);
    await vi.advanceTimersByTimeAsync(59_999);
    expect(entered).toEqual([1, 2]);
    await vi.advanceTimersByTimeAsync(1);
    expect(entered).toEqual([1, 2, 3]);
  });

  it("forgets who has gone away", async () => {
    const { entered, releases, ask } = start({ concurrency: 1 });
    const gone = new AbortController();
    void ask(1);
    void ask(2, gone.signal);
    void ask(3);
    await settle();
    gone.abort();
    releases[0]?.();
    await settle();
    expect(entered).toEqual([1, -2, 3]);
  });

  it("delays no call without limits", async () => {
    const { entered, ask } = start({});
    for (const number of [1, 2, 3]) void ask(number);
    await settle();
    expect(entered).toEqual([1, 2, 3]);
  });
});
