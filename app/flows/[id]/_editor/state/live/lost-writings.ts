import type * as Y from "yjs";
import type { Edit, Layout } from "@/lib/core/flow/edit";
import { applyChanges } from "@/lib/core/flow/text-change";
import type { TextRange } from "@/lib/core/flow/text-range";
import { findAuthor } from "@/lib/core/live/authors";
import type { LostText, OwnText } from "@/lib/core/live/lost-texts";
import { isOwnClient } from "@/lib/core/live/own-clients";
import type { SourceDocument } from "@/lib/core/source/read/source-document";
import { getEditing } from "../editing/editing";
import type { LostWriting } from "./live";

/** This user's own letters in what others deleted, in the flow as this user saw it before. */
export interface SeenTexts {
  document: SourceDocument;
  layout: Layout;
  own: readonly OwnText[];
}

interface OwnLetters {
  owner: string;
  by: number;
  text: string;
  field: Edit | null;
  unknown?: LostWriting["unknown"];
}

interface LostTexts {
  lost: readonly LostText[];
  seen: SeenTexts | null;
  /** The flow as it is now. */
  source: string;
}

/** What this user wrote in deleted parts of the flow: the whole text of each field, else the letters. */
export function listWritings(doc: Y.Doc, { lost, seen, source }: LostTexts): LostWriting[] {
  const letters = lost.flatMap(({ client, title, by, text }): OwnLetters[] =>
    isOwnClient(doc, client) ? [{ owner: title, by, text, field: null }] : [],
  );
  const fields = seen ? listFields(seen) : [];
  const shown = fields.length > 0 ? fields : joinByOwner(letters);
  return shown.flatMap(({ owner, by, text, field, unknown }): LostWriting[] => {
    const type = seen?.document.declarations.get(owner)?.type;
    const replacement = type ? null : findEntryLine(field?.type === "set-var" ? readVars(source) : source, owner);
    if (
      text.trim() === "" ||
      (type && isFlowIn(source, text.trim())) ||
      (replacement !== null && hasWordsOf(replacement, text))
    )
      return [];
    const before = seen && type ? { source: seen.document.text, layout: seen.layout, type } : null;
    const isReplaced = replacement !== null;
    const writing = { owner, by: findAuthor(doc, by), isReplaced, field, text: text.trim(), before };
    return [unknown ? { ...writing, unknown } : writing];
  });
}

/** Whether the steps of a text that arranges some are in a flow, in the same order: what they were in was inlined. */
function isFlowIn(source: string, text: string): boolean {
  const [, steps] = /^flow:[ \t]*["']?([^"'\n]*?)["']?$/.exec(text) ?? [];
  return steps !== undefined && /[|>]/.test(steps) && source.includes(steps);
}

/** The lines of the variables: a field of something else may have the name of one. */
const readVars = (source: string): string => /^vars:.*(?:\r?\n(?:[ \t].*)?)*/m.exec(source)?.[0] ?? "";

const findEntryLine = (source: string, key: string): string | null =>
  source.split("\n").find((line) => line.trimStart().startsWith(`${key}:`)) ?? null;

/** Whether all words of a text are in a line, in whichever order: someone arranged them anew. */
function hasWordsOf(line: string, text: string): boolean {
  const words = new Set(line.match(/[\p{L}\p{N}_]+/gu));
  return (text.match(/[\p{L}\p{N}_]+/gu) ?? []).every((word) => words.has(word));
}

/** The texts of the fields, each once; letters that are in no text as they are. */
function listFields({ document, own }: SeenTexts): OwnLetters[] {
  const { findTextAt, readField, textFieldKey } = getEditing();
  const fields = new Map<string, OwnLetters>();
  const letters: OwnLetters[] = [];
  for (const one of own) {
    const { title, by, ...range } = one;
    const text = document.text.slice(range.from, range.to);
    if (text.trim() === "") continue;
    const edit = document.broken ? null : findTextAt(document, range);
    const key = edit && textFieldKey(document, edit);
    const declared = findDeclared(document, range) ?? title;
    if (!edit || key === null) letters.push({ owner: declared, by, text, field: null });
    else if (!fields.has(key)) {
      const isNamed = edit.type === "set-var" || ("name" in edit && document.declarations.has(edit.name));
      const owner = isNamed ? edit.name : title;
      const text = readField(document, edit);
      const { entry, gone } = one;
      const unknown = { entry, base: readBase({ document, own }, edit, entry), text, gone };
      fields.set(key, { owner, by, text, field: edit, unknown });
    }
  }
  return [...fields.values(), ...joinByOwner(letters)];
}

/** The text of a field without what this user wrote in an entry. */
function readBase({ document, own }: Pick<SeenTexts, "document" | "own">, field: Edit, entry: string): string {
  const { readField, readSource } = getEditing();
  const changes = own.flatMap(({ from, to, entry: key }) => (key === entry ? [{ from, to, insert: "" }] : []));
  return readField(readSource(applyChanges(document.text, changes)), field);
}

/** The declaration that a range is in, as this user has named it. */
function findDeclared(document: SourceDocument, { from: start, to: end }: TextRange): string | null {
  const isAround = (name: string): boolean => {
    const range = document.rangeOf(name);
    return range !== null && range.from <= start && end <= range.to;
  };
  return [...document.declarations.keys()].find(isAround) ?? null;
}

function joinByOwner(letters: readonly OwnLetters[]): OwnLetters[] {
  const joined = new Map<string, OwnLetters>();
  for (const one of letters) joined.set(one.owner, { ...one, text: (joined.get(one.owner)?.text ?? "") + one.text });
  return [...joined.values()];
}
