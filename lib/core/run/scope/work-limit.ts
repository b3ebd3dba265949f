import { ScopeStop } from "./cancel-scope";
import type { Engine } from "./engine";

type LimitedEngine = Pick<Engine, "context" | "recorder" | "scope">;

/** Least and most milliseconds between two looks at the time that a run has worked. */
const [leastWaitMs, mostWaitMs] = [1_000, 86_400_000];

/** Stops a run that has worked for as long as it may. Returns its stop; null: the run may go on. */
export function stopAtWorkLimit({ context: { maxWorkSeconds }, recorder, scope }: LimitedEngine): ScopeStop | null {
  if (maxWorkSeconds === undefined || recorder.workedMs < maxWorkSeconds * 1000) return null;
  const message = `The run worked for ${maxWorkSeconds} s, the longest that a run may work here. Time in which it waited for a person, for its turn or while paused does not count. Ask for less at once, or raise the limit of the server.`;
  scope.stopBecause(new ScopeStop("TIMEOUT", { code: "limit", message }));
  return scope.stop;
}

/** Does so also during a long call. Returns what ends it. */
export function watchWorkLimit(engine: LimitedEngine): () => void {
  const { maxWorkSeconds, sleep } = engine.context;
  const end = new AbortController();
  const watch = async (): Promise<void> => {
    if (maxWorkSeconds === undefined) return;
    while (!stopAtWorkLimit(engine)) {
      const restMs = maxWorkSeconds * 1000 - engine.recorder.workedMs;
      await sleep(Math.min(Math.max(restMs, leastWaitMs), mostWaitMs), end.signal);
    }
  };
  watch().catch(() => undefined);
  return () => end.abort(new Error("The run has ended."));
}
