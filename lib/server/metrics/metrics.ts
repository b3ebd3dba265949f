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
  liveDivergences: Counter<"place">;
  loopHolds: Counter<"route">;
}

/** What a document of this process differed from. */
const divergencePlaces = ["rows", "editor"] as const;

export const countDivergence = (place: (typeof divergencePlaces)[number]): void =>
  getMetrics().liveDivergences.inc({ place });

declare global {
  /** Global because the bundles of a process share its metrics. */
  var swarmloomMetrics: Metrics | undefined;
}

/**
 * The metrics of this process. Labels have few values: never a name, an id or a secret. Those of `route` are addresses
 * without ids, at most 200; an address that does not exist may be among them.
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
  const liveDivergences = new Counter({
    name: "swarmloom_live_divergences_total",
    help: "Times that a flow edited together differed from its stored updates, or from an open editor, and was repaired.",
    labelNames: ["place"] as const,
    registers,
  });
  for (const place of divergencePlaces) liveDivergences.inc({ place }, 0);
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
    liveDivergences,
    storedEvents: new Counter({
      name: "swarmloom_events_stored_total",
      help: "Events of runs that this process stored.",
      registers,
    }),
    loopHolds: new Counter({
      name: "swarmloom_event_loop_holds_total",
      help: "Requests, runs and other work that held the event loop for over 100 ms, or timers for over a second, by route.",
      labelNames: ["route"] as const,
      registers,
    }),
  };
}

/** Counts a run that ended. `durationMs`: from its start; null when it never started. */
export function observeRunEnd(status: RunStatus, durationMs: number | null): void {
  getMetrics().runDuration.observe({ status }, (durationMs ?? 0) / 1000);
}
