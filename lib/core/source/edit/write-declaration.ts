import { isMap, isNode, isSeq, type YAMLMap, type YAMLSeq } from "yaml";
import type { OrderedJson } from "../../flow/flow";
import type { TextChange } from "../../flow/text-range";
import { kindOf, listConditionFields } from "../../kinds/registry";
import { topSections } from "../read/sections";
import type { SourceDeclaration, SourceDocument } from "../read/source-document";
import { endOfMap, startOfPair } from "../yaml/pair-position";
import { renderPair, renderValue, type Slot } from "../yaml/render-yaml";
import { isBlank } from "../yaml/yaml-nodes";
import { EditRefused } from "./edit-transaction";
import { asMap, EntryEditor } from "./entry-editor";
import { assertNotAliased } from "./preconditions";

/** The changes that declare `name` with these fields, one a line unless the whole section is in braces. */
export function declare(
  document: SourceDocument,
  key: string,
  name: string,
  fields: readonly [string, OrderedJson][],
): TextChange[] {
  const editor = new EntryEditor(document.text);
  const { eol } = editor;
  const section = document.sections.get(key);
  if (section) assertNotAliased(section);
  const value = Object.fromEntries(fields);
  const style = { block: true, quotedKeys: listConditionFields() };
  const lines = renderPair(name, value, { inFlow: false, indent: 0, eol, ...style }).split(eol);
  const changes = declareLines(document, key, lines);
  if (changes) return changes;
  if (!section) return [newSection(document, key, { [name]: value }, style)];
  const { value: written } = section;
  if (isSeq(written) && written.items.length > 0) return [addListItem(editor, written, name, fields)];
  const map = asMap(written);
  if (map && (map.items.length > 0 || isInBraces(document) || isEmptied(map)))
    return [editor.add(map, name, value, style)];
  return editor.insertUnder(
    section,
    lines.map((line) => `  ${line}`),
  );
}

/**
 * The changes that add whole declarations, written from the left margin, to a section. Null where the section is a list or
 * is in braces.
 */
export function declareLines(document: SourceDocument, key: string, lines: readonly string[]): TextChange[] | null {
  const editor = new EntryEditor(document.text);
  const section = document.sections.get(key);
  if (isInBraces(document)) return null;
  const indented = (margin: string): string[] => lines.map((line) => (line === "" ? "" : margin + line));
  if (!section) return [newSectionText(document, key, [`${key}:`, ...indented("  ")])];
  const map = asMap(section.value);
  if (map ? map.flow || map.items.length === 0 : !isBlank(section.value)) return null;
  const mapStart = map?.range?.[0];
  if (!map || mapStart === undefined)
    return editor.insertUnder(section, indented(`  ${" ".repeat(marginOf(document))}`));
  const indent = mapStart - editor.lineStart(mapStart);
  const margin = " ".repeat(indent);
  const insertAt = editor.lineEndWithComments(endOfMap(map, document.text), indent);
  return [{ from: insertAt, to: insertAt, insert: editor.eol + indented(margin).join(editor.eol) }];
}

function addListItem(
  editor: EntryEditor,
  list: YAMLSeq,
  name: string,
  fields: readonly [string, OrderedJson][],
): TextChange {
  const pairs: [string, OrderedJson][] = [["name", name], ...fields];
  if (list.flow)
    return editor.addItems(list, [
      renderValue(Object.fromEntries(pairs), { inFlow: true, indent: 0, eol: editor.eol }),
    ]);
  const listStart = list.range?.[0] ?? 0;
  const indent = listStart - editor.lineStart(listStart) + 2;
  const slot = { inFlow: false, indent, eol: editor.eol, quotedKeys: listConditionFields() };
  const lines = pairs.map(([key, value]) => renderPair(key, value, slot));
  return editor.addItems(list, [lines.join(editor.eol + " ".repeat(indent))]);
}

/** The mapping of a file that is in braces as a whole, such as JSON; null: its sections begin lines. */
export function bracesOf({ yaml: { contents } }: SourceDocument): YAMLMap | null {
  return isMap(contents) && contents.flow ? contents : null;
}

const isInBraces = (document: SourceDocument): boolean => bracesOf(document) !== null;

/**
 * Whether braces are empty with a space between them, as they are where the last entry was taken out: others may still write in
 * them, or undo what they took out. `{}` becomes lines.
 */
const isEmptied = ({ flow, items, range }: YAMLMap): boolean =>
  flow === true && items.length === 0 && range != null && range[1] - range[0] > "{}".length;

/** How far the sections of a file are indented. */
function marginOf({ text, sections }: SourceDocument): number {
  const [first] = sections.values();
  if (!first) return 0;
  const start = startOfPair(first.pair, text);
  return start - new EntryEditor(text).lineStart(start);
}

/** The change that adds a top-level entry, before the first one that follows it in the usual order. */
export function newSection(
  document: SourceDocument,
  key: string,
  value: OrderedJson,
  style: Partial<Slot> = {},
): TextChange {
  const editor = new EntryEditor(document.text);
  const braces = bracesOf(document);
  if (braces) return editor.add(braces, key, value, style);
  const block = { inFlow: false, indent: 0, eol: editor.eol, block: true, ...style };
  return newSectionText(document, key, renderPair(key, value, block).split(editor.eol));
}

function newSectionText(document: SourceDocument, key: string, lines: readonly string[]): TextChange {
  const { text, sections } = document;
  const editor = new EntryEditor(text);
  const margin = " ".repeat(marginOf(document));
  const entryText = lines.map((line) => (line === "" ? "" : margin + line)).join(editor.eol);
  const laterSections = topSections().slice(topSections().indexOf(key) + 1);
  const starts = laterSections.flatMap((name) => sections.get(name)?.keyNode.range?.[0] ?? []);
  if (starts.length === 0) return editor.append(entryText);
  const insertAt = beforeComments(editor, Math.min(...starts));
  return { from: insertAt, to: insertAt, insert: entryText + editor.eol };
}

/** The start of the line of `offset`, or of the comment lines directly above it. */
function beforeComments(editor: EntryEditor, offset: number): number {
  let lineStart = editor.lineStart(offset);
  while (
    lineStart > editor.lineStart(0) &&
    editor.text.slice(editor.lineStart(lineStart - 1), lineStart).startsWith("#")
  )
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
  const section = document.sections.get(kindOf(declaration).section);
  if (section) assertNotAliased(section);
  const list = section?.value;
  const start = declaration.value?.range?.[0];
  const index = isSeq(list) ? list.items.findIndex((item) => isNode(item) && item.range?.[0] === start) : -1;
  if (!section || !isSeq(list) || index < 0)
    throw new EditRefused("unsupported", `"${declaration.name}" repeats another text. Write it out in the text first.`);
  return list.items.length === 1
    ? editor.set(section, [], isInBraces(document))
    : editor.removeItems(list, index, index);
}
