import type { Document } from "yaml";
import { limits } from "../../flow/flow";
import { eolOf } from "../../flow/text-range";
import { parseYaml } from "./parse-yaml";
import { findUnknownAliases } from "./yaml-nodes";

export type Formatted = { ok: true; text: string } | { ok: false; message: string };

/** How often a text is printed until printing it again changes nothing. */
const mostRounds = 4;

/**
 * A flow file in the usual form: indentation of two spaces, one space after signs, at most one empty line between entries.
 * Order, quotes, comments and meaning stay: a text of which that cannot be promised is refused. Formatting what was
 * formatted changes nothing.
 */
export function formatSource(text: string): Formatted {
  if (text.length > limits.sourceLength)
    return refused(`it has ${text.length} characters, and at most ${limits.sourceLength} are read`);
  const original = read(text);
  if (original.errors.length > 0 || findUnknownAliases(original).length > 0)
    return refused("it is not valid YAML; mend the text first");
  let formatted = text;
  for (let round = 0; round < mostRounds; round++) {
    const printed = print(read(formatted), text);
    const reread = read(printed);
    const hasSameMeaning = reread.errors.length === 0 && meaningOf(reread) === meaningOf(original);
    if (!hasSameMeaning || commentsOf(printed) !== commentsOf(text))
      return refused("a comment or a value would change; tidy the text by hand");
    if (printed === formatted) return { ok: true, text: formatted };
    formatted = printed;
  }
  return refused("its form changes every time it is printed; tidy the text by hand");
}

const refused = (reason: string): Formatted => ({ ok: false, message: `The file cannot be formatted: ${reason}.` });

const read = (text: string): Document => parseYaml(text, { lenient: true });

function print(document: Document, before: string): string {
  const printed = document.contents === null ? before : document.toString({ indent: 2, lineWidth: 0 });
  const eol = eolOf(before);
  return printed.replaceAll(/\r?\n/g, eol);
}

/** The data of a document, with the order of its keys. */
function meaningOf(document: Document): string {
  const inOrder = (_: string, value: unknown): unknown => (value instanceof Map ? [...value] : value);
  return JSON.stringify(document.toJS({ mapAsMap: true, maxAliasCount: -1 }), inOrder);
}

/** What follows each `#` that may begin a comment, in alphabetical order. */
const commentsOf = (text: string): string =>
  text
    .split(/\r?\n/)
    .flatMap((line) => /(?:^|\s)(#.*)$/.exec(line)?.[1]?.trim() ?? [])
    .toSorted()
    .join("\n");
