import { rebaseBackwards, rebaseChanges } from "../flow/rebase/rebase-changes";
import { rebaseLayout } from "../flow/rebase/rebase-layout";
import { applyChanges, toMinimalChange } from "../flow/text-change";
import type { TextChange } from "../flow/text-range";
import { type History, type HistoryEntry, type Moment, toHistory } from "./history";

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
  const { open, past, future } = history;
  const openChange = open && toMinimalChange(now.text, open.before.text);
  const rest = openChange ? rebaseChanges(changes, [openChange], "foreign") : changes;
  const before = open && {
    ...open,
    before: {
      ...open.before,
      text: applyChanges(open.before.text, rest),
      layout: rebaseLayout(now.layout, layout, open.before.layout),
    },
  };
  return toHistory(rebasePast(past, rest), before, rebaseFuture(future, changes));
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
