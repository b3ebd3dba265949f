/** The words of a text that writers wrote, in its order. */
export const listWords = (text: string): string[] => text.match(/w\d+x/g) ?? [];

export const without = (words: readonly string[], others: readonly string[]): string[] =>
  words.filter((word) => !others.includes(word));

interface Word {
  writer: string;
  /** `unknown`: its last change may have died with its page. */
  state: "present" | "deleted" | "unknown";
  changedAt: number;
}

interface WordChange {
  writer: string;
  before: readonly string[];
  after: readonly string[];
}

/** A field of the flow with all that was written into it. */
const fieldLine = /instructions:|Begin/;
const wholeField = /instructions: "Begin[^"]*"$/;

/** What writers wrote and deleted. */
export class WordBook {
  readonly #words = new Map<string, Word>();
  #last = 0;

  get size(): number {
    return this.#words.size;
  }

  next(): string {
    this.#last++;
    return `w${this.#last}x`;
  }

  /** Notes what a writer did. */
  note({ writer, before, after }: WordChange): void {
    const changedAt = Date.now();
    for (const word of without(before, after)) this.#words.set(word, { writer, state: "deleted", changedAt });
    for (const word of without(after, before)) this.#words.set(word, { writer, state: "present", changedAt });
  }

  /** Forgets what became of the words that a writer changed in the last milliseconds. */
  doubt(writer: string, ms: number): void {
    for (const word of this.#words.values())
      if (word.writer === writer && Date.now() - word.changedAt < ms) word.state = "unknown";
  }

  /** Forgets what became of words: it depends on others. */
  forget(words: readonly string[]): void {
    for (const word of words) {
      const known = this.#words.get(word);
      if (known) known.state = "unknown";
    }
  }

  isOf(word: string, writer: string): boolean {
    return this.#words.get(word)?.writer === writer;
  }

  /** One sentence for each kind of fault in a text. */
  check(text: string): string[] {
    const found = listWords(text);
    const list = (state: Word["state"]): string[] =>
      [...this.#words].flatMap(([word, known]) => (known.state === state ? [word] : []));
    const faults = {
      doubled: [...new Set(found.filter((word, index) => found.indexOf(word) !== index))],
      lost: without(list("present"), found),
      "brought back": list("deleted").filter((word) => found.includes(word)),
      damaged: text.split("\n").filter((line) => fieldLine.test(line) && !wholeField.test(line)),
    };
    return Object.entries(faults).flatMap(([kind, words]) => (words.length > 0 ? [`${kind} ${words.join(" ")}`] : []));
  }
}
