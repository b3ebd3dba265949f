import { Play } from "lucide-react";
import { useEffect, useState } from "react";
import { StatusBadge, statusStyles } from "@/app/_ui/badges/status-badge";
import { Button } from "@/app/_ui/controls/button";
import { DialogProblem, Field } from "@/app/_ui/controls/field";
import { messageOf } from "@/app/_ui/loading/fetch-json";
import { LazyMarkdown } from "@/app/_ui/text/lazy-markdown";
import { keyNames } from "@/lib/core/flow/node-key";
import { isTerminal } from "@/lib/core/run/events/run-status";
import type { VisitorRun } from "@/lib/core/run/events/visitor-events";
import { toShownStatus } from "@/lib/core/trace/model/shown-status";
import { noProgress, type VisitorProgress } from "./visitor-progress";
import { findKeptRun, followVisitorRun, keepVisitorRun, startVisitorRun } from "./visitor-run";

interface VisitorRunPaneProps {
  token: string;
  runsLeft: number;
  /** Pays for the runs. */
  team: string;
}

/** A visitor's own runs: an input, and the answer. */
export function VisitorRunPane({ token, runsLeft, team }: VisitorRunPaneProps) {
  const [input, setInput] = useState("");
  const [left, setLeft] = useState(runsLeft);
  const [runId, setRunId] = useState<string | null>(null);
  const [run, setRun] = useState<VisitorRun | null>(null);
  const [progress, setProgress] = useState(noProgress);
  const [isStarting, setStarting] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    if (runId === null) return;
    return followVisitorRun(token, runId, {
      showRun: setRun,
      showProgress: setProgress,
      showProblem: setProblem,
    });
  }, [token, runId]);
  useEffect(() => {
    void findKeptRun(token).then((kept) => {
      if (!kept) return;
      setInput((typed) => typed || kept.input);
      setRunId((started) => started ?? kept.id);
    });
  }, [token]);
  const start = async (): Promise<void> => {
    setStarting(true);
    setProblem(null);
    try {
      const id = await startVisitorRun(token, input);
      keepVisitorRun(token, { id, input });
      setRun(null);
      setProgress(noProgress);
      setLeft((count) => count - 1);
      setRunId(id);
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setStarting(false);
    }
  };
  const isRunning = runId !== null && problem === null && !(run && isTerminal(run.status));
  const pending = isStarting || isRunning;
  return (
    <section
      aria-label="Run this flow"
      className="flex min-h-0 flex-col gap-3 overflow-y-auto border-t bg-surface p-4 max-md:max-h-[55%] md:w-96 md:border-t-0 md:border-l"
    >
      <div>
        <h2 className="font-semibold text-sm">Run this flow</h2>
        <p className="text-pretty text-text-muted text-xs">
          “{team}” pays for the run. Its members can read your input and the answer, and the models and tools of the
          flow receive your input.
        </p>
      </div>
      <InputForm {...{ input, left, pending, problem }} onInput={setInput} onRun={() => void start()} />
      <div role="status">{run && <StatusBadge status={toShownStatus(run.status, run.error?.code)} />}</div>
      {run && !isTerminal(run.status) && <Progress progress={progress} />}
      {run && <Answer run={run} />}
    </section>
  );
}

interface InputFormProps {
  input: string;
  /** How many runs visitors may still start. */
  left: number;
  pending: boolean;
  problem: string | null;
  onInput(input: string): void;
  onRun(): void;
}

function InputForm({ input, left, pending, problem, onInput, onRun }: InputFormProps) {
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onRun();
      }}
    >
      <Field label="Input" hint={left > 0 ? `${left} ${left === 1 ? "run" : "runs"} left` : "No runs left."}>
        {(attributes) => (
          <textarea
            {...attributes}
            required
            maxLength={20_000}
            rows={4}
            value={input}
            onChange={({ target }) => onInput(target.value)}
            className="block w-full resize-y rounded-md border border-line-input bg-surface p-2"
          />
        )}
      </Field>
      <Button type="submit" variant="primary" pending={pending} disabled={left <= 0} className="self-start">
        <Play size={14} aria-hidden /> Run
      </Button>
      <DialogProblem problem={problem} />
    </form>
  );
}

/** Which agents are working, and what the last steps of the flow have written. */
function Progress({ progress: { agents, texts } }: { progress: VisitorProgress }) {
  return (
    <div className="flex min-w-0 flex-col gap-3 [overflow-wrap:anywhere]">
      <ul aria-label="Agents" className="flex flex-wrap gap-x-3 gap-y-1 text-xs">
        {agents.map(({ key, name, status }) => {
          const { icon: Icon, word, tint, spins } = statusStyles[status];
          return (
            <li key={key} className="flex items-center gap-1">
              <Icon size={12} role="img" aria-label={word} className={`${tint} ${spins ? "animate-spin" : ""}`} />
              {name}
            </li>
          );
        })}
      </ul>
      {[...texts].map(([path, text]) => (
        <section key={path} className="min-w-0">
          {texts.size > 1 && <h3 className="mb-1 font-semibold text-xs">{keyNames(path).at(-1)}</h3>}
          <LazyMarkdown text={text} />
        </section>
      ))}
    </div>
  );
}

function Answer({ run: { status, output, error, simulated } }: { run: VisitorRun }) {
  if (status === "WAITING") return <p className="text-text-muted">Waiting for an answer from the team.</p>;
  return (
    <div className="min-w-0 [overflow-wrap:anywhere]">
      {error && <p className="text-danger">The run did not succeed ({error.code}).</p>}
      {simulated && <p className="mb-1 text-text-muted text-xs">Simulated: no model was asked.</p>}
      <LazyMarkdown text={output} />
    </div>
  );
}
