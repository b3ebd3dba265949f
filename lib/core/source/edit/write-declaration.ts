import { isMap, isSeq, type YAMLMap } from "yaml";
import type { Json } from "../../flow/flow";
import type { TextChange } from "../../flow/text-range";
import { kindOf } from "../../kinds/registry";
import { topSections } from "../read/sections";
import type { SourceDeclaration, SourceDocument } from "../read/source-document";
import { renderPair } from "../yaml/render-yaml";
import { isBlank, rangeOfNode } from "../yaml/yaml-nodes";
import { asMap, EntryEditor } from "./entry-editor";

/** The change that declares `name` with these fields, in the style of its neighbours. */
export function declare(
  document: SourceDocument,
  key: string,
  name: string,
  fields: readonly [string, Json][],
): TextChange {
  const editor = new EntryEditor(document.text);
  const section = document.sections.get(key);
  const value = Object.fromEntries(fields);
  const style = { block: styleOf(document, key) };
  const line = `  ${renderPair(name, value, { inFlow: false, indent: 2, eol: editor.eol, ...style })}`;
  if (!section) return newSection(document, editor, key, toSection(editor, key, line));
  if (isSeq(section.value) && !section.value.flow) return addListItem(editor, section.value, name, fields);
  const map = asMap(section.value);
  if (map && (map.flow || map.items.length > 0)) return editor.add(map, name, value, style);
  const keyEnd = rangeOfNode(section.keyNode, document.text)?.to ?? 0;
  const lineEnd = editor.lineEnd(keyEnd);
  if (map || !isBlank(section.value))
    return {
      from: document.text.indexOf(":", keyEnd) + 1,
      to: rangeOfNode(section.value, document.text)?.to ?? lineEnd,
      insert: `${editor.eol}${line}`,
    };
  return { from: lineEnd, to: lineEnd, insert: `${editor.eol}${line}` };
}

/**
 * The change that adds whole declarations, written from the left margin, to a section. Null where the section is a list,
 * is in braces, or has another type.
 */
export function declareLines(document: SourceDocument, key: string, lines: readonly string[]): TextChange | null {
  const editor = new EntryEditor(document.text);
  const section = document.sections.get(key);
  const indented = (margin: string): string => lines.map((line) => (line === "" ? "" : margin + line)).join(editor.eol);
  if (!section) return newSection(document, editor, key, toSection(editor, key, indented("  ")));
  const map = asMap(section.value);
  if (map ? map.flow || map.items.length === 0 : !isBlank(section.value)) return null;
  const mapStart = map?.range?.[0];
  const margin = " ".repeat(mapStart === undefined ? 2 : mapStart - editor.lineStart(mapStart));
  const insertAt = editor.lineEnd(rangeOfNode(map ?? section.keyNode, document.text)?.to ?? 0);
  return { from: insertAt, to: insertAt, insert: editor.eol + indented(margin) };
}

/** The change that sets the first limit of a run, or the first variable. */
export function declareFirst(document: SourceDocument, key: "limits" | "vars", name: string, value: Json): TextChange {
  const editor = new EntryEditor(document.text);
  const pair = renderPair(name, value, { inFlow: false, indent: 2, eol: editor.eol });
  return newSection(document, editor, key, toSection(editor, key, `  ${pair}`));
}

/** The change that adds the description of the flow, after its name. */
export function declareDescription(document: SourceDocument, text: string): TextChange {
  const editor = new EntryEditor(document.text);
  const pair = renderPair("description", text, { inFlow: false, indent: 0, eol: editor.eol });
  return newSection(document, editor, "description", pair);
}

/** Whether a new declaration is written on lines of its own, as its neighbours are. */
export const styleOf = (document: SourceDocument, key: string): boolean =>
  usesBlocks(document, key) ?? usesBlocks(document, "agents") ?? false;

/** Whether the last declared neighbour is written on lines of its own; nothing where there is none. */
function usesBlocks(document: SourceDocument, key: string): boolean | undefined {
  const value = asMap(document.sections.get(key)?.value ?? null)?.items.at(-1)?.value;
  return isMap(value) ? !value.flow : undefined;
}

function addListItem(
  editor: EntryEditor,
  list: { range?: [number, number, number] | null },
  name: string,
  fields: readonly [string, Json][],
): TextChange {
  const [listStart, listEnd] = list.range ?? [0, 0];
  const indent = listStart - editor.lineStart(listStart);
  const insertAt = editor.lineEnd(listStart + editor.text.slice(listStart, listEnd).trimEnd().length);
  const all: [string, Json][] = [["name", name], ...fields];
  const slot = { inFlow: false, indent: indent + 2, eol: editor.eol };
  const lines = all.map(
    ([key, value], index) => `${" ".repeat(indent)}${index === 0 ? "- " : "  "}${renderPair(key, value, slot)}`,
  );
  return { from: insertAt, to: insertAt, insert: editor.eol + lines.join(editor.eol) };
}

const toSection = ({ eol }: EntryEditor, key: string, line: string): string => `${key}:${eol}${line}`;

/** Inserts a new section before the first one that follows it in the usual order. */
function newSection(document: SourceDocument, editor: EntryEditor, key: string, lines: string): TextChange {
  const { text } = document;
  const laterSections = topSections()
    .slice(topSections().indexOf(key) + 1)
    .flatMap((name) => document.sections.get(name) ?? []);
  const nextStart = laterSections.map((entry) => entry.keyNode.range?.[0] ?? text.length).toSorted((a, b) => a - b)[0];
  const insert = lines + editor.eol;
  if (nextStart !== undefined) {
    const insertAt = beforeComments(editor, nextStart);
    return { from: insertAt, to: insertAt, insert };
  }
  return {
    from: text.length,
    to: text.length,
    insert: (text === "" || text.endsWith("\n") ? "" : editor.eol) + insert,
  };
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
