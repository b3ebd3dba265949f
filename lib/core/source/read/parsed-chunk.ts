import { isMap } from "yaml";
import type { Problem } from "../../flow/problem";
import type { TextRange } from "../../flow/text-range";
import { parseYaml } from "../yaml/parse-yaml";
import { readPlainYaml } from "../yaml/plain-yaml";
import {
  aliasTargets,
  findUnknownAliases,
  rangeOfNode,
  toEntry,
  type YamlContents,
  type YamlEntry,
} from "../yaml/yaml-nodes";
import type { DeclarationResult } from "./read-declaration";
import type { SourceChunk } from "./split-chunks";

/** A stretch of a flow file as YAML. Its ranges do not depend on its offset in the file, so it can be reused when it moves. */
export interface ParsedChunk {
  text: string;
  document: YamlContents;
  /** Of the outermost mapping; keys that are not scalars are ignored. */
  entries: readonly YamlEntry[];
  /** What is wrong with its form: then nothing of it is read. */
  syntaxErrors: readonly Problem[];
  hasAlias: boolean;
  /** What was read from it already, by section and name. */
  declarations: Map<string, Map<string, DeclarationResult>>;
}

/** Parses one chunk of a file. */
export function parseChunk({ text, indent, section }: SourceChunk): ParsedChunk {
  const document = parseChunkYaml(text);
  const { contents } = document;
  const isEntry = isMap(contents) && !contents.flow && contents.range?.[0] === indent;
  const form = isEntry
    ? []
    : [toSyntaxError(`Expected ${describeExpected(section)}, found ${quoteFirstLine(text)}.`, trimmedRange(text))];
  const errors = findSyntaxErrors(document, text);
  return {
    text,
    document,
    entries: isEntry ? contents.items.flatMap((pair) => toEntry(pair, document) ?? []) : [],
    syntaxErrors: errors.length > 0 ? errors : form,
    hasAlias: text.includes("*") && aliasTargets(document).size > 0,
    declarations: new Map(),
  };
}

function parseChunkYaml(text: string): YamlContents {
  const contents = readPlainYaml(text);
  return contents ? { contents, errors: [] } : parseYaml(text);
}

/** Parses a whole file as one chunk. */
export function parseWholeFile(text: string): ParsedChunk {
  const document = parseYaml(text);
  const { contents } = document;
  const errors = [...findSyntaxErrors(document, text), ...findUnknownAliasErrors(document)];
  if (contents !== null && !isMap(contents) && errors.length === 0) {
    const message = "A flow file is a mapping with `agents:` and `swarm:`; found something else.";
    errors.push({
      ...toSyntaxError(message, rangeOfNode(contents, text) ?? trimmedRange(text)),
      code: "invalid-value",
    });
  }
  return { text, document, entries: [], syntaxErrors: errors, hasAlias: false, declarations: new Map() };
}

/** A syntax error after the end of the text, such as an unclosed quote, is reported on the last line. */
function findSyntaxErrors({ errors }: YamlContents, text: string): Problem[] {
  const { to: end } = trimmedRange(text);
  return errors.map(({ message, pos: [errorStart, errorEnd] }) => {
    const line = text.slice(0, end).lastIndexOf("\n") + 1;
    const start = errorStart < end ? errorStart : line + text.slice(line, end).search(/\S|$/);
    return toSyntaxError(`This is not valid YAML: ${message}`, {
      from: start,
      to: Math.max(start, Math.min(errorEnd, end)),
    });
  });
}

const findUnknownAliasErrors = (document: YamlContents): Problem[] =>
  findUnknownAliases(document).map(({ source, range }) =>
    toSyntaxError(`\`*${source}\` has no anchor. Put \`&${source}\` before the value that it repeats.`, {
      from: range?.[0] ?? 0,
      to: range?.[1] ?? 0,
    }),
  );

const toSyntaxError = (message: string, range: TextRange): Problem => ({
  code: "yaml-syntax",
  severity: "error",
  message,
  range,
});

const describeExpected = (section: string | null): string =>
  section === null
    ? "a line such as `agents:` or `swarm:`"
    : `\`name:\` of one of the ${section}, indented like its neighbours`;

const quoteFirstLine = (text: string): string => JSON.stringify(text.trim().split(/\r?\n/)[0]?.slice(0, 40) ?? "");

/** What of a text is neither space nor line break at its ends. */
export function trimmedRange(text: string): TextRange {
  const start = text.length - text.trimStart().length;
  return { from: start, to: Math.max(start, text.trimEnd().length) };
}
