import type { TraceView } from "../model/trace-view";

/** Which rows are closed: those from a depth on, but for the spans that were opened or closed by hand. */
export interface Folding {
  /** Spans of this depth and deeper are closed; Infinity: none. */
  depth: number;
  toggled: ReadonlySet<number>;
}

export const allOpen: Folding = { depth: Number.POSITIVE_INFINITY, toggled: new Set() };

export const isAllOpen = ({ depth, toggled }: Folding): boolean =>
  toggled.size === 0 && depth === Number.POSITIVE_INFINITY;

export const isClosed = (trace: TraceView, span: number, { depth, toggled }: Folding): boolean =>
  (trace.columns.depth[span] ?? 0) >= depth !== toggled.has(span);

export const hasChildren = (trace: TraceView, span: number): boolean => (trace.columns.firstChild[span] ?? -1) >= 0;

/** The span that follows all descendants of this one in the order of rows; -1: none. */
export function nextBeyond({ nextSibling, parent }: TraceView["columns"], span: number): number {
  let ancestor = span;
  while (ancestor >= 0 && (nextSibling[ancestor] ?? -1) < 0) ancestor = parent[ancestor] ?? -1;
  return ancestor < 0 ? -1 : (nextSibling[ancestor] ?? -1);
}

/** What is toggled, for everything above a span to be open. */
export function openAbove(trace: TraceView, span: number, folding: Folding): number[] {
  const toggled = new Set(folding.toggled);
  for (let ancestor = trace.columns.parent[span] ?? -1; ancestor >= 0; ancestor = trace.columns.parent[ancestor] ?? -1)
    if (isClosed(trace, ancestor, folding) && !toggled.delete(ancestor)) toggled.add(ancestor);
  return [...toggled];
}

/**
 * The spans to show as rows: each below its parent, siblings in order of starting, what is below a closed one left out. With
 * `kept`, which has the parents of everything that it has, only those. One pass over what is shown, without recursion.
 */
export function toRows(trace: TraceView, folding: Folding, shownSpans: Uint8Array | null = null): Int32Array {
  const { columns } = trace;
  const rows = new Int32Array(trace.length);
  const isOpen = isAllOpen(folding);
  let count = 0;
  let span = trace.length > 0 ? 0 : -1;
  while (span >= 0) {
    const isShown = shownSpans === null || shownSpans[span] === 1;
    if (isShown) rows[count++] = span;
    const child = isShown && (isOpen || !isClosed(trace, span, folding)) ? (columns.firstChild[span] ?? -1) : -1;
    span = child >= 0 ? child : nextBeyond(columns, span);
  }
  return rows.subarray(0, count);
}

/** The rows of a trace with everything open, kept up to date while it grows: only from the first row on that moves. */
export class OpenRows {
  #rows = new Int32Array(0);
  #columns: TraceView["columns"] | null = null;
  #length = 0;

  /** The same as `toRows`; the numbers of an earlier answer go on with the trace. */
  of(trace: TraceView): Int32Array {
    if (this.#rows.length < trace.length) {
      const longer = new Int32Array(Math.max(256, trace.length * 2));
      longer.set(this.#rows);
      this.#rows = longer;
    }
    const { columns } = trace;
    if (this.#columns !== columns) [this.#columns, this.#length] = [columns, 0];
    const next = (span: number): number => {
      const child = columns.firstChild[span] ?? -1;
      return child >= 0 ? child : nextBeyond(columns, span);
    };
    let row = this.#firstMoved(trace);
    let span = trace.length === 0 ? -1 : row === 0 ? 0 : next(this.#rows[row - 1] ?? 0);
    for (; span >= 0; span = next(span)) this.#rows[row++] = span;
    this.#length = trace.length;
    return this.#rows.subarray(0, row);
  }

  /** New spans follow all descendants of their parents. */
  #firstMoved(trace: TraceView): number {
    const { length, columns } = trace;
    const previousLength = this.#length;
    const looked = new Set<number>();
    let firstRow = previousLength;
    for (let span = previousLength; span < length; span++) {
      const above = columns.parent[span] ?? -1;
      if (above < 0 || above >= previousLength || looked.has(above)) continue;
      looked.add(above);
      let row = previousLength - 1;
      while (row >= 0 && !trace.isWithin(this.#rows[row] ?? -1, above)) row--;
      firstRow = Math.min(firstRow, row + 1);
    }
    return firstRow;
  }
}
