import { countNouns } from "@/lib/core/flow/format-count";
import { findRetryStart, toRunProgress } from "@/lib/core/trace/model/run-progress";
import type { TraceView } from "@/lib/core/trace/model/trace-view";

const maxNames = 2;

export function listNames(names: readonly string[]): string {
  if (names.length > maxNames + 1)
    return `${names.slice(0, maxNames).join(", ")} and ${countNouns(names.length - maxNames, "more agent")}`;
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** The button that continues a run, and what it reuses. */
export function describeRetry(trace: TraceView): { label: string; reuse: string } {
  const { finished } = toRunProgress(trace);
  return {
    label: `Retry from ${findRetryStart(trace) ?? "here"}`,
    reuse: finished.length === 0 ? "" : `Reuses ${listNames(finished)} at no cost.`,
  };
}
