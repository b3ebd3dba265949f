import "server-only";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { isTerminal, type RunStatus, runStatuses } from "@/lib/core/run/events/run-status";

interface Metrics {
  registry: Registry;
  storedRuns: Gauge<"status">;
  databaseUp: Gauge;
  runDuration: Histogram<"status">;
  flushDuration: Histogram;
  storedEvents: Counter;
}

declare global {
  /** Global because the bundles of a process share its metrics. */
  var swarmloomMetrics: Metrics | undefined;
}

/**
 * The metrics of this process. Labels have few, fixed values: never a name, an id, a text or a secret.
 */
export function getMetrics(): Metrics {
  globalThis.swarmloomMetrics ??= createMetrics();
  return globalThis.swarmloomMetrics;
}

function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const runDuration = new Histogram({
    name: "swarmloom_run_duration_seconds",
    help: "Time from the start of a run to its end, of runs that this process drove to their end.",
    labelNames: ["status"] as const,
    buckets: [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600],
    registers,
  });
  for (const status of runStatuses.filter(isTerminal)) runDuration.zero({ status });
  return {
    registry,
    runDuration,
    storedRuns: new Gauge({
      name: "swarmloom_runs",
      help: "Runs in the database by status: INIT is queued, WAITING waits for a person.",
      labelNames: ["status"] as const,
      registers,
    }),
    databaseUp: new Gauge({
      name: "swarmloom_database_up",
      help: "1 while the database can be read and took the last write, else 0.",
      registers,
    }),
    flushDuration: new Histogram({
      name: "swarmloom_event_flush_duration_seconds",
      help: "Time to store one batch of events of a run with its steps, waiting for locks included.",
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
      registers,
    }),
    storedEvents: new Counter({
      name: "swarmloom_events_stored_total",
      help: "Events of runs that this process stored.",
      registers,
    }),
  };
}

/** Counts a run that ended. `durationMs`: from its start; null when it never started. */
export function observeRunEnd(status: RunStatus, durationMs: number | null): void {
  getMetrics().runDuration.observe({ status }, (durationMs ?? 0) / 1000);
}
