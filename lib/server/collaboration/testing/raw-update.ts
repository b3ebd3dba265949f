interface RawItem {
  /** As client and clock. */
  origin?: readonly [number, number] | undefined;
  rightOrigin?: readonly [number, number] | undefined;
  text: string;
}

export interface RawUpdate {
  /** By client: the clock of the first item, and the items, which follow each other. */
  items?: ReadonlyMap<number, { clock: number; items: readonly RawItem[] }>;
  /** By client: clock and length. */
  deleted?: ReadonlyMap<number, readonly (readonly [number, number])[]>;
}

/** An update with one removed insertion, of which nothing is known but its length. */
export const encodeRemoved = (client: number, clock: number, length: number): Uint8Array =>
  encodeNumbers([1, 1, client, clock, 0, length, 0]);

function encodeNumbers(values: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  for (const value of values) pushNumber(bytes, value);
  return new Uint8Array(bytes);
}

function pushNumber(bytes: number[], value: number): void {
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  bytes.push(rest);
}

/** An update in the format of Yjs, also one that no Yjs would write. Items without neighbours are in the source text. */
export function encodeRawUpdate({ items = new Map(), deleted = new Map() }: RawUpdate): Uint8Array {
  const bytes: number[] = [];
  const number = (value: number): void => pushNumber(bytes, value);
  const string = (text: string): void => {
    const encoded = new TextEncoder().encode(text);
    number(encoded.length);
    bytes.push(...encoded);
  };
  const clients = [...items].filter(([, { items: written }]) => written.length > 0);
  number(clients.length);
  for (const [client, { clock, items: written }] of clients) {
    for (const value of [written.length, client, clock]) number(value);
    for (const { origin, rightOrigin, text } of written) {
      bytes.push(4 | (origin ? 0x80 : 0) | (rightOrigin ? 0x40 : 0));
      for (const value of [...(origin ?? []), ...(rightOrigin ?? [])]) number(value);
      if (!origin && !rightOrigin) {
        number(1);
        string("source");
      }
      string(text);
    }
  }
  number(deleted.size);
  for (const [client, ranges] of deleted) {
    number(client);
    number(ranges.length);
    for (const value of ranges.flat()) number(value);
  }
  return new Uint8Array(bytes);
}

/** Letters at the beginning of the text, each before another letter of one long insertion. */
export function encodeRivals(base: number, count: number, { client = 9, from = 1 } = {}): Uint8Array {
  const items = Array.from({ length: count }, (_, nth) => ({ rightOrigin: [base, from + nth] as const, text: "x" }));
  return encodeRawUpdate({ items: new Map([[client, { clock: 0, items }]]) });
}
