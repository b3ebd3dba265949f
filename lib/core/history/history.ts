import type { Layout } from "../flow/edit";
import { composeChanges } from "../flow/rebase/compose-changes";
import { diffHunks } from "../flow/rebase/diff-hunks";
import { toWordChanges } from "../flow/rebase/diff-tokens";
import { countLetters, joinRanges, listInserted, moveRanges } from "../flow/rebase/move-ranges";
import { type ReversibleChanges, sortChanges } from "../flow/rebase/rebase-changes";
import { rebaseLayout } from "../flow/rebase/rebase-layout";
import { applyChanges } from "../flow/text-change";
import type { TextChange, TextRange } from "../flow/text-range";
import type { EntryDescription } from "./describe-edits";

/** The state that undo restores. */
export interface Moment {
  text: string;
  layout: Layout;
  selection: readonly string[];
}

/** The origin of an entry. Typing without a pause, with one `key`, is one entry; every other change is its own. */
export interface EntryOrigin {
  typing: boolean;
  /** Milliseconds. */
  at: number;
  key?: string;
  /** Its description in undo and redo. */
  words?: EntryDescription;
}

/** A finished entry: the change of the text, and the layout and selection before and after it. */
export interface HistoryEntry {
  changes: readonly TextChange[];
  inverse: readonly TextChange[];
  before: Omit<Moment, "text">;
  after: Omit<Moment, "text">;
  words?: EntryDescription | undefined;
  /** Whether it deleted what others had written. */
  takesForeign?: boolean | undefined;
}

export interface OpenEntry {
  before: Moment;
  kind: EntryOrigin;
  /** What was done since `before`; null: it is not known, and is what differs. */
  changes: readonly TextChange[] | null;
  takesForeign?: boolean;
}

export interface History {
  /** Oldest first. */
  past: readonly HistoryEntry[];
  /** The newest entry. It ends when the next one begins, or when it is undone. */
  open: OpenEntry | null;
  /** The next one to redo last. */
  future: readonly HistoryEntry[];
  /** What others wrote in the present text, sorted; with what this user wrote and can no longer undo. */
  foreign: readonly TextRange[];
  canUndo: boolean;
  canRedo: boolean;
}

export const burstMs = 1000;
export const maxHistoryEntries = 500;

export const toHistory = (parts: Omit<History, "canUndo" | "canRedo">): History => ({
  ...parts,
  canUndo: parts.open !== null || parts.past.length > 0,
  canRedo: parts.future.length > 0,
});

export const emptyHistory: History = toHistory({ past: [], open: null, future: [], foreign: [] });

/** The same history with its newest entry ended by `now`, so that it can be stored. */
export function sealHistory(history: History, now: Moment): History {
  const { open, past } = history;
  if (!open) return history;
  // Typing that the user reverted is no entry.
  const same = open.before.text === now.text && open.before.layout === now.layout;
  return toHistory({ ...history, past: same ? past : [...past, toHistoryEntry(open, now)], open: null });
}

/**
 * Records that the state `before` is about to change; `moveForeign` follows. Discards the undone entries. `changes`: how the
 * text changes; null: it is not known.
 */
export function recordEntry(
  history: History,
  before: Moment,
  kind: EntryOrigin,
  changes: readonly TextChange[] | null = null,
): History {
  const { open } = history;
  if (open && joins(open.kind, kind)) {
    const joined = open.changes && changes && composeChanges(open.changes, changes);
    return toHistory({ ...history, open: { ...open, kind, changes: joined }, future: [] });
  }
  const past = open ? [...history.past, toHistoryEntry(open, before)].slice(1 - maxHistoryEntries) : history.past;
  return toHistory({ ...history, past, open: { before, kind, changes }, future: [] });
}

/** The history after its newest entry changed the text. */
export function moveForeign(history: History, changes: readonly TextChange[]): History {
  const { open } = history;
  const foreign = moveRanges(history.foreign, changes);
  const isTaken = countLetters(foreign) < countLetters(history.foreign);
  return { ...history, foreign, open: open && isTaken ? { ...open, takesForeign: true } : open };
}

function joins(last: EntryOrigin, next: EntryOrigin): boolean {
  const pause = next.at - last.at;
  return last.typing && next.typing && last.key === next.key && pause >= 0 && pause < burstMs;
}

/** A step back or forth, and what it changes in the text; null: that is not known. */
interface Travelled {
  history: History;
  moment: Moment;
  changes: readonly TextChange[] | null;
}

/** The moment before the last entry, and the history without it. Null: nothing to undo. */
export function undoEntry(start: History, now: Moment): Travelled | null {
  const sealed = sealHistory(start, now);
  const { past, future } = sealed;
  const entry = past.at(-1);
  if (!entry) return start.open && { history: sealed, moment: start.open.before, changes: null };
  const moment = {
    ...entry.before,
    layout: rebaseLayout(entry.after.layout, entry.before.layout, now.layout),
    text: applyChanges(now.text, entry.inverse),
  };
  const changes = entry.inverse;
  const restored = entry.takesForeign ? listInserted(changes) : [];
  const foreign = joinRanges([...moveRanges(sealed.foreign, changes), ...restored]);
  const history = toHistory({ past: past.slice(0, -1), open: null, future: [...future, entry], foreign });
  return { history, moment, changes };
}

/** The moment after the entry that was undone last. Null: nothing to redo. */
export function redoEntry(start: History, now: Moment): Travelled | null {
  const { open, past, future } = start;
  const entry = future.at(-1);
  if (!entry || open) return null;
  const moment = {
    ...entry.after,
    layout: rebaseLayout(entry.before.layout, entry.after.layout, now.layout),
    text: applyChanges(now.text, entry.changes),
  };
  const { changes } = entry;
  const foreign = moveRanges(start.foreign, changes);
  const history = toHistory({ past: [...past, entry], open: null, future: future.slice(0, -1), foreign });
  return { history, moment, changes };
}

/** The description of the entry that undo reverts; undefined when it has none. */
export const describeUndo = ({ open, past }: History): EntryDescription | undefined =>
  open ? open.kind.words : past.at(-1)?.words;

/** The description of the entry that redo applies. */
export const describeRedo = ({ future }: History): EntryDescription | undefined => future.at(-1)?.words;

function toHistoryEntry(open: OpenEntry, end: Moment): HistoryEntry {
  const { kind, changes, takesForeign } = open;
  const { text: oldText, ...before } = open.before;
  const { text: newText, ...after } = end;
  return { ...toReversible(changes, oldText, newText), before, after, words: kind.words, takesForeign };
}

/** What leads from one text to another; `done`: null where it is not known. */
export function toReversible(done: OpenEntry["changes"], before: string, after: string): ReversibleChanges {
  const changes = done ? toWordChanges(before, sortChanges(done)) : diffHunks(before, after);
  let shift = 0;
  const inverse = changes.map(({ from: position, to: rangeEnd, insert }): TextChange => {
    const from = position + shift;
    shift += insert.length - (rangeEnd - position);
    return { from, to: from + insert.length, insert: before.slice(position, rangeEnd) };
  });
  return { changes, inverse };
}
