import { isAlias, Lexer } from "yaml";
import { commentsOfFlowText } from "../../dsl/keep-layout";
import { applyChanges } from "../../flow/text-change";
import type { TextChange } from "../../flow/text-range";
import { startOfPair } from "../yaml/pair-position";
import { readText, type YamlEntry } from "../yaml/yaml-nodes";
import type { EntryEditor } from "./entry-editor";

/**
 * The changes, and one more that writes the comments of `entries` which the changes would remove above `anchor`: what is
 * noted beside members stays when their list becomes a text, or a text a list.
 */
export function keepComments(
  editor: EntryEditor,
  changes: readonly TextChange[],
  anchor: YamlEntry,
  entries: readonly YamlEntry[],
): TextChange[] {
  const { text } = editor;
  const removed = changes.map(({ from, to }) => text.slice(from, to));
  const candidates = [...removed.flatMap(commentsOfYaml), ...entries.flatMap(commentsOfEntry)];
  if (candidates.length === 0) return [...changes];
  const after = applyChanges(text, changes);
  const count = (whole: string, comment: string): number => whole.split(comment).length;
  const lost = [...new Set(candidates)].filter((comment) => count(after, comment) < count(text, comment));
  if (lost.length === 0) return [...changes];
  const start = startOfPair(anchor.pair, text);
  const lineStart = editor.lineStart(start);
  const isFirst = text.slice(lineStart, start).trim() === "";
  const margin = " ".repeat(isFirst ? start - lineStart : editor.indentAt(start));
  // The line may be removed together with lines above it.
  const removal = changes.find(({ from, to }) => from < lineStart && lineStart <= to);
  const insertAt = removal?.from ?? lineStart;
  const isLineStart = editor.lineStart(insertAt) === insertAt;
  const insert = lost.map((comment) => (isLineStart ? margin + comment + editor.eol : editor.eol + margin + comment));
  return [{ from: insertAt, to: insertAt, insert: insert.join("") }, ...changes];
}

/** The comments inside a text of members. */
function commentsOfEntry({ value, pair }: YamlEntry): string[] {
  const flowText = isAlias(pair.value) ? null : readText(value);
  return flowText === null ? [] : commentsOfFlowText(flowText);
}

/** The comments of a stretch of a file. */
function commentsOfYaml(text: string): string[] {
  if (!text.includes("#")) return [];
  return [...new Lexer().lex(text)].filter((token) => token.startsWith("#")).map((token) => token.trimEnd());
}
