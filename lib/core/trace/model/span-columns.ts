const firstRoom = 256;

/** Columns with room for so many spans, a place for each. Counts are of the span and everything below it. */
const createColumns = (room: number) => ({
  /** Place of the parent, of the first and last child, of the next sibling; -1: there is none. */
  parent: new Int32Array(room),
  firstChild: new Int32Array(room),
  lastChild: new Int32Array(room),
  nextSibling: new Int32Array(room),
  /** 1 for a root. */
  depth: new Uint16Array(room),
  /** Place in `runNodeKinds` and in `runStatuses`. */
  kind: new Uint8Array(room),
  status: new Uint8Array(room),
  flags: new Uint8Array(room),
  /** Number in the table of names. */
  name: new Int32Array(room),
  /** The path: so many characters off the end of the parent's, then this text of the table of tails. */
  cut: new Int32Array(room),
  tail: new Int32Array(room),
  /** Milliseconds since the epoch; NaN: not yet. */
  start: new Float64Array(room),
  end: new Float64Array(room),
  firstToken: new Float64Array(room),
  input: new Float64Array(room),
  output: new Float64Array(room),
  cached: new Float64Array(room),
  reasoning: new Float64Array(room),
  calls: new Float64Array(room),
  /** US dollars, as far as they are known: see the flag `unknownCost`. */
  cost: new Float64Array(room),
});
export type SpanColumns = ReturnType<typeof createColumns>;

export const emptyColumns = (): SpanColumns => createColumns(0);

/** Makes room for the place `index`: the room is doubled, so that adding costs the same however long the columns are. */
export function reserve(columns: SpanColumns, index: number): void {
  if (index < columns.parent.length) return;
  const longer = createColumns(Math.max(firstRoom, columns.parent.length * 2, index + 1));
  const filled = Object.values(columns);
  for (const [position, column] of Object.values(longer).entries()) column.set(filled[position] ?? []);
  Object.assign(columns, longer);
}
