import { Wrench } from "lucide-react";
import { memo, type ReactNode, useState } from "react";
import { describeWaiting } from "@/app/_run/steps/describe-waiting";
import type { RunSource } from "@/app/_run/steps/run-source";
import { agentColor } from "@/app/_ui/agent-color";
import { AgentTile } from "@/app/_ui/badges/agent-tile";
import { statusStyles } from "@/app/_ui/badges/status-badge";
import { LoadProblem } from "@/app/_ui/controls/load-problem";
import { formatDuration } from "@/app/_ui/format/format";
import { useLoaded } from "@/app/_ui/loading/use-loaded";
import { LazyMarkdown } from "@/app/_ui/text/lazy-markdown";
import { MessageText } from "@/app/_ui/text/message-text";
import { formatCount } from "@/lib/core/flow/format-count";
import { isTerminal, type RunStatus } from "@/lib/core/run/events/run-status";
import { toShownStatus } from "@/lib/core/trace/model/shown-status";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { type AgentStep, listLiveSteps, listToolCalls } from "@/lib/core/trace/timeline/agent-steps";

const mostStreams = 6;
const mostTools = 12;

interface DetailProps {
  source: RunSource;
  trace: TraceView;
}

/** The name, doings and tool calls of a step, and what it writes or wrote. */
export function StepDetail({ source, trace, step, now }: DetailProps & { step: number; now: number }) {
  const tools = listToolCalls(trace, step);
  return (
    <>
      <header className="mb-2.5 flex flex-wrap items-center gap-x-2 gap-y-1.5">
        <StepName trace={trace} step={step} />
        <span className="ml-auto flex flex-wrap gap-1.5">
          {tools.slice(-mostTools).map((call) => (
            <ToolChip key={call} trace={trace} call={call} now={now} />
          ))}
        </span>
      </header>
      <StepText key={step} source={source} trace={trace} step={step} />
    </>
  );
}

function StepName({ trace, step }: { trace: TraceView; step: number }) {
  const name = trace.nameOf(step);
  return (
    <>
      <AgentTile name={name} color={agentColor(trace.agentNumberOf(name))} />
      <h3 className="font-semibold">{name}</h3>
      <span className="text-text-muted text-xs">{describeDoing(trace, step)}</span>
    </>
  );
}

function describeDoing(trace: TraceView, step: number): string {
  const status = toShownStatus(trace.shownStatusOf(step), trace.errors.get(step));
  if (status !== "RUNNING") return statusStyles[status].word.toLowerCase();
  const tool = listToolCalls(trace, step).findLast((call) => trace.isOpen(call));
  if (tool !== undefined) return `calls ${trace.nameOf(tool)}`;
  return textOf(trace, step) === undefined ? "thinks" : "writes";
}

function ToolChip({ trace, call, now }: { trace: TraceView; call: number; now: number }) {
  const status = toShownStatus(trace.statusOf(call), trace.errors.get(call));
  const hasFailed = status === "FAILED" || status === "TIMEOUT";
  return (
    <span
      className={`flex h-6 items-center gap-1.5 rounded px-2 text-[11px] ${hasFailed ? "bg-danger-soft text-danger" : "bg-surface-hover"}`}
    >
      <Wrench size={12} aria-hidden />
      <span className="font-medium font-mono">{trace.nameOf(call)}</span>
      <span className={`tabular-nums ${hasFailed ? "" : "text-text-muted"}`}>
        {hasFailed
          ? statusStyles[status].word.toLowerCase()
          : formatDuration(trace.endOf(call, now) - (trace.columns.start[call] ?? now))}
      </span>
    </span>
  );
}

const textOf = (trace: TraceView, span: number): string | undefined => trace.texts.of(span)?.text;

function StepText({ source, trace, step }: DetailProps & { step: number }) {
  const [streamed, setStreamed] = useState("");
  const text = textOf(trace, step) ?? streamed;
  if (text !== streamed) setStreamed(text);
  if (isTerminal(trace.statusOf(step))) return <StoredText source={source} id={step + 1} meanwhile={text} />;
  if (text === "") return <Note>{describeWaiting(trace, step)}</Note>;
  return <Answer text={text} isWriting={trace.shownStatusOf(step) === "RUNNING"} />;
}

/** `meanwhile` is displayed until the text is loaded. */
function StoredText({ source, id, meanwhile }: { source: RunSource; id: number; meanwhile: string }) {
  const { value: step, problem, retry } = useLoaded({ key: String(id) }, (signal) => source.node(id, signal));
  if (problem !== null) return <LoadProblem onRetry={retry}>The answer could not be loaded: {problem}</LoadProblem>;
  if (!step) return meanwhile !== "" && <Answer text={meanwhile} />;
  const { text, length } = step.output;
  // Why the run failed is displayed above.
  const error = id === 1 ? undefined : step.error;
  return (
    <>
      {error !== undefined && (
        <p className={`mb-2 [overflow-wrap:anywhere] ${statusStyles[toShownStatus(step.status, error.code)].tint}`}>
          <MessageText text={error.message} />
        </p>
      )}
      {text !== "" && <Answer text={text} isShortened={length !== undefined} />}
      {text === "" && error === undefined && <Note>{id === 1 ? noAnswer : "The answer is empty."}</Note>}
    </>
  );
}

const noAnswer = "The run ended without an answer.";

/** The answer of a run that has ended; before that what its agents have written so far. */
export function RunAnswer({
  source,
  trace,
  steps,
  status,
}: DetailProps & { steps: readonly AgentStep[]; status: RunStatus }) {
  if (isTerminal(status))
    return trace.length === 0 ? <Note>{noAnswer}</Note> : <StoredText source={source} id={1} meanwhile="" />;
  const live = listLiveSteps(trace, steps);
  // The question is displayed above.
  if (live.length === 0) return trace.questions.size === 0 && <Note>{describeWaiting(trace, 0)}</Note>;
  return (
    <div className="grid gap-4 [grid-template-columns:repeat(auto-fit,minmax(min(100%,220px),1fr))]">
      {live.slice(0, mostStreams).map(({ span }) => (
        <section key={span} aria-label={trace.nameOf(span)} className="min-w-0">
          <header className="mb-1.5 flex items-center gap-2">
            <StepName trace={trace} step={span} />
          </header>
          <StepText source={source} trace={trace} step={span} />
        </section>
      ))}
      {live.length > mostStreams && <Note>and {formatCount(live.length - mostStreams)} more</Note>}
    </div>
  );
}

export const Note = ({ children }: { children: ReactNode }) => <p className="text-text-muted">{children}</p>;

interface AnswerProps {
  text: string;
  isShortened?: boolean;
  isWriting?: boolean;
}

const Answer = memo(function Answer({ text, isShortened = false, isWriting = false }: AnswerProps) {
  return (
    <div className="max-w-[72ch]">
      <LazyMarkdown text={text} />
      {isWriting && (
        <span
          aria-hidden
          className="inline-block h-4 w-1.5 animate-pulse rounded-xs bg-accent motion-reduce:animate-none"
        />
      )}
      {isShortened && <p className="mt-2 text-text-muted text-xs">Shortened; the timeline has the full text.</p>}
    </div>
  );
});
