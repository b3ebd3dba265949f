import { expect } from "vitest";
import { type Edit, emptyLayout } from "../../flow/edit";
import { applyChanges } from "../../flow/text-change";
import { applyEdit } from "../apply-edit";
import type { SourceDocument } from "../read/source-document";
import { readSource } from "../read-source";

const latestDocuments = new Map<string, SourceDocument>();

/** What `readSource` reads; each of the latest texts is read once, for a document never changes. */
export function documentOf(text: string): SourceDocument {
  const document = latestDocuments.get(text) ?? readSource(text);
  latestDocuments.delete(text);
  latestDocuments.set(text, document);
  for (const oldest of latestDocuments.keys()) if (latestDocuments.size > 4) latestDocuments.delete(oldest);
  return document;
}

/**
 * The text after the edits, or `code: message` of the first that is refused. What every edit keeps is checked on the
 * way: the text can be read, its line ends are of one kind, and the changes turned round give the old text back.
 */
export function edited(text: string, ...edits: Edit[]): string {
  let current = text;
  for (const edit of edits) {
    const document = documentOf(current);
    const result = applyEdit(document, emptyLayout, edit);
    if (!result.ok) return `${result.problem.code}: ${result.problem.message}`;
    const after = applyChanges(current, result.changes);
    if (!document.broken && edit.type !== "set-flow-text") expect(documentOf(after).broken).toBe(false);
    if (current.includes("\r\n")) expect(after.replaceAll("\r\n", "")).not.toContain("\n");
    expect(undone(current, after, result.changes)).toBe(current);
    current = after;
  }
  return current;
}

/** The text after the changes, with them turned round. */
export function undone(
  before: string,
  after: string,
  changes: readonly { from: number; to: number; insert: string }[],
) {
  let shift = 0;
  const inverse = changes
    .toSorted((a, b) => a.from - b.from)
    .map(({ from, to, insert }) => {
      const start = from + shift;
      shift += insert.length - (to - from);
      return { from: start, to: start + insert.length, insert: before.slice(from, to) };
    });
  return applyChanges(after, inverse);
}

/** Lines of the old text that are not in the new one, and the other way round. */
export function diff(before: string, after: string): { gone: string[]; fresh: string[] } {
  const gone = before.split(/\r?\n/);
  const fresh: string[] = [];
  for (const line of after.split(/\r?\n/)) {
    const at = gone.indexOf(line);
    if (at >= 0) gone.splice(at, 1);
    else fresh.push(line);
  }
  return { gone, fresh };
}

/** The codes of what is wrong with a text. */
export const problemsOf = (text: string): string[] => documentOf(text).problems.map(({ code }) => code);
