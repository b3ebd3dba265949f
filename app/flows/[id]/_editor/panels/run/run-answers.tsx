import { CornerDownRight, TriangleAlert } from "lucide-react";
import { memo, useEffect, useRef, useState } from "react";
import { createServerRunSource, type RunSource } from "@/app/_run/steps/run-source";
import { agentColor } from "@/app/_ui/agent-color";
import { statusStyles } from "@/app/_ui/badges/status-badge";
import { LoadProblem } from "@/app/_ui/controls/load-problem";
import { useLoaded } from "@/app/_ui/loading/use-loaded";
import { Markdown } from "@/app/_ui/text/markdown";
import { keyOfPath } from "@/lib/core/flow/node-key";
import { isTerminal, type RunStatus } from "@/lib/core/run/events/events";
import { isAgentKind } from "@/lib/core/run/events/run-node-traits";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { useEditorState, useSession } from "../../state/session-context";

const mostRows = 200;
const mostStreams = 6;
/** In place of an agent's span: the output of the run. */
const output = -1;

export function RunAnswers({ runId, trace }: { runId: string; trace: TraceView }) {
  const [steps] = useState(() => createServerRunSource(runId));
  const agents = agentsOf(trace);
  const [chosen, choose] = useChosenSpan(trace, agents);
  const { status } = trace.run;
  return (
    <div className="flex min-h-0 flex-1">
      <ul aria-label="Answers" className="w-44 shrink-0 overflow-y-auto border-r border-line py-1 max-sm:w-32">
        <AnswerRow
          name={isTerminal(status) ? "Output" : "Live"}
          span={output}
          status={status}
          isChosen={chosen === output}
          isWarned={false}
          onChoose={choose}
        />
        {agents.slice(0, mostRows).map((span) => (
          <AnswerRow
            key={span}
            name={trace.nameOf(span)}
            span={span}
            status={trace.statusOf(span)}
            isChosen={span === chosen}
            isWarned={trace.isWarned(span)}
            onChoose={choose}
          />
        ))}
        {agents.length > mostRows && (
          <li className="px-3 py-1 text-text-muted text-xs">and {agents.length - mostRows} more</li>
        )}
      </ul>
      <section
        aria-label={chosen === output ? "Output of the run" : `Answer of ${trace.nameOf(chosen)}`}
        tabIndex={0}
        className="min-w-0 flex-1 overflow-y-auto p-3 outline-offset-[-2px]"
      >
        {chosen === output ? (
          <Output steps={steps} trace={trace} />
        ) : (
          <AgentAnswer key={chosen} steps={steps} trace={trace} span={chosen} />
        )}
      </section>
    </div>
  );
}

/** The span whose answer is displayed: the agent that was chosen here or on the canvas, else the output. */
function useChosenSpan(trace: TraceView, agents: readonly number[]): [span: number, choose: (span: number) => void] {
  const { editor } = useSession();
  const newestTrace = useRef(trace);
  useEffect(() => {
    newestTrace.current = trace;
  });
  const selection = useEditorState(({ selection: keys }) => keys);
  const [chosen, setChosen] = useState({ span: output, selection });
  if (chosen.selection !== selection) {
    const selectedAgent = agents.findLast(
      (span) => selection.length === 1 && keyOfPath(trace.pathOf(span)) === selection[0],
    );
    setChosen({ span: selectedAgent ?? chosen.span, selection });
  }
  const choose = (span: number): void => {
    const keys = [keyOfPath(newestTrace.current.pathOf(span))];
    const isOnCanvas = editor.store.getState().arrangement.nodes.some((node) => node.key === keys[0]);
    setChosen({ span, selection: isOnCanvas ? keys : selection });
    if (isOnCanvas) editor.select(keys);
  };
  return [chosen.span, choose];
}

function agentsOf(trace: TraceView): number[] {
  const agents: number[] = [];
  for (let span = 0; span < trace.length; span++) if (isAgentKind(trace.kindOf(span))) agents.push(span);
  return agents;
}

interface AnswerRowProps {
  name: string;
  span: number;
  status: RunStatus;
  isChosen: boolean;
  isWarned: boolean;
  onChoose(span: number): void;
}

