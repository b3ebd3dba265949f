import type { Edit } from "../../flow/edit";
import { toMinimalChange } from "../../flow/text-change";
import { eolOf, type TextChange } from "../../flow/text-range";
import type { SourceDocument } from "../read/source-document";
import { scalarOffsets } from "../yaml/scalar-offsets";
import { readText } from "../yaml/yaml-nodes";
import type { LiteralLines } from "./literal-lines";
import { readSharedText, type SharedText, textOf } from "./shared-style";
import { findEditedField, findSite, withValue } from "./text-site";

/** The text of a field as several people write it, with what YAML leaves out at its end; null: it has no shared style. */
export function readTextField(document: SourceDocument, edit: Edit): string | null {
  const shared = findSharedText(document, edit);
  return shared && textOf(document, shared);
}

function findSharedText(document: SourceDocument, edit: Edit): SharedText | null {
  const field = findEditedField(document, edit);
  const site = field && findSite(document, field);
  return site && readSharedText(document, site);
}

/** The changes of the letters alone, for an edit of a text in a shared style; null: there is none. */
export function writeTextEdit(
  document: SourceDocument,
  edit: Edit,
  diff: (before: string, after: string) => readonly TextChange[] = toOneChange,
): TextChange[] | null {
  const shared = findSharedText(document, edit);
  const { value = "" } = findEditedField(document, edit) ?? {};
  if (!shared || typeof value !== "string") return null;
  const changes = diff(textOf(document, shared), value);
  if (shared.type === "literal") {
    const { literal } = shared;
    return changes.map((change) => toLineChange(document.text, literal, change));
  }
  const offsets = scalarOffsets(document.text, shared.node);
  return offsets && changes.map((change) => offsets.toChange(change));
}

function toOneChange(before: string, after: string): TextChange[] {
  const change = toMinimalChange(before, after);
  return change ? [change] : [];
}

/** A change of the typed text as one of the file. */
function toLineChange(
  text: string,
  { lines, margin }: LiteralLines,
  { from: start, to: end, insert }: TextChange,
): TextChange {
  const lineBreak = `${eolOf(text)}${" ".repeat(margin)}`;
  const place = (offset: number): number => {
    let rest = offset;
    for (const { from: lineStart, to: lineEnd } of lines) {
      if (rest <= lineEnd - lineStart) return lineStart + rest;
      rest -= lineEnd - lineStart + 1;
    }
    return lines.at(-1)?.to ?? 0;
  };
  return { from: place(start), to: place(end), insert: insert.replaceAll("\n", lineBreak) };
}

/** The same for all edits of one text; null: the edit sets none. */
export function textFieldKey(document: SourceDocument, edit: Edit): string | null {
  const field = findEditedField(document, edit);
  return field && field.type !== "value" ? JSON.stringify(withValue(edit, "")) : null;
}

/** The text of a field in any style, without what makes up the style; empty where there is none. */
const readFieldValue = (document: SourceDocument, edit: Edit): string =>
  readText(findEditedField(document, edit)?.entry?.value ?? null) ?? "";

/** The text of a field as several people write it, else as it is read. */
export const readField = (document: SourceDocument, edit: Edit): string =>
  readTextField(document, edit) ?? readFieldValue(document, edit);

/** Whether a text of several lines is set. */
export const hasSeveralLines = (document: SourceDocument, edit: Edit): boolean =>
  findEditedField(document, edit)?.type === "lines";

/** Texts of one field, one after the other. */
export const joinTexts = (document: SourceDocument, edit: Edit, texts: readonly string[]): string =>
  texts.filter((text) => text !== "").join(hasSeveralLines(document, edit) ? "\n" : " ");
