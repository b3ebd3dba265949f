import type { TextRange } from "../flow/text-range";
import { lexDsl } from "./lexer";

/** One word of a DSL text: its range, and its name (null: an operator or a parenthesis). */
export interface DslWord extends TextRange {
  name: string | null;
}

/** The words of a DSL text, whatever is wrong with it. */
export const splitDsl = (text: string): DslWord[] =>
  lexDsl(text)
    .slice(0, -1)
    .map(({ type, text: name, from: start, to: end }) => ({
      from: start,
      to: end,
      name: type === "name" || type === "unclosed-quote" ? name : null,
    }));

/** The name that contains or touches the offset; null where there is none. */
export const findNameAt = (words: readonly DslWord[], offset: number): (DslWord & { name: string }) | null =>
  words.find(
    (word): word is DslWord & { name: string } => word.name !== null && word.from <= offset && offset <= word.to,
  ) ?? null;
