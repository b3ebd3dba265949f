import { formatLength } from "../../../_ui/format/format";
import { useLoaded } from "../../../_ui/loading/use-loaded";
import { ChangedWords } from "../../../_ui/text/changed-words";
import { comparedUnits, findWordChanges, type WordChange } from "../../../_ui/text/word-diff";
import { type ComparedStepRef, readOutput, toOutputKey, toRefreshMs } from "./compared-step";
import { OutputText, textBlock } from "./output-text";

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
  const key = `${toOutputKey(base)} ${toOutputKey(compared)}`;
  const request = { key, refreshMs: toRefreshMs(base, compared) };
  const { value: comparison, isCurrent, problem } = useLoaded(request, (signal) => compare(base, compared, signal));
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
            <OutputText label="Output of A" text={comparison.before} />
            <OutputText label={`Output of ${letter}`} text={comparison.after} />
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
      <OutputText label={`Output of ${letter}`} text={text} />
    </div>
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
        <section aria-label={`Words of A and ${letter}`} tabIndex={0} className={textBlock}>
          <ChangedWords changes={changes} styles={changeStyles} />
        </section>
      )}
    </div>
  );
}
