// Loaded into a server by benchmarks. `reset` collects garbage and begins to measure, `read` answers with the longest
// time for which the event loop was blocked since then, in ms, and by how much memory grew: at its highest, and what is
// in use after a garbage collection, in bytes.
import { monitorEventLoopDelay } from "node:perf_hooks";
import v8 from "node:v8";
import vm from "node:vm";

v8.setFlagsFromString("--expose-gc");
const collect = vm.runInNewContext("gc");
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

function measureMemory() {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

let before = 0;
let peak = 0;
setInterval(() => {
  peak = Math.max(peak, measureMemory());
}, 20).unref();

process.on("message", (message) => {
  const blockMs = delay.max / 1e6;
  collect();
  const inUse = measureMemory();
  const answer = { blockMs, peakBytes: Math.max(peak, inUse) - before, inUseBytes: inUse - before };
  if (message === "reset") before = peak = inUse;
  // The garbage collection above is no work of the server.
  setImmediate(() => {
    delay.reset();
    process.send?.(answer);
  });
});
process.channel?.unref();
