"use client";
import { CircleX, Pencil } from "lucide-react";
import Link from "next/link";
import { labelOfKind } from "@/app/_kinds/kind-icon";
import { keyNames, keyOfPath } from "@/lib/core/flow/node-key";
import type { RunError } from "@/lib/core/run/events/events";
import {
  explainFailure,
  type FailedStep,
  type FailureAction,
  findFirstFailure,
  type TreeStep,
} from "@/lib/core/trace/model/failure";
import { RunAgainButton } from "../_run/run-again-button";
import { Button, buttonClass } from "../_ui/controls/button";
import { CopyButton } from "../_ui/controls/copy-button";

export type FailingStep = TreeStep & FailedStep;

interface RunFailureProps {
  /** Null: the run comes from a file, where no action is possible. */
  run: { id: string; flowId: string } | null;
  error: RunError | null | undefined;
  steps: readonly FailingStep[];
  onSelect(id: number): void;
}

export function RunFailure({ run, error, steps, onSelect }: RunFailureProps) {
  if (!error) return null;
  const step = findFirstFailure(steps, error);
  const { word, sentence, action } = explainFailure(error, step ?? null);
  return (
    <div role="alert" className="flex flex-wrap items-start gap-x-3 gap-y-2 border-b bg-danger-soft px-4 py-2">
      <CircleX size={16} aria-hidden className="mt-0.5 shrink-0 text-danger" />
      <div className="min-w-0 flex-1 basis-72">
        <p className="text-danger">
          {step && <span className="font-medium">{describeStep(step)} · </span>}
          <span className="font-semibold">{word}.</span> {sentence}
        </p>
        <p className="line-clamp-2 text-text-muted [overflow-wrap:anywhere]" title={error.message}>
          {error.message} <span className="font-mono text-xs">({error.code})</span>
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {run && <Remedy run={run} action={action} />}
        {step && (
          <Button size="small" onClick={() => onSelect(step.id)}>
            Show the step
          </Button>
        )}
      </div>
    </div>
  );
}

function describeStep({ kind, name, path }: FailedStep): string {
  const label = labelOfKind(kind);
  const owner = keyNames(keyOfPath(path)).at(-1);
  const isCall = kind === "llm_call" || kind === "tool_call";
  return isCall && owner ? `“${owner}”, ${label.toLowerCase()} ${name}` : `${label} “${name}”`;
}

function Remedy({ run, action }: { run: { id: string; flowId: string }; action: FailureAction }) {
  switch (action.type) {
    case "set-variable":
      return (
        <div className="flex min-w-0 items-center gap-1">
          <p>
            Set <code className="font-mono text-xs">{action.variable}</code> for {action.provider} and start the app
            again.
          </p>
          <CopyButton text={action.variable} label={`Copy ${action.variable}`} />
        </div>
      );
    case "open-editor": {
      const select = action.key === null ? "" : `?select=${encodeURIComponent(action.key)}`;
      return (
        <Link href={`/flows/${run.flowId}${select}`} className={buttonClass("secondary", "small")}>
          <Pencil size={14} aria-hidden /> {action.label}
        </Link>
      );
    }
    case "run-again":
      return <RunAgainButton runId={run.id} label="Run again now" />;
  }
}
