import { isMap, isScalar, isSeq, type Pair, visit } from "yaml";
import type { Problem } from "../../flow/problem";
import type { Range } from "../../flow/text-range";
import { parseYaml } from "../yaml/parse-yaml";
import { readPlainYaml } from "../yaml/plain-yaml";
import { type Entry, findUnknownAliases, rangeOfNode, type Yaml } from "../yaml/yaml-nodes";
import { Reading } from "./entry-reader";
import type { Found } from "./read-declaration";
import type { Cut } from "./split-chunks";

/** A stretch of a flow file as YAML. It knows nothing of its place in the file, so that it can be kept when it moves. */
export interface Piece {
  text: string;
  document: Yaml;
  /** Of the outermost mapping; keys that are no plain names say nothing. */
  entries: readonly Entry[];
  /** What is wrong with its form: then nothing of it is read. */
  mistakes: readonly Problem[];
  hasAlias: boolean;
  /** What was read from it already, by section and name. */
  found: Map<string, Map<string, Found>>;
}

/** One stretch of a file that was cut. */
export function readPiece({ text, indent, section }: Cut): Piece {
  const document = readYaml(text);
  const { contents } = document;
  const isEntry = isMap(contents) && !contents.flow && contents.range?.[0] === indent;
  const form = isEntry ? [] : [mistake(`Expected ${wanted(section)}, found ${quote(text)}.`, trimmed(text))];
  const errors = findMistakes(document, text);
  return {
    text,
    document,
    entries: isEntry ? entriesOf(contents.items) : [],
    mistakes: errors.length > 0 ? errors : form,
    hasAlias: text.includes("*") && holdsAlias(document),
    found: new Map(),
  };
}

function readYaml(text: string): Yaml {
  const contents = readPlainYaml(text);
  return contents ? { contents, errors: [] } : parseYaml(text);
}

/** A whole file as one piece. */
export function readWhole(text: string): Piece {
  const document = parseYaml(text);
  const { contents } = document;
  const errors = [...findMistakes(document, text), ...findWrongAliases(document)];
  const found = contents !== null && !isMap(contents) && errors.length === 0;
  const reading = new Reading(text, document);
  if (found)
    reading.report(
      "invalid-value",
      "error",
      "A flow file is a mapping with `agents:` and `swarm:`; found something else.",
      rangeOfNode(contents, text),
    );
  return { text, document, entries: [], mistakes: [...errors, ...reading.problems], hasAlias: false, found: new Map() };
}

/** A mistake that YAML finds behind the text, such as a quote that is never closed, is shown on the last line. */
function findMistakes({ errors }: Yaml, text: string): Problem[] {
  const { to: end } = trimmed(text);
  return errors.map(({ message, pos: [from, to] }) => {
    const line = text.slice(0, end).lastIndexOf("\n") + 1;
    const start = from < end ? from : line + text.slice(line, end).search(/\S|$/);
    return mistake(`This is not valid YAML: ${message}`, { from: start, to: Math.max(start, Math.min(to, end)) });
  });
}

const findWrongAliases = (document: Yaml): Problem[] =>
  findUnknownAliases(document).map(({ source, range }) =>
    mistake(`\`*${source}\` stands for nothing. Put \`&${source}\` before the value that it repeats.`, {
      from: range?.[0] ?? 0,
      to: range?.[1] ?? 0,
    }),
  );

const mistake = (message: string, range: Range): Problem => ({
  code: "yaml-syntax",
  severity: "error",
  message,
  range,
});

const wanted = (section: string | null): string =>
  section === null
    ? "a line such as `agents:` or `swarm:`"
    : `\`name:\` of one of the ${section}, indented like its neighbours`;

const quote = (text: string): string => JSON.stringify(text.trim().split(/\r?\n/)[0]?.slice(0, 40) ?? "");

/** What of a text is neither space nor line break at its ends. */
export function trimmed(text: string): Range {
  const from = text.length - text.trimStart().length;
  return { from, to: Math.max(from, text.trimEnd().length) };
}

function holdsAlias(document: Yaml): boolean {
  let found = false;
  visit(document.contents, {
    Alias: () => {
      found = true;
      return visit.BREAK;
    },
  });
  return found;
}

const entriesOf = (pairs: readonly Pair[]): Entry[] =>
  pairs.flatMap((pair): Entry[] => {
    if (!isScalar(pair.key)) return [];
    const value = isScalar(pair.value) || isMap(pair.value) || isSeq(pair.value) ? pair.value : null;
    return [{ key: String(pair.key.value ?? ""), keyNode: pair.key, value, pair }];
  });
