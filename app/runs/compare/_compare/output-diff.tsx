"use client";
import { useEffect, useState } from "react";
import { createServerRunSource } from "../../../_run/steps/run-source";
import { formatLength } from "../../../_ui/format/format";
import { messageOf } from "../../../_ui/loading/fetch-json";
import { comparedUnits, findWordChanges, type WordChange } from "./word-diff";

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
  | { type: "one"; text: string }
  | { type: "problem"; message: string };

const pauseMs = 150;

const readOutput = ({ runId, nodeId }: ComparedStepRef, signal: AbortSignal): Promise<string> =>
  createServerRunSource(runId).text(nodeId, "output", signal);

async function compare(
  base: ComparedStepRef | null,
  compared: ComparedStepRef | null,
  signal: AbortSignal,
): Promise<OutputComparison> {
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
  const { runId: baseRun, nodeId: baseNode } = base ?? {};
  const { runId: otherRun, nodeId: otherNode } = compared ?? {};
  const requestKey = `${baseRun}/${baseNode} ${otherRun}/${otherNode}`;
  const [loaded, setLoaded] = useState<{ of: string; what: OutputComparison } | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    const toStepRef = (runId?: string, nodeId?: number): ComparedStepRef | null =>
      runId === undefined || nodeId === undefined ? null : { runId, nodeId };
    const settle = (comparison: OutputComparison): void => {
      if (!controller.signal.aborted) setLoaded({ of: requestKey, what: comparison });
    };
    const timer = setTimeout(() => {
      compare(toStepRef(baseRun, baseNode), toStepRef(otherRun, otherNode), controller.signal).then(
        settle,
        (error: unknown) => settle({ type: "problem", message: messageOf(error) }),
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [baseRun, baseNode, otherRun, otherNode, requestKey]);
  if (loaded?.of !== requestKey) return <LoadingOutput />;
  return <ComparedOutput found={loaded.what} letter={letter} onlyIn={base === null ? letter : "A"} />;
}

export const LoadingOutput = () => (
  <div aria-busy="true" className="h-24 animate-pulse rounded-md border bg-surface-sunken" />
);

function ComparedOutput({
  found: comparison,
  letter,
  onlyIn,
}: {
  found: OutputComparison;
  letter: string;
  onlyIn: string;
}) {
  switch (comparison.type) {
    case "problem":
      return (
        <p role="alert" className="text-danger">
          The outputs could not be read. {comparison.message}
        </p>
      );
    case "one":
      return (
        <div className="grid gap-2">
          <p className="text-text-muted">Only {onlyIn} has this step. Its output:</p>
          <Text label={`Output of ${onlyIn}`} text={comparison.text} />
        </div>
      );
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
      return <Changes changes={comparison.changes} longest={comparison.longest} letter={letter} />;
  }
}

const shownUnits = 50_000;
const block =
  "max-h-96 overflow-auto rounded-md border bg-surface-sunken px-3 py-2 font-mono text-xs leading-5 whitespace-pre-wrap [overflow-wrap:anywhere]";

function Text({ label, text }: { label: string; text: string }) {
  if (text === "") return <p className="text-text-muted">The output is empty.</p>;
  return (
    <section aria-label={label} tabIndex={0} className={block}>
      {text.slice(0, shownUnits)}
      {text.length > shownUnits && <span className="text-text-muted"> … {formatLength(text.length)} in total</span>}
    </section>
  );
}

const changeStyles: Record<WordChange["type"], string> = {
  same: "",
  removed: "bg-danger-soft text-danger",
  added: "bg-success-soft text-success no-underline",
};
const elements = { same: "span", removed: "del", added: "ins" } as const;

function Changes({ changes, longest, letter }: { changes: readonly WordChange[]; longest: number; letter: string }) {
  const isSame = changes.every(({ type }) => type === "same");
  return (
    <div className="grid gap-2">
      <p className="text-text-muted">
        {isSame ? (
          `A and ${letter} gave the same output.`
        ) : (
          <>
            <del className="bg-danger-soft text-danger">Only in A</del>,{" "}
            <ins className="bg-success-soft text-success no-underline">only in {letter}</ins>
          </>
        )}
        {longest > comparedUnits && ` Compared: the first ${formatLength(comparedUnits)} of ${formatLength(longest)}.`}
      </p>
      {changes.length > 0 && (
        <section aria-label={`Words of A and ${letter}`} tabIndex={0} className={block}>
          {Object.entries(changes).map(([index, { type, text }]) => {
            const Element = elements[type];
            return (
              <Element key={index} className={changeStyles[type]}>
                {text}
              </Element>
            );
          })}
        </section>
      )}
    </div>
  );
}
