import type { RunStatus } from "@/lib/core/run/events/run-status";
import { isTerminal } from "@/lib/core/run/events/run-status";
import type { ComparedRow } from "@/lib/core/trace/model/align-steps";
import type { ComparedRun } from "@/lib/server/runs/read/compare-runs";
import { createServerRunSource } from "../../../_run/steps/run-source";

/** A step whose output is displayed. */
export interface ComparedStepRef {
  runId: string;
  nodeId: number;
  status: RunStatus;
}

export function stepRefIn(row: ComparedRow, runs: readonly ComparedRun[], index: number): ComparedStepRef | null {
  const [step, run] = [row.steps[index], runs[index]];
  return step && run ? { runId: run.id, nodeId: step.id, status: step.status } : null;
}

/** Changes when there is another output to read. */
export const toOutputKey = (step: ComparedStepRef | null): string =>
  step ? `${step.runId} ${step.nodeId} ${step.status}` : "-";

export const readOutput = ({ runId, nodeId }: ComparedStepRef, signal: AbortSignal): Promise<string> =>
  createServerRunSource(runId).text(nodeId, "output", signal);

const refreshMs = 1500;

/** How often outputs are read again, in milliseconds: those of steps that have ended are not. */
export const toRefreshMs = (...steps: readonly (ComparedStepRef | null)[]): number | undefined =>
  steps.some((step) => step && !isTerminal(step.status)) ? refreshMs : undefined;
