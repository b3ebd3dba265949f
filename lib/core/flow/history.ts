import type { Layout } from "./edit";
import type { TextChange } from "./text";
import { applyChanges } from "./text-change";

/** One intent: what it changed and how to take it back. */
export interface HistoryStep {
  /** For the undo menu, e.g. `Rename a to b`. */
  label: string;
  changes: readonly TextChange[];
  inverse: readonly TextChange[];
  layoutBefore: Layout;
  layoutAfter: Layout;
  /** Steps of the same key close together in time are one step; missing: always its own. */
  coalesce?: string;
  /** Milliseconds. */
  at: number;
}

export interface History {
  done: readonly HistoryStep[];
  undone: readonly HistoryStep[];
}

export const emptyHistory: History = { done: [], undone: [] };

const mostSteps = 500;
const coalesceWithin = 1000;

/** The changes that lead back from the text after `changes` to `text`. */
export function invertChanges(text: string, changes: readonly TextChange[]): TextChange[] {
  let shift = 0;
  return [...changes]
    .sort((a, b) => a.from - b.from || a.to - b.to)
    .map(({ from, to, insert }) => {
      const start = from + shift;
      shift += insert.length - (to - from);
      return { from: start, to: start + insert.length, insert: text.slice(from, to) };
    });
}

/** Records a step; what was undone is forgotten. `text` is the text before the step. */
export function recordStep(history: History, text: string, step: Omit<HistoryStep, "inverse">): History {
  const fresh = { ...step, inverse: invertChanges(text, step.changes) };
  const last = history.done.at(-1);
  const joins = last?.coalesce !== undefined && last.coalesce === step.coalesce && step.at - last.at <= coalesceWithin;
  if (!joins) return { done: [...history.done, fresh].slice(-mostSteps), undone: [] };
  const before = applyChanges(text, last.inverse);
  const after = applyChanges(text, step.changes);
  const joined = { ...fresh, ...wholeChange(before, after), layoutBefore: last.layoutBefore };
  return { done: [...history.done.slice(0, -1), joined], undone: [] };
}

/** The one change between two texts, and its inverse. */
function wholeChange(before: string, after: string): { changes: TextChange[]; inverse: TextChange[] } {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from++;
  let tail = 0;
  while (tail < shorter - from && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const [to, end] = [before.length - tail, after.length - tail];
  if (from === to && from === end) return { changes: [], inverse: [] };
  return {
    changes: [{ from, to, insert: after.slice(from, end) }],
    inverse: [{ from, to: end, insert: before.slice(from, to) }],
  };
}

/** The step to take back, and the history without it. Null: nothing to undo. */
export function undoStep({ done, undone }: History): { step: HistoryStep; history: History } | null {
  const step = done.at(-1);
  return step ? { step, history: { done: done.slice(0, -1), undone: [...undone, step] } } : null;
}

export function redoStep({ done, undone }: History): { step: HistoryStep; history: History } | null {
  const step = undone.at(-1);
  return step ? { step, history: { done: [...done, step], undone: undone.slice(0, -1) } } : null;
}