const AnswerRow = memo(function AnswerRow({ name, span, status, isChosen, isWarned, onChoose }: AnswerRowProps) {
  const { icon: Icon, word, spins } = statusStyles[status];
  const isOutput = span === output;
  return (
    <li>
      <button
        type="button"
        aria-current={isChosen ? "true" : undefined}
        onClick={() => onChoose(span)}
        className="flex h-7 w-full items-center gap-2 px-3 text-left text-xs hover:bg-surface-hover aria-[current=true]:bg-surface-selected"
      >
        {isOutput ? (
          <CornerDownRight size={12} aria-hidden className="shrink-0 text-text-muted" />
        ) : (
          <span aria-hidden className="size-2 shrink-0 rounded-full" style={{ background: agentColor(name) }} />
        )}
        <span className={`min-w-0 flex-1 truncate ${isOutput ? "font-semibold" : ""}`}>{name}</span>
        {isWarned && (
          <TriangleAlert size={12} role="img" aria-label="Has a warning" className="shrink-0 text-warning" />
        )}
        <Icon
          size={12}
          role="img"
          aria-label={word}
          className={`shrink-0 text-text-muted ${spins ? "animate-spin text-running" : ""}`}
        />
      </button>
    </li>
  );
});

interface AgentAnswerProps {
  steps: RunSource;
  trace: TraceView;
  span: number;
}

function AgentAnswer({ steps, trace, span }: AgentAnswerProps) {
  const [streamedText, setStreamedText] = useState("");
  const text = liveTextOf(trace, span) ?? streamedText;
  if (text !== streamedText) setStreamedText(text);
  const status = statusOf(trace, span);
  if (isTerminal(status)) return <StoredAnswer steps={steps} id={span + 1} meanwhile={text} />;
  return text === "" ? <Note text="Waiting for output…" /> : <Answer text={text} />;
}

const liveTextOf = (trace: TraceView, span: number): string | undefined => trace.texts.of(span)?.text;
const statusOf = (trace: TraceView, span: number): RunStatus => trace.statusOf(span);

interface StoredAnswerProps {
  steps: RunSource;
  id: number;
  /** Displayed until the answer is loaded. */
  meanwhile: string;
}

function StoredAnswer({ steps, id, meanwhile }: StoredAnswerProps) {
  const { value: step, problem, retry } = useLoaded({ key: String(id) }, (signal) => steps.node(id, signal));
  if (problem !== null) return <LoadProblem onRetry={retry}>The answer could not be loaded: {problem}</LoadProblem>;
  if (!step) return meanwhile !== "" && <Answer text={meanwhile} />;
  // Why the run failed is displayed above.
  if (step.error && id !== 1) return <p className="text-danger">{step.error.message}</p>;
  const { text, length } = step.output;
  if (text !== "") return <Answer text={text} isShortened={length !== undefined} />;
  return <Note text={id === 1 ? noOutput : "The answer is empty."} />;
}

const noOutput = "The run ended without an output.";

function Output({ steps, trace }: Omit<AgentAnswerProps, "span">) {
  const { status } = trace.run;
  if (isTerminal(status))
    return trace.length === 0 ? <Note text={noOutput} /> : <StoredAnswer steps={steps} id={1} meanwhile="" />;
  const working = agentsOf(trace).filter((span) => trace.statusOf(span) === "RUNNING");
  if (working.length === 0)
    return <Note text={status === "WAITING" ? "Waiting for an answer…" : "Waiting for output…"} />;
  return (
    <div className="grid gap-4 [grid-template-columns:repeat(auto-fit,minmax(min(100%,220px),1fr))]">
      {working.slice(0, mostStreams).map((span) => {
        const name = trace.nameOf(span);
        return (
          <section key={span} aria-label={`${name} is working`} className="min-w-0">
            <h3 className="mb-1 font-semibold text-xs" style={{ color: agentColor(name) }}>
              {name}
            </h3>
            <AgentAnswer steps={steps} trace={trace} span={span} />
          </section>
        );
      })}
      {working.length > mostStreams && <Note text={`and ${working.length - mostStreams} more running`} />}
    </div>
  );
}

const Note = ({ text }: { text: string }) => <p className="text-text-muted">{text}</p>;

const Answer = memo(function Answer({ text, isShortened = false }: { text: string; isShortened?: boolean }) {
  return (
    <div className="max-w-[72ch]">
      <Markdown text={text} />
      {isShortened && <p className="mt-2 text-text-muted text-xs">Shortened; the timeline has the full text.</p>}
    </div>
  );
});
