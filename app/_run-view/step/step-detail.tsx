"use client";
import { useState } from "react";
import { KindIcon, labelOfKind } from "@/app/_kinds/kind-icon";
import { isTerminal, type RunNodeKind, type RunStatus } from "@/lib/core/run/events/events";
import { isAgentKind } from "@/lib/core/run/events/run-node-traits";
import type { StepWarning } from "@/lib/core/run/events/warnings";
import type { StepDetail as Step } from "@/lib/core/trace/model/run-state";
import { LoadProblem } from "../../_run/load-problem";
import type { RunSource } from "../../_run/steps/run-source";
import { useStep } from "../../_run/steps/use-step";
import { SimulatedBadge } from "../../_ui/badges/simulated-badge";
import { StatusBadge } from "../../_ui/badges/status-badge";
import { WarningBadge, warningLabels } from "../../_ui/badges/warning-badge";
import { Tabs } from "../../_ui/controls/tabs";
import { TextLines } from "../text/text-lines";
import { agentColorOf } from "./agent-color-of";
import type { LiveAgent } from "./live-answers";
import { MessageAgentForm } from "./message-agent-form";
import { toStepTabs } from "./node-tabs";

export interface StepSummary {
  id: number;
  kind: RunNodeKind;
  name: string;
  path: string;
  status: RunStatus;
  startedAt: number;
  endedAt?: number | undefined;
  simulated: boolean;
  warnings: readonly StepWarning[];
}

export interface StepProgress {
  /** Grows whenever the stored step is to be loaded again. */
  version: number;
  answer: { text: string; reasoning: string } | undefined;
  agents: readonly LiveAgent[];
}

interface StepDetailProps {
  source: RunSource;
  step: StepSummary;
  isRoot: boolean;
  progress: StepProgress;
  now: number;
  onSelect(id: number): void;
}

export function StepDetail({ source, step, isRoot, progress, now, onSelect }: StepDetailProps) {
  const { version, answer, agents } = progress;
  const { step: loaded, problem, retry } = useStep(source, { ...step, version });
  const isOver = isTerminal(step.status);
  const displayed = loaded ? withAnswer(loaded, step, answer) : null;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 px-4 pt-3 pb-1">
        <span style={{ color: agentColorOf(step) }}>
          <KindIcon kind={step.kind} size={16} />
        </span>
        <h2 className="min-w-0 truncate font-semibold text-sm">{isRoot ? "Whole run" : step.name}</h2>
        {!isRoot && <span className="text-text-muted">{labelOfKind(step.kind)}</span>}
        <StatusBadge status={step.status} />
        <WarningBadge count={step.warnings.length} />
        {step.simulated && <SimulatedBadge />}
      </div>
      {step.warnings.map(({ code, message }) => (
        <p
          key={`${code} ${message}`}
          className="mx-4 mb-1 rounded-md bg-warning-soft px-3 py-1.5 [overflow-wrap:anywhere]"
        >
          <b className="text-warning">{warningLabels[code]}.</b> {message}
        </p>
      ))}
      {problem !== null && <LoadProblem subject="The step" problem={problem} onRetry={retry} />}
      {displayed ? (
        <StepTabs key={step.id} of={{ source, node: displayed, agents, now, onSelect }} isRoot={isRoot} />
      ) : (
        problem === null && <Skeleton />
      )}
      {isAgentKind(step.kind) && !isOver && source.until === null && (
        <MessageAgentForm runId={source.runId} name={step.name} path={step.path} />
      )}
    </>
  );
}

function StepTabs({ of: context, isRoot }: { of: Parameters<typeof toStepTabs>[0]; isRoot: boolean }) {
  const tabs = toStepTabs(context);
  const [chosen, choose] = useState<string | null>(null);
  const initialTab = context.node.error && !isRoot ? "error" : "answer";
  const value = tabs.some(({ id }) => id === chosen) && chosen !== null ? chosen : initialTab;
  return <Tabs label="About the step" tabs={tabs} value={value} onChange={choose} />;
}

function withAnswer(loaded: Step, { status }: StepSummary, answer: StepProgress["answer"]): Step {
  if (!answer || isTerminal(status)) return loaded;
  const { reasoningLength: _, ...step } = loaded;
  return { ...step, status, output: { text: answer.text }, reasoning: answer.reasoning };
}

function Skeleton() {
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-9 items-center gap-4 border-b px-4">
        {["w-12", "w-20", "w-16", "w-24"].map((width) => (
          <span key={width} className={`h-3 rounded bg-surface-hover ${width}`} />
        ))}
      </div>
      <TextLines />
    </div>
  );
}
