import { type Alias, isAlias, isCollection, isMap, isPair, type Node, type Pair, visit } from "yaml";
import type { TextChange, TextRange } from "../../flow/text-range";
import type { SourceDocument } from "../read/source-document";
import { endOfMap } from "../yaml/pair-position";
import { renderValue } from "../yaml/render-yaml";
import { aliasTargets, rangeOfNode, toEntry } from "../yaml/yaml-nodes";
import { EntryEditor } from "./entry-editor";

/**
 * Gives every alias of a text that `changes` touch a text of its own: what an edit changes in one place stays as it was in
 * the others. Null: no alias repeats one of them.
 */
export function detachAliases(document: SourceDocument, changes: readonly TextChange[]): TextChange[] | null {
  const { text, yaml, structure } = document;
  const editor = new EntryEditor(text);
  const isTouched = ({ from, to }: { from: number; to: number }): boolean =>
    changes.some((change) => change.from <= to && from <= change.to);
  const holders = findHolders(document);
  const detached = [...aliasTargets(yaml)].flatMap(([alias, target]): TextChange[] => {
    const targetRange = withComments(editor, target);
    const range = rangeOfNode(alias, text);
    if (!targetRange || !range || !target || !isTouched(targetRange)) return [];
    const value = target.toJS(yaml, { maxAliasCount: -1 });
    const entry = holders.get(alias);
    if (entry) return [editor.set(entry, value, structure.isInFlow(range.from))];
    return [{ ...range, insert: renderValue(value, { inFlow: true, indent: 0, eol: editor.eol }) }];
  });
  return detached.length > 0 ? detached : null;
}

/** Where an anchored node is, with the comments below it: what is added to it comes after them. */
function withComments(editor: EntryEditor, target: Node | null): TextRange | undefined {
  const { text } = editor;
  const range = rangeOfNode(target, text);
  if (!range || !isCollection(target) || target.flow) return range;
  const indent = range.from - editor.lineStart(range.from);
  const end = isMap(target) ? endOfMap(target, text) : range.to;
  return { from: range.from, to: Math.max(range.to, editor.lineEndWithComments(end, indent)) };
}

/** The entries whose values are aliases. */
function findHolders({ yaml }: SourceDocument) {
  const pairs: [Alias, Pair][] = [];
  visit(yaml.contents, {
    Pair: (_, pair) => {
      if (isPair(pair) && isAlias(pair.value)) pairs.push([pair.value, pair]);
    },
  });
  return new Map(
    pairs.flatMap(([alias, pair]) => {
      const entry = toEntry(pair, yaml);
      return entry ? [[alias, entry] as const] : [];
    }),
  );
}
