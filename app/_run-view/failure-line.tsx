import type { ReactNode } from "react";
import { isNeutralEnd, statusStyles } from "@/app/_ui/badges/status-badge";
import { toPlainMessage } from "@/app/_ui/text/split-code";
import { keyNames, keyOfPath } from "@/lib/core/flow/node-key";
import type { FailedStep, Failure } from "@/lib/core/trace/model/failure";
import { toRunProgress } from "@/lib/core/trace/model/run-progress";
import { toShownStatus } from "@/lib/core/trace/model/shown-status";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { listNames } from "../_run/describe-retry";
import { useKeyedMemo } from "./hooks/keyed-memo";

interface FailureLineProps {
  trace: TraceView;
  /** The step that failed first. */
  step: FailedStep | undefined;
  failure: Failure | null;
  actions: ReactNode;
}

/** Why the run ended early, what is kept, and one action. The panel of the step has the details. */
export function FailureLine({ trace, step, failure, actions }: FailureLineProps) {
  "use no memo"; // A trace changes without its tables changing their identity.
  const { error, status } = trace.run;
  const progress = useKeyedMemo([error, error && trace.version], () => error && toRunProgress(trace));
  if (!error || !failure || !progress) return null;
  const { sentence } = failure;
  const shownStatus = toShownStatus(status, error.code);
  const isNeutral = isNeutralEnd(shownStatus);
  const { icon: Icon, colors } = statusStyles[shownStatus];
  return (
    <div
      role={isNeutral ? "status" : "alert"}
      className={`flex min-h-9 shrink-0 flex-wrap items-center gap-x-2.5 gap-y-1 border-b px-3.5 max-lg:py-1 ${colors}`}
    >
      <Icon size={16} aria-hidden className="shrink-0" />
      <p className="min-w-0 shrink-0 font-semibold text-[13px] max-lg:shrink max-lg:basis-[calc(100%-2rem)]">
        {isNeutral ? sentence : `${describeStep(step)} failed: ${lowerFirst(sentence)}`}
      </p>
      <p
        className="min-w-0 flex-1 text-text-muted text-xs max-sm:order-2 max-sm:basis-full sm:truncate"
        title={`${describeProgress(progress)} ${toPlainMessage(error.message)}`}
      >
        {describeProgress(progress)}
      </p>
      <div className="flex shrink-0 items-center gap-1 max-sm:order-3">{actions}</div>
    </div>
  );
}

const lowerFirst = (sentence: string): string =>
  sentence.slice(0, 1).toLowerCase() + sentence.slice(1).replace(/\.$/, "");

/** The agent, also of a call. */
function describeStep(step: FailedStep | undefined): string {
  if (!step) return "The run";
  return keyNames(keyOfPath(step.path)).at(-1) ?? "The run";
}

function describeProgress({ finished, notReached }: ReturnType<typeof toRunProgress>): string {
  const parts = [
    finished.length > 0 && `${listNames(finished)} finished and ${finished.length === 1 ? "is" : "are"} kept`,
    notReached.length > 0 && `${listNames(notReached)} did not start`,
  ];
  const text = parts.filter((part) => part !== false).join("; ");
  return text === "" ? "" : `${text}.`;
}
