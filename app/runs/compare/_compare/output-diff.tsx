import { createServerRunSource } from "../../../_run/steps/run-source";
import { ChangedWords } from "../../../_run-view/text/changed-words";
import { comparedUnits, findWordChanges, type WordChange } from "../../../_run-view/text/word-diff";
import { formatLength } from "../../../_ui/format/format";
import { useLoaded } from "../../../_ui/loading/use-loaded";

export interface ComparedStepRef {
  runId: string;
  nodeId: number;
}

interface OutputDiffProps {
  base: ComparedStepRef | null;
  compared: ComparedStepRef | null;
  letter: string;
}

type OutputComparison =
  | { type: "changes"; changes: WordChange[]; longest: number }
  | { type: "too-different"; before: string; after: string }
  | { type: "one"; text: string };

/** Steps that are only passed while walking the rows are not loaded, in milliseconds. */
const pauseMs = 150;

const readOutput = ({ runId, nodeId }: ComparedStepRef, signal: AbortSignal): Promise<string> =>
  createServerRunSource(runId).text(nodeId, "output", signal);

async function compare(
  base: ComparedStepRef | null,
  compared: ComparedStepRef | null,
  signal: AbortSignal,
): Promise<OutputComparison> {
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
  signal.throwIfAborted();
  const [before, after] = await Promise.all([
    base && readOutput(base, signal),
    compared && readOutput(compared, signal),
  ]);
  if (before === null || after === null) return { type: "one", text: before ?? after ?? "" };
  const changes = await findWordChanges(before, after);
  if (!changes) return { type: "too-different", before, after };
  return { type: "changes", changes, longest: Math.max(before.length, after.length) };
}

export default function OutputDiff({ base, compared, letter }: OutputDiffProps) {
  const key = [base?.runId, base?.nodeId, compared?.runId, compared?.nodeId].join(" ");
  const { value: comparison, isCurrent, problem } = useLoaded({ key }, (signal) => compare(base, compared, signal));
  if (problem !== null)
    return (
      <p role="alert" className="text-danger">
        The outputs could not be read. {problem}
      </p>
    );
  if (!comparison || !isCurrent)
    return <div aria-busy="true" className="h-24 animate-pulse rounded-md border bg-surface-hover" />;
  switch (comparison.type) {
    case "one":
      return <OnlyOutput letter={base === null ? letter : "A"} text={comparison.text} />;
    case "too-different":
      return (
        <div className="grid gap-2">
          <p className="text-text-muted">The outputs are too different for a word-by-word comparison.</p>
          <div className="grid gap-3 md:grid-cols-2">
            <Text label="Output of A" text={comparison.before} />
            <Text label={`Output of ${letter}`} text={comparison.after} />
          </div>
        </div>
      );
    case "changes":
      return <Changes {...comparison} letter={letter} />;
  }
}

function OnlyOutput({ letter, text }: { letter: string; text: string }) {
  return (
    <div className="grid gap-2">
      <p className="text-text-muted">Only {letter} has this step. Its output:</p>
      <Text label={`Output of ${letter}`} text={text} />
    </div>
  );
}

const shownUnits = 50_000;
const block =
  "max-h-96 overflow-auto rounded-md border bg-surface px-3 py-2 font-mono text-xs leading-5 whitespace-pre-wrap [overflow-wrap:anywhere]";

function Text({ label, text }: { label: string; text: string }) {
  if (text === "") return <p className="text-text-muted">The output is empty.</p>;
  return (
    <section aria-label={label} tabIndex={0} className={block}>
      {text.slice(0, shownUnits)}
      {text.length > shownUnits && <span className="text-text-muted"> … {formatLength(text.length)} in total</span>}
    </section>
  );
}

const changeStyles = { removed: "bg-danger-soft text-danger", added: "bg-success-soft text-success no-underline" };

function Changes({ changes, longest, letter }: { changes: readonly WordChange[]; longest: number; letter: string }) {
  const isSame = changes.every(({ type }) => type === "same");
  return (
    <div className="grid gap-2">
      <p className="text-text-muted">
        {isSame ? (
          `A and ${letter} gave the same output.`
        ) : (
          <>
            <del className={changeStyles.removed}>Only in A</del>,{" "}
            <ins className={changeStyles.added}>only in {letter}</ins>
          </>
        )}
        {longest > comparedUnits && ` Compared: the first ${formatLength(comparedUnits)} of ${formatLength(longest)}.`}
      </p>
      {changes.length > 0 && (
        <section aria-label={`Words of A and ${letter}`} tabIndex={0} className={block}>
          <ChangedWords changes={changes} styles={changeStyles} />
        </section>
      )}
    </div>
  );
}
