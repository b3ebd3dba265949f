import type * as Y from "yjs";
import * as z from "zod/mini";
import { findJsonAs } from "../flow/parse-json";
import { findLetters } from "./written-parts";

/** Maximum number of characters of a name, with its quotes. */
const maxName = 300;

/** The names that end before letters of the text, whoever gave them, by the printed ids of the letters; of others there is none. */
export function readOwnerNames(doc: Y.Doc, letters: Iterable<string>): Map<string, string> {
  const offsets = findLetters(doc, letters);
  const text = offsets.size > 0 ? `\n${doc.getText("source").toString()}` : "";
  return new Map(
    [...offsets].flatMap(([letter, offset]) => {
      const name = readLastName(text.slice(Math.max(0, offset - maxName), offset + 1));
      return name === null ? [] : [[letter, name]];
    }),
  );
}

/** The key, or the value of `name:`, in which a text ends. */
function readLastName(text: string): string | null {
  const [, double, single, plain] = lastName.exec(text) ?? [];
  if (double !== undefined) return findJsonAs(`"${double}"`, z.string()) ?? null;
  return single?.replaceAll("''", "'") ?? plain ?? null;
}

const lastName =
  /[{,\n][ \t]*(?:- +)?(?:name: +)?(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s"'{}[\],&*#?|>!%@`-][^{}[\],\n#"]*))$/;
