import "server-only";
import { isTerminal, runStatuses } from "@/lib/core/run/events/run-status";
import type { RunStore } from "../db";
import { getMetrics, observeRunEnd } from "./metrics";

/** The same store; what it stores is measured. */
export function observeStore(store: RunStore): RunStore {
  const { flushDuration, storedEvents } = getMetrics();
  return {
    async write(write) {
      const endTimer = flushDuration.startTimer();
      const isStored = await store.write(write).finally(endTimer);
      if (!isStored) return false;
      storedEvents.inc(write.events.length);
      const status = runStatuses.find((name) => name === write.run.status);
      const { durationMs } = write.run;
      if (status && isTerminal(status)) observeRunEnd(status, typeof durationMs === "number" ? durationMs : null);
      return true;
    },
    close: () => store.close(),
  };
}
