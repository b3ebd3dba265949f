/** A column of numbers that grows at its end: room is doubled, so that adding costs the same however long it is. */
interface Numbers {
  readonly length: number;
  [index: number]: number;
  set(from: ArrayLike<number>): void;
}

const firstRoom = 256;

/** `column` itself while there is room for the place `at`; else a longer one with the same numbers. */
function withRoom<T extends Numbers>(column: T, index: number, create: (length: number) => T): T {
  if (index < column.length) return column;
  const longer = create(Math.max(firstRoom, column.length * 2, index + 1));
  longer.set(column);
  return longer;
}

const bytes = (length: number) => new Uint8Array(length);
const shorts = (length: number) => new Uint16Array(length);
const integers = (length: number) => new Int32Array(length);
const doubles = (length: number) => new Float64Array(length);

/** The columns of spans, a place for each span. Counts are of the span and everything below it. */
export class SpanColumns {
  /** Place of the parent, of the first and last child, of the next sibling; -1: there is none. */
  parent = integers(0);
  firstChild = integers(0);
  lastChild = integers(0);
  nextSibling = integers(0);
  /** 1 for a root. */
  depth = shorts(0);
  /** Place in `runNodeKinds` and in `runStatuses`. */
  kind = bytes(0);
  status = bytes(0);
  flags = bytes(0);
  /** Number in the table of names. */
  name = integers(0);
  /** The path: so many characters off the end of the parent's, then this text of the table of tails. */
  cut = integers(0);
  tail = integers(0);
  /** Milliseconds since the epoch; NaN: not yet. */
  start = doubles(0);
  end = doubles(0);
  firstToken = doubles(0);
  input = doubles(0);
  output = doubles(0);
  cached = doubles(0);
  reasoning = doubles(0);
  calls = doubles(0);
  /** US dollars; NaN: unknown. */
  cost = doubles(0);

  /** Makes room for the place `at`. */
  reserve(index: number): void {
    if (index < this.parent.length) return;
    this.parent = withRoom(this.parent, index, integers);
    this.firstChild = withRoom(this.firstChild, index, integers);
    this.lastChild = withRoom(this.lastChild, index, integers);
    this.nextSibling = withRoom(this.nextSibling, index, integers);
    this.depth = withRoom(this.depth, index, shorts);
    this.kind = withRoom(this.kind, index, bytes);
    this.status = withRoom(this.status, index, bytes);
    this.flags = withRoom(this.flags, index, bytes);
    this.name = withRoom(this.name, index, integers);
    this.cut = withRoom(this.cut, index, integers);
    this.tail = withRoom(this.tail, index, integers);
    this.start = withRoom(this.start, index, doubles);
    this.end = withRoom(this.end, index, doubles);
    this.firstToken = withRoom(this.firstToken, index, doubles);
    this.input = withRoom(this.input, index, doubles);
    this.output = withRoom(this.output, index, doubles);
    this.cached = withRoom(this.cached, index, doubles);
    this.reasoning = withRoom(this.reasoning, index, doubles);
    this.calls = withRoom(this.calls, index, doubles);
    this.cost = withRoom(this.cost, index, doubles);
  }
}
