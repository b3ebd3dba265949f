import { joinRanges, listInserted, moveRanges } from "../flow/rebase/move-ranges";
import { rebaseBackwards } from "../flow/rebase/rebase-changes";
import { rebaseLayout } from "../flow/rebase/rebase-layout";
import { applyChanges } from "../flow/text-change";
import type { TextChange } from "../flow/text-range";
import { type History, type HistoryEntry, type Moment, toHistory, toReversible, undoEntry } from "./history";

/** A change by someone else: it is no entry of this history. */
export interface ForeignChange {
  changes: readonly TextChange[];
  /** The layout afterwards. */
  layout: Moment["layout"];
}

/**
 * The history after someone else has changed the state `now`: its entries undo and redo what they did before, and nothing of
 * the foreign change.
 */
export function rebaseHistory(history: History, now: Moment, { changes, layout }: ForeignChange): History {
  const { open, past } = history;
  const future = rebaseFuture(history.future, changes);
  const foreign = joinRanges([...moveRanges(history.foreign, changes), ...listInserted(changes)]);
  if (!open) return toHistory({ past: rebasePast(past, changes), open, future, foreign });
  const { before } = open;
  const rebased = rebaseBackwards(toReversible(open.changes, before.text, now.text), changes);
  const next = {
    ...open,
    changes: open.changes && rebased.changes,
    before: {
      ...before,
      text: applyChanges(before.text, rebased.rest),
      layout: rebaseLayout(now.layout, layout, before.layout),
    },
  };
  return toHistory({ past: rebasePast(past, rebased.rest), open: next, future, foreign });
}

/**
 * The history without the entry that undo reverts next, whose change stays in the text `now`, or without what redo would do: it
 * cannot be done any more because others have changed the same.
 */
export function dropEntry(history: History, now: Moment, how: "undid" | "redid"): History {
  // What was undone before it was made of it.
  if (how === "redid") return toHistory({ ...history, future: [] });
  const undone = undoEntry(history, now);
  const entry = undone?.history.future.at(-1);
  if (!undone || !entry) return history;
  const kept = toHistory({ ...undone.history, future: [] });
  const { past, foreign } = rebaseHistory(kept, undone.moment, { changes: entry.changes, layout: now.layout });
  return toHistory({ past, open: null, future: history.future, foreign });
}

function rebasePast(past: readonly HistoryEntry[], foreign: readonly TextChange[]): HistoryEntry[] {
  let over = foreign;
  return past
    .toReversed()
    .map((entry) => {
      const { changes, inverse, rest } = rebaseBackwards(entry, over);
      over = rest;
      return { ...entry, changes, inverse };
    })
    .toReversed();
}

function rebaseFuture(future: readonly HistoryEntry[], foreign: readonly TextChange[]): HistoryEntry[] {
  let over = foreign;
  return future
    .toReversed()
    .map((entry) => {
      // What redo does is the inverse of what undo would do afterwards.
      const rebased = rebaseBackwards({ changes: entry.inverse, inverse: entry.changes }, over);
      over = rebased.rest;
      return { ...entry, changes: rebased.inverse, inverse: rebased.changes };
    })
    .toReversed();
}
