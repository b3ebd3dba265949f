import { rebaseLayout } from "@/lib/core/flow/rebase/rebase-layout";
import { rebaseTexts } from "@/lib/core/flow/rebase/rebase-texts";
import { applyChanges } from "@/lib/core/flow/text-change";
import { diffWords } from "@/lib/core/live/diff-texts";
import type { FlowContent } from "@/lib/core/live/live-document";
import { type GivenValue, giveWay } from "@/lib/core/settle/give-way";
import { mergeStructure } from "@/lib/core/settle/merge-structure";

/** `mine`, which began as `base`, with everything that leads from there to `theirs`: where both changed, both stay. */
export function mergeInto(base: FlowContent, mine: FlowContent, theirs: FlowContent): FlowContent {
  const { changes } = rebaseTexts(base.source, mine.source, theirs.source, { diff: diffWords });
  return {
    source: applyChanges(theirs.source, changes),
    layout: rebaseLayout(base.layout, mine.layout, theirs.layout),
  };
}

/**
 * The same for a user who was away. Of the members of the flow and of names both have what the other one changed; of values and
 * names that both changed theirs stay. `given`: this user's.
 */
export function mergeReturned(
  base: FlowContent,
  mine: FlowContent,
  theirs: FlowContent,
): FlowContent & { given: readonly GivenValue[] } {
  const { base: before, mine: text, given } = giveWay(base.source, mine.source, theirs.source);
  const merged = mergeInto({ ...base, source: before }, { ...mine, source: text }, theirs);
  const source = mergeStructure(before, text, theirs.source);
  return { ...merged, ...(source !== null && { source }), given };
}
