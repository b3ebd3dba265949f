import type { ReactNode } from "react";
import { labelOfStep, StepIcon } from "@/app/_kinds/step-icon";
import { keyNames, keyOfPath } from "@/lib/core/flow/node-key";
import { isAgentKind, isContainerKind, isWorkKind } from "@/lib/core/run/events/run-node-traits";
import { isTerminal, type ShownStatus } from "@/lib/core/run/events/run-status";
import { findPreviousCall } from "@/lib/core/trace/model/previous-call";
import type { RunNode } from "@/lib/core/trace/model/run-state";
import { toShownStatus } from "@/lib/core/trace/model/shown-status";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { describeWaiting } from "../../_run/steps/describe-waiting";
import type { RunSource } from "../../_run/steps/run-source";
import { agentColor } from "../../_ui/agent-color";
import { AgentTile } from "../../_ui/badges/agent-tile";
import { SimulatedBadge } from "../../_ui/badges/simulated-badge";
import { StatusBadge } from "../../_ui/badges/status-badge";
import { WarningBadge, warningLabels } from "../../_ui/badges/warning-badge";
import { LoadProblem } from "../../_ui/controls/load-problem";
import { loadPart } from "../../_ui/loading/load-part";
import { useLoaded } from "../../_ui/loading/use-loaded";
import { loadMarkdown } from "../../_ui/text/lazy-markdown";
import { TextLines } from "../text/text-lines";
import { ForkButton } from "./fork-button";
import type { LiveAgent } from "./live-answers";
import { MessageAgentForm } from "./message-agent-form";

interface StepPaneProps {
  trace: TraceView;
  span: number;
  sources: { steps: RunSource; flowId: string | null };
  now: number;
  onSelect(span: number): void;
}

/** A step, loaded when it ends and when another attempt begins: another step needs another key. */
export function StepPane({ trace, span, sources: { steps, flowId }, now, onSelect }: StepPaneProps) {
  "use no memo"; // A trace changes without its tables changing their identity.
  const step = summaryOf(trace, span);
  const errorCode = span === 0 ? trace.run.error?.code : trace.errors.get(span);
  const isLive = !isTerminal(step.status);
  const isServed = steps.until === null;
  const version = isLive ? countAttempts(trace, span) : 0;
  const key = [step.id, step.status, step.endedAt, version].join(" ");
  const { value: loaded, problem, retry } = useLoaded({ key }, (signal) => loadStep(steps.node(step.id, signal)));
  const node = loaded && (isLive && isServed ? withLiveTexts(loaded.node, trace, span) : loaded.node);
  const previousCall = findPreviousCall(trace, span);
  const agents = isLive && isContainerKind(step.kind) ? agentsBelow(trace, span) : [];
  return (
    <>
      <StepHead step={step} status={toShownStatus(step.status, errorCode)} isRoot={span === 0}>
        {node && isServed && flowId !== null && !isLive && span > 0 && <ForkButton runId={steps.runId} node={node} />}
      </StepHead>
      {problem !== null && <LoadProblem onRetry={retry}>The step could not be loaded: {problem}</LoadProblem>}
      {loaded && node ? (
        <loaded.StepTabs
          of={{
            source: steps,
            flowId,
            node,
            previousCall: previousCall < 0 ? null : previousCall + 1,
            agents,
            waiting: isLive ? describeWaiting(trace, span) : "",
            now,
            onSelect: (id) => onSelect(id - 1),
          }}
          isRoot={span === 0}
        />
      ) : (
        problem === null && <Skeleton />
      )}
      {isLive && isServed && isAgentKind(step.kind) && (
        <MessageAgentForm runId={steps.runId} name={step.name} path={step.path} />
      )}
    </>
  );
}

/** With what shows it: React would keep a placeholder for a third of a second after either. */
async function loadStep(loadingNode: Promise<RunNode>) {
  const loadingTabs = loadPart(() => import("./step-tabs"));
  const [node, { StepTabs }] = await Promise.all([loadingNode, loadingTabs, loadMarkdown()]);
  return { node, StepTabs };
}

interface StepHeadProps {
  step: ReturnType<typeof summaryOf>;
  status: ShownStatus;
  isRoot: boolean;
  children: ReactNode;
}

function StepHead({ step, status, isRoot, children }: StepHeadProps) {
  const { kind, name, agent, color, simulated, warnings } = step;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 px-4 pt-3 pb-1">
        {agent === null ? (
          <StepIcon kind={kind} size={16} />
        ) : (
          <AgentTile name={agent} color={color} isHollow={!isAgentKind(kind)} />
        )}
        <h2 className="min-w-0 truncate font-semibold text-sm">{isRoot ? "Whole run" : name}</h2>
        {!isRoot && <span className="text-text-muted">{labelOfStep(kind)}</span>}
        <StatusBadge status={status} />
        <WarningBadge count={warnings.length} />
        {simulated && <SimulatedBadge isShort />}
        <span className="ml-auto flex">{children}</span>
      </div>
      {warnings.map(({ code, message }) => (
        <p
          key={`${code} ${message}`}
          className="mx-4 mb-1 rounded-md bg-warning-soft px-3 py-1.5 [overflow-wrap:anywhere]"
        >
          <b className="text-warning">{warningLabels[code]}.</b> {message}
        </p>
      ))}
    </>
  );
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

function summaryOf(trace: TraceView, span: number) {
  const endedAt = trace.columns.end[span] ?? Number.NaN;
  const [kind, path] = [trace.kindOf(span), trace.pathOf(span)];
  // The path of a call begins with its agent's key: `key#llm-1#tool-1`.
  const agentName = isWorkKind(kind) ? (keyNames(keyOfPath(path)).at(-1) ?? "") : "";
  const agentNumber = trace.agentNumberOf(agentName);
  return {
    id: span + 1,
    kind,
    name: trace.nameOf(span),
    path,
    /** The agent, also of its calls; null for other steps. */
    agent: agentNumber === undefined ? null : agentName,
    color: agentColor(agentNumber),
    status: trace.shownStatusOf(span),
    startedAt: trace.columns.start[span] ?? 0,
    endedAt: Number.isNaN(endedAt) ? undefined : endedAt,
    simulated: trace.isSimulated(span),
    warnings: trace.warnings.get(span) ?? [],
  };
}

/** Grows whenever the stored step is to be loaded again. */
const countAttempts = (trace: TraceView, span: number): number =>
  (trace.attempts.get(span)?.length ?? 0) + (Number.isNaN(trace.columns.firstToken[span]) ? 0 : 1);

function withLiveTexts(loaded: RunNode, trace: TraceView, span: number): RunNode {
  const { text, reasoning } = trace.texts.of(span) ?? { text: "", reasoning: "" };
  const { reasoningLength: _, ...step } = loaded;
  return { ...step, status: trace.shownStatusOf(span), output: { text }, reasoning };
}

const mostAgents = 40;

function agentsBelow(trace: TraceView, span: number): LiveAgent[] {
  const agents: LiveAgent[] = [];
  for (let descendant = trace.length - 1; descendant > span && agents.length < mostAgents; descendant--)
    if (isAgentKind(trace.kindOf(descendant)) && trace.isWithin(descendant, span))
      agents.push({ ...summaryOf(trace, descendant), text: trace.texts.of(descendant)?.text ?? "" });
  return agents.reverse();
}
