import type { ReactNode } from "react";
import { labelOfStep } from "@/app/_kinds/step-icon";
import { isNeutralEnd, statusStyles } from "@/app/_ui/badges/status-badge";
import { MessageText } from "@/app/_ui/text/message-text";
import { toPlainMessage } from "@/app/_ui/text/split-code";
import { keyNames, keyOfPath } from "@/lib/core/flow/node-key";
import { explainFailure, type FailedStep, type FailureAction } from "@/lib/core/trace/model/failure";
import { findFailingStep } from "@/lib/core/trace/model/find-failure";
import { toShownStatus } from "@/lib/core/trace/model/shown-status";
import type { TraceView } from "@/lib/core/trace/model/trace-view";

interface RunFailureProps {
  trace: TraceView;
  /** What the user can do about it; `step`: the id of the step that failed first. */
  actions?(action: FailureAction, step: number | undefined): ReactNode;
}

export function RunFailure({ trace, actions }: RunFailureProps) {
  const { error, status } = trace.run;
  if (!error) return null;
  const shownStatus = toShownStatus(status, error.code);
  const isNeutral = isNeutralEnd(shownStatus);
  const { icon: Icon, colors } = statusStyles[shownStatus];
  const step = findFailingStep(trace);
  const { word, sentence, action } = explainFailure(error, step ?? null);
  const saysAll = error.message.startsWith(sentence);
  return (
    <div
      role={isNeutral ? "status" : "alert"}
      className={`flex shrink-0 flex-wrap items-start gap-x-3 gap-y-2 border-b px-4 py-2 ${colors}`}
    >
      <Icon size={16} aria-hidden className="mt-0.5 shrink-0" />
      <div className="min-w-0 flex-1 basis-72">
        <p>
          {step && !isNeutral && <span className="font-medium">{describeStep(step)} · </span>}
          {!isNeutral && <span className="font-semibold">{word}. </span>}
          {saysAll ? error.message : sentence}
        </p>
        {!saysAll && (
          <p className="line-clamp-2 text-text-muted [overflow-wrap:anywhere]" title={toPlainMessage(error.message)}>
            <MessageText text={error.message} /> <span className="font-mono text-xs">({error.code})</span>
          </p>
        )}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions(action, step?.id)}</div>}
    </div>
  );
}

function describeStep({ kind, name, path }: FailedStep): string {
  const label = labelOfStep(kind);
  const owner = keyNames(keyOfPath(path)).at(-1);
  const isCall = kind === "llm_call" || kind === "tool_call";
  return isCall && owner ? `“${owner}”, ${label.toLowerCase()} ${name}` : `${label} “${name}”`;
}
