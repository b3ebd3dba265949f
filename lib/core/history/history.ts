import type { Layout } from "../flow/edit";
import { applyChanges, toMinimalChange } from "../flow/text-change";
import type { TextChange } from "../flow/text-range";
import type { StepWords } from "./describe-edits";

/** Everything that undo brings back. */
export interface Moment {
  text: string;
  layout: Layout;
  selection: readonly string[];
}

/** How a step came about. Typing without a pause (and of one `key`) is one step; everything else is always its own. */
export interface StepKind {
  typing: boolean;
  /** Milliseconds. */
  at: number;
  key?: string;
  /** What undo and redo call it. */
  words?: StepWords;
}

/** A finished step: the change of the text and what stood on either side. */
export interface Step {
  changes: readonly TextChange[];
  inverse: readonly TextChange[];
  before: Omit<Moment, "text">;
  after: Omit<Moment, "text">;
  words?: StepWords | undefined;
}

export interface History {
  /** Oldest first. */
  past: readonly Step[];
  /** The newest step, whose end is not known before the next one begins or it is undone. */
  open: { before: Moment; kind: StepKind } | null;
  /** Next to redo last. */
  future: readonly Step[];
  canUndo: boolean;
  canRedo: boolean;
}

export const burstMs = 1000;
export const mostSteps = 500;

export const toHistory = (past: History["past"], open: History["open"], future: History["future"]): History => ({
  past,
  open,
  future,
  canUndo: open !== null || past.length > 0,
  canRedo: future.length > 0,
});

export const emptyHistory: History = toHistory([], null, []);

/** The same history with its newest step ended by `now`, so that it can be kept. */
export function sealHistory(history: History, now: Moment): History {
  const { open, past, future } = history;
  if (!open) return history;
  const same = open.before.text === now.text && open.before.layout === now.layout;
  return toHistory(same ? past : [...past, toStep(open, now)], null, future);
}

/** Records that something is about to change what `before` shows. What was undone is forgotten. */
export function recordStep(history: History, before: Moment, kind: StepKind): History {
  const { open } = history;
  if (open && joins(open.kind, kind)) return toHistory(history.past, { before: open.before, kind }, []);
  const past = open ? [...history.past, toStep(open, before)].slice(1 - mostSteps) : history.past;
  return toHistory(past, { before, kind }, []);
}

function joins(last: StepKind, next: StepKind): boolean {
  const pause = next.at - last.at;
  return last.typing && next.typing && last.key === next.key && pause >= 0 && pause < burstMs;
}

/** The moment before the last step, and the history without it. Null: nothing to undo. */
export function undoStep(history: History, now: Moment): { history: History; moment: Moment } | null {
  const { open, past, future } = history;
  if (open) {
    // Typing that was taken back by hand leaves no step behind.
    const same = open.before.text === now.text && open.before.layout === now.layout;
    if (same && past.length > 0) return undoStep(toHistory(past, null, future), now);
    return {
      history: toHistory(past, null, same ? future : [...future, toStep(open, now)]),
      moment: open.before,
    };
  }
  const step = past.at(-1);
  if (!step) return null;
  const moment = { ...step.before, text: applyChanges(now.text, step.inverse) };
  return { history: toHistory(past.slice(0, -1), null, [...future, step]), moment };
}

/** The moment after the step that was undone last. Null: nothing to redo. */
export function redoStep(history: History, now: Moment): { history: History; moment: Moment } | null {
  const { open, past, future } = history;
  const step = future.at(-1);
  if (!step || open) return null;
  const moment = { ...step.after, text: applyChanges(now.text, step.changes) };
  return { history: toHistory([...past, step], null, future.slice(0, -1)), moment };
}

/** What undo would take back, in words; undefined while nothing is known of it. */
export const undoWords = ({ open, past }: History): StepWords | undefined =>
  open ? open.kind.words : past.at(-1)?.words;

/** What redo would bring again. */
export const redoWords = ({ future }: History): StepWords | undefined => future.at(-1)?.words;

function toStep({ before: start, kind: { words } }: NonNullable<History["open"]>, end: Moment): Step {
  const { text: from, ...before } = start;
  const { text: to, ...after } = end;
  const change = toMinimalChange(from, to);
  if (!change) return { changes: [], inverse: [], before, after, words };
  const inverse = {
    from: change.from,
    to: change.from + change.insert.length,
    insert: from.slice(change.from, change.to),
  };
  return { changes: [change], inverse: [inverse], before, after, words };
}
