import { isTerminal } from "@/lib/core/run/events/run-status";
import type { ComparedRow } from "@/lib/core/trace/model/align-steps";
import type { ComparedRun } from "@/lib/server/runs/read/compare-runs";
import { StatusWord } from "../../../_ui/badges/status-badge";
import { useLoaded } from "../../../_ui/loading/use-loaded";
import { phoneStyle } from "./columns";
import { type ComparedStepRef, readOutput, stepRefIn, toOutputKey, toRefreshMs } from "./compared-step";
import { letterOf } from "./letters";
import { OutputText } from "./output-text";

interface OutputColumnsProps {
  row: ComparedRow;
  runs: readonly ComparedRun[];
  against: number;
}

/** The outputs of a step, one beside the other. */
export default function OutputColumns({ row, runs, against }: OutputColumnsProps) {
  return (
    <ul className="grid gap-3 sm:snap-x sm:auto-cols-[minmax(15rem,1fr)] sm:grid-flow-col sm:overflow-x-auto">
      {runs.map((run, index) => {
        const step = stepRefIn(row, runs, index);
        return (
          <li key={run.id} className={`flex min-w-0 snap-start flex-col gap-1.5 p-0.5 ${phoneStyle(index, against)}`}>
            <p className="flex flex-wrap items-center gap-x-2">
              <b className="font-semibold">{letterOf(index)}</b>
              {run.origin?.model && (
                <span className="font-mono text-xs [overflow-wrap:anywhere]">{run.origin.model}</span>
              )}
              {step && <StatusWord status={step.status} />}
            </p>
            {step ? (
              <StepOutput key={toOutputKey(step)} step={step} letter={letterOf(index)} />
            ) : (
              <p className="text-text-muted">It has no such step{isTerminal(run.status) ? "" : " yet"}.</p>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function StepOutput({ step, letter }: { step: ComparedStepRef; letter: string }) {
  const { value: text, problem } = useLoaded({ key: toOutputKey(step), refreshMs: toRefreshMs(step) }, (signal) =>
    readOutput(step, signal),
  );
  if (problem !== null)
    return (
      <p role="alert" className="text-danger">
        The output could not be read. {problem}
      </p>
    );
  if (text === null) return <div aria-busy="true" className="h-24 animate-pulse rounded-md border bg-surface-hover" />;
  if (text === "" && !isTerminal(step.status)) return <p className="text-text-muted">No output yet.</p>;
  return <OutputText label={`Output of ${letter}`} text={text} />;
}
