import type { NodeStatus } from "@/app/flows/[id]/_editor/run/node-statuses";
import type { Session } from "@/app/flows/[id]/_editor/session";
import type { RunStatus } from "@/lib/core/run/events";

const next: Partial<Record<RunStatus, RunStatus>> = { RUNNING: "SUCCESS", SUCCESS: "FAILED", FAILED: "RUNNING" };

/** Changes so many statuses of agents a second, in the order of the flow, as a run that is followed would. */
export function playStatuses({ editor, statuses }: Session, perSecond: number): () => void {
  if (perSecond === 0) return () => {};
  const keys = editor.store.getState().arrangement.nodes.flatMap((node) => (node.frame ? [] : [node.key]));
  let frame = 0;
  let last = performance.now();
  let owed = 0;
  let at = 0;
  const play = (now: number): void => {
    owed += ((now - last) * perSecond) / 1000;
    last = now;
    if (owed >= 1) {
      const changed = new Map(statuses.getState());
      for (; owed >= 1; owed--) {
        const key = keys[at++ % keys.length] ?? "";
        const status = next[changed.get(key)?.status ?? "FAILED"] ?? "RUNNING";
        changed.set(key, { status, simulated: false, runs: 1 } satisfies NodeStatus);
      }
      statuses.setState(changed, true);
    }
    frame = requestAnimationFrame(play);
  };
  frame = requestAnimationFrame(play);
  return () => cancelAnimationFrame(frame);
}
