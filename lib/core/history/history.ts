import type { Layout } from "../flow/edit";
import { applyChanges, toMinimalChange } from "../flow/text-change";
import type { TextChange } from "../flow/text-range";
import type { StepWords } from "./describe-edits";

/** The state that undo restores. */
export interface Moment {
  text: string;
  layout: Layout;
  selection: readonly string[];
}

/** The origin of a step. Typing without a pause, with one `key`, is one step; every other change is its own. */
export interface StepKind {
  typing: boolean;
  /** Milliseconds. */
  at: number;
  key?: string;
  /** Its description in undo and redo. */
  words?: StepWords;
}

/** A finished step: the change of the text, and the layout and selection before and after it. */
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
  /** The newest step. It ends when the next one begins, or when it is undone. */
  open: { before: Moment; kind: StepKind } | null;
  /** The next one to redo last. */
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

/** The same history with its newest step ended by `now`, so that it can be stored. */
export function sealHistory(history: History, now: Moment): History {
  const { open, past, future } = history;
  if (!open) return history;
  const same = open.before.text === now.text && open.before.layout === now.layout;
  return toHistory(same ? past : [...past, toStep(open, now)], null, future);
}

/** Records that the state `before` is about to change. Discards the undone steps. */
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
    // Typing that the user reverted is no step.
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

/** The description of the step that undo reverts; undefined when it has none. */
export const undoWords = ({ open, past }: History): StepWords | undefined =>
  open ? open.kind.words : past.at(-1)?.words;

/** The description of the step that redo applies. */
export const redoWords = ({ future }: History): StepWords | undefined => future.at(-1)?.words;

function toStep({ before: start, kind: { words } }: NonNullable<History["open"]>, end: Moment): Step {
  const { text: oldText, ...before } = start;
  const { text: newText, ...after } = end;
  const change = toMinimalChange(oldText, newText);
  if (!change) return { changes: [], inverse: [], before, after, words };
  const inverse = {
    from: change.from,
    to: change.from + change.insert.length,
    insert: oldText.slice(change.from, change.to),
  };
  return { changes: [change], inverse: [inverse], before, after, words };
}
