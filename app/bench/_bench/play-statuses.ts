import type { NodeKey } from "@/lib/core/flow/node-key";
import type { RunStatus, ShownStatus } from "@/lib/core/run/events/run-status";
import type { NodeStatus, NodeStatuses } from "@/lib/core/trace/model/node-statuses";

const next: Partial<Record<ShownStatus, RunStatus>> = { RUNNING: "SUCCESS", SUCCESS: "FAILED", FAILED: "RUNNING" };

const counts = { simulated: false, runs: 1, elapsedMs: 1200, runningSince: null, tokens: 640, cost: 0.004 };

export function playStatuses(
  keys: readonly NodeKey[],
  perSecond: number,
  change: (update: (before: NodeStatuses) => NodeStatuses) => void,
): () => void {
  if (perSecond === 0) return () => {};
  let frame = 0;
  let last = performance.now();
  let owed = 0;
  let at = 0;
  const play = (now: number): void => {
    owed += ((now - last) * perSecond) / 1000;
    last = now;
    const count = Math.floor(owed);
    const start = at;
    owed -= count;
    at += count;
    if (count > 0) change((before) => step(before, keys, start, count));
    frame = requestAnimationFrame(play);
  };
  frame = requestAnimationFrame(play);
  return () => cancelAnimationFrame(frame);
}

function step(before: NodeStatuses, keys: readonly NodeKey[], start: number, count: number): NodeStatuses {
  const changed = new Map(before);
  for (let at = start; at < start + count; at++) {
    const key = keys[at % keys.length] ?? "";
    const status = next[changed.get(key)?.status ?? "FAILED"] ?? "RUNNING";
    changed.set(key, { ...counts, status } satisfies NodeStatus);
  }
  return changed;
}
