import { ChevronDown, ChevronUp } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { formatCount } from "@/lib/core/flow/format-count";
import type { ComparedRow } from "@/lib/core/trace/model/align-steps";
import type { ComparedRun, ComparedSteps } from "@/lib/server/runs/read/compare-runs";
import { Button } from "../../../_ui/controls/button";
import { loadPart } from "../../../_ui/loading/load-part";
import { stepRefIn } from "./compared-step";
import { letterOf } from "./letters";
import { StepsGrid } from "./steps-grid";
import { findDifference, toDifferingRows } from "./walk-rows";

const OutputDiff = dynamic(() => loadPart(() => import("./output-diff")), {
  ssr: false,
  loading: () => <div className="h-24" />,
});
const OutputColumns = dynamic(() => loadPart(() => import("./output-columns")), {
  ssr: false,
  loading: () => <div className="h-24" />,
});

/** How the outputs of a step are displayed: beside each other, or as the words in which two of them differ. */
export type OutputView = "columns" | "words";

interface RowOutputProps {
  row: ComparedRow;
  runs: readonly ComparedRun[];
  against: number;
  view: OutputView;
}

export function RowOutput({ row, runs, against, view }: RowOutputProps) {
  if (view === "columns") return <OutputColumns row={row} runs={runs} against={against} />;
  const [base, compared] = [stepRefIn(row, runs, 0), stepRefIn(row, runs, against)];
  if (!base && !compared) return <p className="text-text-muted">Neither A nor {letterOf(against)} has this step.</p>;
  return <OutputDiff base={base} compared={compared} letter={letterOf(against)} />;
}

interface StepsPanelProps extends Omit<RowOutputProps, "row"> {
  steps: ComparedSteps;
  step: string | null;
  onStep(path: string): void;
}

export function StepsPanel({ steps: { rows, agents }, runs, against, view, step, onStep }: StepsPanelProps) {
  const [only, setOnly] = useState(false);
  const listedRows = only ? toDifferingRows(rows) : rows;
  const selected = listedRows.findIndex(({ path }) => path === step);
  const different = rows.filter(({ differences }) => differences.length > 0).length;
  const select = (index: number): void => {
    const row = listedRows[index];
    if (row) onStep(row.path);
  };
  const walk = (direction: 1 | -1) => {
    const nextRow = findDifference(listedRows, selected < 0 && direction < 0 ? listedRows.length : selected, direction);
    return { disabled: nextRow === null, onClick: () => nextRow !== null && select(nextRow) };
  };
  const row = rows.find(({ path }) => path === step);
  return (
    <div className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <p role="status" className="mr-auto text-text-muted">
          {different === 0
            ? `${formatCount(rows.length)} steps, no difference but in time.`
            : `${formatCount(different)} of ${formatCount(rows.length)} steps differ.`}
        </p>
        <Button size="small" aria-pressed={only} disabled={different === 0} onClick={() => setOnly(!only)}>
          Only differences
        </Button>
        <Button size="small" aria-keyshortcuts="Shift+N" {...walk(-1)}>
          <ChevronUp size={14} aria-hidden /> Previous difference
        </Button>
        <Button size="small" aria-keyshortcuts="N" {...walk(1)}>
          <ChevronDown size={14} aria-hidden /> Next difference
        </Button>
      </div>
      <StepsGrid
        key={String(only)}
        rows={listedRows}
        agents={agents}
        columns={{ runs: runs.length, against }}
        selected={selected}
        onSelect={select}
      />
      {row ? (
        <section aria-label="Output of the step" className="grid min-w-0 gap-2">
          <h3 className="break-all font-medium font-mono text-xs">{row.path}</h3>
          <RowOutput row={row} runs={runs} against={against} view={view} />
        </section>
      ) : (
        <p className="text-text-muted">Choose a step to compare its outputs.</p>
      )}
    </div>
  );
}
