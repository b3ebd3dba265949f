import { rebaseChanges } from "@/lib/core/flow/rebase/rebase-changes";
import { rebaseLayout } from "@/lib/core/flow/rebase/rebase-layout";
import { applyChanges } from "@/lib/core/flow/text-change";
import { diffTexts, diffUnlessDone } from "@/lib/core/live/diff-texts";
import type { FlowContent } from "@/lib/core/live/live-document";
import { mergeStructure } from "@/lib/core/settle/merge-structure";

/** `mine`, which began as `base`, with everything that leads from there to `theirs`: where both changed, both stay. */
export function mergeInto(base: FlowContent, mine: FlowContent, theirs: FlowContent): FlowContent {
  const over = diffTexts(base.source, theirs.source);
  return {
    source: applyChanges(theirs.source, rebaseChanges(diffUnlessDone(base.source, mine.source, over), over)),
    layout: rebaseLayout(base.layout, mine.layout, theirs.layout),
  };
}

/** The same for a user who was away. Of the members of the flow and of names both have what the other one changed. */
export function mergeReturned(base: FlowContent, mine: FlowContent, theirs: FlowContent): FlowContent {
  const merged = mergeInto(base, mine, theirs);
  const source = mergeStructure(base.source, mine.source, theirs.source);
  return source === null ? merged : { ...merged, source };
}
