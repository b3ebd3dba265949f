import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

/** The longest time, in milliseconds, for which `work` held the event loop, and how it ended. */
export async function measureLongestBlock<T>(work: () => Promise<T>): Promise<{ result: T; longestBlockMs: number }> {
  const monitor = monitorEventLoopDelay({ resolution: 5 });
  monitor.enable();
  await sleep(20);
  monitor.reset();
  const result = await work();
  // The sample of a block at the end of the work.
  await sleep(20);
  monitor.disable();
  return { result, longestBlockMs: monitor.max / 1e6 };
}
