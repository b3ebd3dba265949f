import { isAlias, isMap, isNode, visit } from "yaml";
import type { OrderedJson } from "../../flow/flow";
import { listConditionFields } from "../../kinds/registry";
import { EntryEditor } from "../edit/entry-editor";
import { sectionOf } from "../edit/write-declaration";
import type { SourceDeclaration, SourceDocument } from "../read/source-document";
import { rangeOfPair } from "../yaml/pair-position";
import { renderPair } from "../yaml/render-yaml";

/**
 * The lines of a declaration as written, with the comment lines directly above, moved to the left margin.
 * Null where they mean something only at their place: in braces or a list, with anchors and aliases.
 */
export function linesOf(document: SourceDocument, declaration: SourceDeclaration): string[] | null {
  const map = sectionOf(document, declaration);
  if (!declaration.entry || !map || map.flow || holdsAlias(declaration)) return null;
  const pairRange = rangeOfPair(declaration.entry.pair, document.text);
  const editor = new EntryEditor(document.text);
  const { from: start } = editor.removeLines(pairRange.from, pairRange.to);
  const margin = pairRange.from - editor.lineStart(pairRange.from);
  const lines = document.text.slice(start, editor.lineEnd(pairRange.to)).split(/\r?\n/);
  return lines.map((line) => line.slice(Math.min(margin, /^ */.exec(line)?.[0].length ?? 0)));
}

/** The lines of a declaration with its values written anew, one field a line. */
export function renderLines(document: SourceDocument, declaration: SourceDeclaration): string[] {
  const fields = Object.fromEntries(fieldsOf(document, declaration));
  return renderPair(declaration.name, fields, {
    inFlow: false,
    indent: 0,
    eol: "\n",
    block: true,
    quotedKeys: listConditionFields(),
  }).split("\n");
}

function holdsAlias({ entry, value }: SourceDeclaration): boolean {
  let hasAlias = isAlias(entry?.pair.value);
  if (isNode(value))
    visit(value, {
      Node: (_, node) => {
        if (!isAlias(node) && node.anchor === undefined) return undefined;
        hasAlias = true;
        return visit.BREAK;
      },
    });
  return hasAlias;
}

/** The fields of a declaration as plain values, aliases resolved; the name of an agent in a list is left out. */
export function fieldsOf(
  { yaml }: SourceDocument,
  { entry, value }: Pick<SourceDeclaration, "entry" | "value">,
): [string, OrderedJson][] {
  if (!isMap(value)) return [];
  const plain: ReadonlyMap<string, OrderedJson> = value.toJS(yaml, { maxAliasCount: -1, mapAsMap: true });
  return Array.from(plain, ([key, field]): [string, OrderedJson] => [String(key), field]).filter(
    ([key]) => entry !== undefined || key !== "name",
  );
}
