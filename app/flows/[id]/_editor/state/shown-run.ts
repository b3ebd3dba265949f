import { createStore, type StoreApi } from "zustand/vanilla";
import type { ConnectionStatus } from "@/app/_run/follow/follow-line";
import { isTerminal, type RunStatus } from "@/lib/core/run/events/run-status";
import { noUsage, type Usage } from "@/lib/core/run/events/usage";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import type { SimulatedShare } from "@/lib/core/trace/timeline/simulated-share";

/** What the strip displays of a run before its steps are loaded. */
export interface RunFigures {
  id: string;
  status: RunStatus;
  /** Milliseconds; null: it has not ended. */
  durationMs: number | null;
  usage: Usage;
  simulated: boolean;
  /** How many agents got simulated answers; missing: not known yet. */
  simulatedShare?: SimulatedShare | undefined;
  /** Of a run that failed. */
  errorCode?: string | undefined;
}

/** The run that is shown on the canvas. */
export interface ShownRun {
  id: string;
  /** Null: not loaded yet. */
  trace: TraceView | null;
  connection: ConnectionStatus;
  problem: string | null;
  retry(): void;
}

/** Null: no run is shown. */
export const createShownRun = (): StoreApi<ShownRun | null> => createStore<ShownRun | null>(() => null);

export const startedRun = (id: string, simulated: boolean): RunFigures => ({
  id,
  status: "INIT",
  durationMs: null,
  usage: noUsage,
  simulated,
});

/** Whether another run on the same input is simulated, too: not where models were asked as well. */
export const isWhollySimulated = ({ simulated, simulatedShare: share }: RunFigures): boolean =>
  simulated && (share === undefined || share.simulated === share.agents);

/** Whether a run can still be stopped. */
export const isActive = (status: RunStatus | undefined): boolean => status !== undefined && !isTerminal(status);

/** Whether it works: one that waits for a person does not keep the flow from running again. */
export const isWorking = (status: RunStatus | undefined): boolean => status === "INIT" || status === "RUNNING";
