import { isSeq, type YAMLMap, type YAMLSeq } from "yaml";
import type { Json } from "../../flow/flow";
import type { TextChange } from "../../flow/text-range";
import { kindOf, listConditionFields } from "../../kinds/registry";
import { topSections } from "../read/sections";
import type { SourceDeclaration, SourceDocument } from "../read/source-document";
import { renderPair } from "../yaml/render-yaml";
import { isBlank, rangeOfNode } from "../yaml/yaml-nodes";
import { asMap, EntryEditor } from "./entry-editor";

/** The change that declares `name` with these fields, one a line unless the whole section is in braces. */
export function declare(
  document: SourceDocument,
  key: string,
  name: string,
  fields: readonly [string, Json][],
): TextChange {
  const editor = new EntryEditor(document.text);
  const { eol } = editor;
  const section = document.sections.get(key);
  const value = Object.fromEntries(fields);
  const style = { block: true, quotedKeys: listConditionFields() };
  const lines = renderPair(name, value, { inFlow: false, indent: 0, eol, ...style }).split(eol);
  const change = declareLines(document, key, lines);
  if (change) return change;
  const sectionValue = section?.value ?? null;
  if (isSeq(sectionValue) && !sectionValue.flow) return addListItem(editor, sectionValue, name, fields);
  const map = asMap(sectionValue);
  if (map?.flow) return editor.add(map, name, value, style);
  const keyEnd = rangeOfNode(section?.keyNode, document.text)?.to ?? 0;
  return {
    from: document.text.indexOf(":", keyEnd) + 1,
    to: rangeOfNode(sectionValue, document.text)?.to ?? editor.lineEnd(keyEnd),
    insert: lines.map((line) => `${eol}  ${line}`).join(""),
  };
}

/**
 * The change that adds whole declarations, written from the left margin, to a section. Null where the section is a list,
 * is in braces, or has another type.
 */
export function declareLines(document: SourceDocument, key: string, lines: readonly string[]): TextChange | null {
  const editor = new EntryEditor(document.text);
  const section = document.sections.get(key);
  const indented = (margin: string): string => lines.map((line) => (line === "" ? "" : margin + line)).join(editor.eol);
  if (!section) return newSection(document, key, `${key}:${editor.eol}${indented("  ")}`);
  const map = asMap(section.value);
  if (map ? map.flow || map.items.length === 0 : !isBlank(section.value)) return null;
  const mapStart = map?.range?.[0];
  const margin = " ".repeat(mapStart === undefined ? 2 : mapStart - editor.lineStart(mapStart));
  const insertAt = editor.lineEnd(rangeOfNode(map ?? section.keyNode, document.text)?.to ?? 0);
  return { from: insertAt, to: insertAt, insert: editor.eol + indented(margin) };
}

function addListItem(editor: EntryEditor, list: YAMLSeq, name: string, fields: readonly [string, Json][]): TextChange {
  const listStart = list.range?.[0] ?? 0;
  const indent = listStart - editor.lineStart(listStart) + 2;
  const slot = { inFlow: false, indent, eol: editor.eol, quotedKeys: listConditionFields() };
  const lines = [["name", name] as const, ...fields].map(([key, value]) => renderPair(key, value, slot));
  return editor.addItems(list, [lines.join(editor.eol + " ".repeat(indent))]);
}

/** The change that adds a top-level entry, before the first one that follows it in the usual order. */
export function newSection(document: SourceDocument, key: string, entryText: string): TextChange {
  const { text, sections } = document;
  const editor = new EntryEditor(text);
  const laterSections = topSections().slice(topSections().indexOf(key) + 1);
  const starts = laterSections.flatMap((name) => sections.get(name)?.keyNode.range?.[0] ?? []);
  if (starts.length === 0) return editor.append(entryText);
  const insertAt = beforeComments(editor, Math.min(...starts));
  return { from: insertAt, to: insertAt, insert: entryText + editor.eol };
}

/** The start of the line of `offset`, or of the comment lines directly above it. */
function beforeComments(editor: EntryEditor, offset: number): number {
  let lineStart = editor.lineStart(offset);
  while (lineStart > 0 && editor.text.slice(editor.lineStart(lineStart - 1), lineStart).startsWith("#"))
    lineStart = editor.lineStart(lineStart - 1);
  return lineStart;
}

/** The mapping that contains a declaration; null for an agent of a list. */
export const sectionOf = (document: SourceDocument, { entry, type: kind }: SourceDeclaration): YAMLMap | null =>
  entry ? asMap(document.sections.get(kindOf({ type: kind }).section)?.value ?? null) : null;

/** The change that takes a declaration out. */
export function undeclare(document: SourceDocument, declaration: SourceDeclaration): TextChange {
  const editor = new EntryEditor(document.text);
  if (declaration.entry) return editor.remove(sectionOf(document, declaration), declaration.entry);
  const valueRange = rangeOfNode(declaration.value, document.text) ?? { from: 0, to: 0 };
  return editor.removeLines(valueRange.from, valueRange.to);
}
