/** The storage of a browser: entries are its own properties. */
export class FakeStorage {
  [key: string]: unknown;
  #maxLength = Number.POSITIVE_INFINITY;

  /** From now on an entry has no room with which the texts have more units in all. */
  limit(maxLength: number): void {
    this.#maxLength = maxLength;
  }

  getItem(key: string): string | null {
    return Object.hasOwn(this, key) ? String(this[key]) : null;
  }

  setItem(key: string, text: string): void {
    const others = Object.entries(this).filter(([other]) => other !== key);
    const length = others.reduce((sum, [, value]) => sum + String(value).length, text.length);
    if (length > this.#maxLength) throw new Error("QuotaExceededError");
    this[key] = text;
  }

  removeItem(key: string): void {
    delete this[key];
  }
}
