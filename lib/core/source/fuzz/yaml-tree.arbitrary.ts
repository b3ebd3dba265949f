/** A value of a random YAML file, before it is written in one of the many styles. */
export type YamlTree =
  | { type: "map"; entries: readonly (readonly [key: string, value: YamlTree])[]; anchor?: string }
  | { type: "list"; items: readonly YamlTree[] }
  | { type: "scalar"; value: string | number | boolean; anchor?: string }
  /** A text of members, which may contain comments of its own. */
  | { type: "members"; value: string }
  | { type: "alias"; anchor: string }
  | { type: "nothing" };

export const toTree = (value: unknown): YamlTree => {
  if (Array.isArray(value)) return { type: "list", items: value.map(toTree) };
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return { type: "scalar", value };
  if (typeof value !== "object" || value === null) return { type: "nothing" };
  return { type: "map", entries: Object.entries(value).map(([key, part]) => [key, toTree(part)] as const) };
};

/** Where a comment of a random file belongs. */
export interface FileComment {
  /** The keys from the root to the value that it belongs to; items of lists by the names in them, or by their index. */
  path: readonly string[];
  /** `inside`: in the text of a value, which goes with the value. */
  place: "above" | "beside" | "inside" | "end";
}

/** A sequence of choices, repeated as often as needed. Zeros choose the usual style. */
export class StyleChoices {
  #next = 0;
  constructor(private readonly numbers: readonly number[]) {}

  /** One of `count`, the first one most often. */
  choose(count: number): number {
    const choice = this.numbers[this.#next % Math.max(1, this.numbers.length)] ?? 0;
    this.#next++;
    // Different questions get different answers from a short sequence.
    return Math.floor(choice / (1 + (this.#next % 3))) % count;
  }

  pick<T>(options: readonly [T, ...T[]]): T {
    return options[this.choose(options.length)] ?? options[0];
  }
}
