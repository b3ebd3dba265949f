import { diff3Merge } from "node-diff3";
import type { Layout } from "@/lib/core/flow/edit";
import { errorsOf } from "@/lib/core/flow/problem";
import { rebaseLayout } from "@/lib/core/flow/rebase/rebase-layout";
import { splitLines } from "@/lib/core/flow/text-range";
import { readSource } from "@/lib/core/source/read-source";
import type { Snapshot } from "./snapshot";

export type MergeChunk =
  | { type: "same"; text: string }
  | { type: "conflict"; number: number; mine: string; base: string; theirs: string };

export interface Merge {
  chunks: readonly MergeChunk[];
  layout: Layout;
  conflicts: number;
  text: string;
  /** Both texts are free of new errors, and the merged one is not: the user should check it. */
  suspicious: boolean;
}

export function mergeVersions(base: Snapshot, mine: Snapshot, theirs: Snapshot): Merge {
  const regions = diff3Merge(splitLines(mine.source), splitLines(base.source), splitLines(theirs.source), {
    excludeFalseConflicts: true,
  });
  let conflicts = 0;
  const chunks = regions.map(({ ok, conflict }): MergeChunk => {
    if (!conflict) return { type: "same", text: (ok ?? []).join("") };
    const { a, o, b } = conflict;
    const joined = joinAround(a, o, b) ?? joinAround(b, o, a);
    if (joined) return { type: "same", text: joined.join("") };
    return { type: "conflict", number: ++conflicts, mine: a.join(""), base: o.join(""), theirs: b.join("") };
  });
  const text = chunks.map((chunk) => (chunk.type === "same" ? chunk.text : chunk.mine)).join("");
  const most = Math.max(countErrors(mine.source), countErrors(theirs.source));
  return {
    chunks,
    text,
    layout: rebaseLayout(base.layout, mine.layout, theirs.layout),
    conflicts,
    suspicious: countErrors(text) > most,
  };
}

/**
 * The changed lines between what the other side only added before and after them; null: more than that is different. Without this,
 * a line that was merged in before would count as written by whoever merged it. Next to removed lines a user has to decide.
 */
function joinAround(
  extended: readonly string[],
  base: readonly string[],
  changed: readonly string[],
): readonly string[] | null {
  if (base.length === 0 || changed.length === 0) return null;
  const isBaseAt = (start: number): boolean => base.every((line, index) => extended[start + index] === line);
  const start = extended.findIndex((_, index) => isBaseAt(index));
  return start < 0 ? null : extended.toSpliced(start, base.length, ...changed);
}

/** A broken file is worse than any number of errors. */
function countErrors(source: string): number {
  const { broken, problems } = readSource(source);
  return broken ? Number.POSITIVE_INFINITY : errorsOf(problems).length;
}
