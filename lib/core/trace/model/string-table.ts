/** Texts that come up often, each kept once and named by a number. */
export class StringTable {
  readonly values: string[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(values: readonly string[] = []) {
    for (const value of values) this.numberOf(value);
  }

  /** The number of a text; a new text gets the next one. */
  numberOf(value: string): number {
    const number = this.#numbers.get(value);
    if (number !== undefined) return number;
    this.#numbers.set(value, this.values.length);
    return this.values.push(value) - 1;
  }

  find(value: string): number | undefined {
    return this.#numbers.get(value);
  }

  at(number: number): string {
    return this.values[number] ?? "";
  }
}
