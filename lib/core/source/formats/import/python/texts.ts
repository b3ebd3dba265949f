import { importLimits } from "../imported";
import type { PythonValue } from "./value";

/** What `textwrap.dedent` makes of a text: the white space that all its lines begin with is left out. */
function dedent(text: string): string {
  const lines = text.split("\n").map((line) => (/^[ \t]+$/.test(line) ? "" : line));
  const margins = lines.filter((line) => line !== "").map((line) => /^[ \t]*/.exec(line)?.[0] ?? "");
  const margin = margins.reduce((common, margin) => commonStart(common, margin), margins[0] ?? "");
  return lines.map((line) => line.slice(margin.length)).join("\n");
}

function commonStart(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}

const textMethods: ReadonlyMap<string, (text: string) => string> = new Map([
  ["strip", (text) => text.trim()],
  ["lstrip", (text) => text.trimStart()],
  ["rstrip", (text) => text.trimEnd()],
  ["dedent", dedent],
]);

/** Characters of all texts that are made of others. */
const mostCharacters = importLimits.length * 5;

/** Makes texts of texts, up to a bound: texts that double again and again would fill the memory. */
export class TextMaker {
  #length = 0;

  /** The texts side by side, as an f-string or `join` puts them; null when one is no text, or they are too long. */
  join(values: readonly PythonValue[], separator = ""): string | null {
    const texts = values.flatMap((value) => (value.type === "text" ? [value.text] : []));
    if (texts.length < values.length) return null;
    const length = texts.reduce((sum, text) => sum + text.length + separator.length, 0);
    return this.#take(length) ? texts.join(separator) : null;
  }

  /** `dedent(text)`, `text.strip()` and their like; null for what is not known. */
  change(text: string, method: string): string | null {
    const change = textMethods.get(method);
    return change && this.#take(text.length) ? change(text) : null;
  }

  #take(length: number): boolean {
    this.#length += length;
    return length <= importLimits.length && this.#length <= mostCharacters;
  }
}
