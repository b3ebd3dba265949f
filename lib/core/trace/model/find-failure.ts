import { isFailure } from "../../run/events/run-status";
import { type FailedStep, findFirstFailure, type TreeStep } from "./failure";
import type { TraceView } from "./trace-view";

/** The step at which a failed run began to fail; undefined: none, or the run has not failed. One pass over its steps. */
export function findFailingStep(trace: TraceView): (TreeStep & FailedStep) | undefined {
  const { error } = trace.run;
  return error && findFirstFailure(failingSteps(trace), error);
}

function failingSteps(trace: TraceView): (TreeStep & FailedStep)[] {
  const steps: (TreeStep & FailedStep)[] = [];
  for (let span = 0; span < trace.length; span++) {
    const status = trace.statusOf(span);
    if (!isFailure(status) && !trace.hasFailedBelow(span)) continue;
    const above = trace.columns.parent[span] ?? -1;
    steps.push({
      id: span + 1,
      parent: above < 0 ? undefined : above + 1,
      path: trace.pathOf(span),
      kind: trace.kindOf(span),
      name: trace.nameOf(span),
      status,
      endedAt: trace.columns.end[span],
    });
  }
  return steps;
}
