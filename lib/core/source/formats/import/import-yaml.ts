import { isMap, isScalar, type Pair, visit } from "yaml";
import { printFlow } from "../../../dsl/print";
import { type Edit, emptyLayout } from "../../../flow/edit";
import { containsParallel } from "../../../flow/expression";
import type { Flow } from "../../../flow/flow";
import { applyChanges } from "../../../flow/text-change";
import { eolOf, lineStartAt } from "../../../flow/text-range";
import { declaredNames } from "../../../kinds/members";
import { kindOf } from "../../../kinds/registry";
import { applyEdit } from "../../apply-edit";
import type { SourceDocument } from "../../read/source-document";
import { readSource } from "../../read-source";
import { parseYaml } from "../../yaml/parse-yaml";
import { rangeOfNode, readText } from "../../yaml/yaml-nodes";
import type { ImportFormat } from "../format-names";
import { readOrbiterFlow } from "../orbiter-flow";
import { Findings, type Imported } from "./imported";

/** A flow file: its text stays as it is, to the byte. */
export function importYaml(text: string): Imported {
  const findings = new Findings(text);
  const document = readYaml(text, findings, "yaml");
  if (document) warnOfOtherMeaning(document, findings);
  return findings.toImported("yaml", document ? text : "");
}

/** A file without `type` may have been written for Orbiter, where names side by side are an order. */
function warnOfOtherMeaning({ flow, sections, topologies, text }: SourceDocument, findings: Findings): void {
  const root = topologies.get(null);
  const isOpen = flow.swarm.flow !== undefined && containsParallel(flow.swarm.flow) && !sections.has("compat");
  if (!isOpen || !root || root.entries.has("type")) return;
  findings.lose(
    "unsupported",
    "Names side by side, as in (a | b), run at the same time here. In a file for Orbiter they are an order: import such a file as `orbiter-yaml`. For any other, add `type: workflow` to `swarm`.",
    rangeOfNode(root.entries.get("flow")?.value ?? null, text),
  );
}

/**
 * A file for Orbiter's loader: the text stays, but numbers lose their quotes; `compat: orbiter` is added where its meaning would differ (names side by
 * side are an order there, agents hand over by answering a name, and hand their last text on at `max_steps`).
 */
export function importOrbiterYaml(text: string): Imported {
  const findings = new Findings(text);
  const document = readYaml(text, findings, "orbiter-yaml");
  return findings.toImported(
    "orbiter-yaml",
    document ? withCompat(withOrbiterFlow(withNumbers(document)), findings) : "",
  );
}

/** Null: this is no flow file, and `findings` has the reason. */
function readYaml(text: string, findings: Findings, format: ImportFormat): SourceDocument | null {
  const document = readSource(text);
  if (document.broken) {
    const errors = document.problems.filter(({ severity }) => severity === "error");
    for (const problem of errors.slice(0, 20)) findings.problems.push(problem);
    return null;
  }
  if (!["agents", "swarm", "groups", "swarms"].some((key) => document.sections.has(key))) {
    const message =
      "Expected a flow file with `agents:` and `swarm:`; found neither. Check that this is the right text and format.";
    findings.refuse("invalid-value", message, { from: 0, to: Math.min(text.length, 1) });
    return null;
  }
  quarantineUnknown(document, findings, format);
  return document;
}

/**
 * What the reader left alone: it stays at its position in the text. Orbiter ignores keys that it does not know, too, but
 * for the `type` of an agent: a class of its own.
 */
function quarantineUnknown(document: SourceDocument, findings: Findings, format: ImportFormat): void {
  const unknownKeys = new Set(
    document.problems.flatMap(({ code, range }) => (code === "unknown-key" && range ? [range.from] : [])),
  );
  if (unknownKeys.size === 0) return;
  const yamlDocument = parseYaml(document.text, { lenient: true });
  visit(yamlDocument, {
    Pair(_, pair: Pair) {
      const keyStart = isScalar(pair.key) ? pair.key.range?.[0] : undefined;
      const range = keyStart !== undefined && unknownKeys.has(keyStart) ? rangeOfNode(pair, document.text) : undefined;
      if (!range) return;
      const [written = ""] = document.text.slice(range.from).match(/^[^:\n]{0,60}/) ?? [];
      const isClass = format === "orbiter-yaml" && isScalar(pair.key) && pair.key.value === "type";
      const isUsual = isScalar(pair.value) && pair.value.value === "builtin";
      findings.quarantine(`the key ${written}`, range, { effect: isClass && !isUsual ? "lost" : "note" });
    },
  });
}

const quotedNumber = /^(["'])(-?(?:\d+\.?\d*|\.\d+))\1$/;

/** The text with numbers in place of texts that Orbiter reads as numbers: `max_steps: "5"`. */
function withNumbers(document: SourceDocument): SourceDocument {
  const changes = [...document.declarations.values()].flatMap(({ type, entries }) => {
    const { fieldTypes, otherFieldTypes } = kindOf({ type });
    return [...entries].flatMap(([field, { value }]) => {
      if ((fieldTypes[field] ?? otherFieldTypes[field]) !== "number") return [];
      const range = rangeOfNode(value, document.text);
      const number = range && quotedNumber.exec(document.text.slice(range.from, range.to))?.[2];
      return range && number !== undefined ? [{ ...range, insert: number }] : [];
    });
  });
  if (changes.length === 0) return document;
  return readSource(
    applyChanges(
      document.text,
      changes.toSorted((a, b) => a.from - b.from),
    ),
  );
}

/** The text with a flow line that only Orbiter reads (it has no quotes and no comments) written our way. */
function withOrbiterFlow(document: SourceDocument): SourceDocument {
  const { flow, topologies } = document;
  const line = readText(topologies.get(null)?.entries.get("flow")?.value ?? null);
  if (line === null || flow.swarm.mode !== "workflow" || isFullyKnown(document)) return document;
  const expression = readOrbiterFlow(line, new Set(declaredNames(flow)));
  if (!expression) return document;
  const edit: Edit = { type: "set-flow-text", scope: { type: "root" }, text: printFlow(expression) };
  const result = applyEdit(document, emptyLayout, edit);
  return result.ok ? readSource(applyChanges(document.text, result.changes)) : document;
}

const isFullyKnown = ({ problems, flow }: SourceDocument): boolean =>
  flow.swarm.flow !== undefined && !problems.some(({ code }) => code === "unknown-name");

function withCompat(document: SourceDocument, findings: Findings): string {
  const { text, flow, sections } = document;
  if (flow.compat === "orbiter" || sections.has("compat") || !needsCompat(flow)) return text;
  const [firstSection] = sections.values();
  const insertAt = firstSection?.keyNode.range?.[0] ?? 0;
  const { contents } = document.yaml;
  const margin = text.slice(lineStartAt(text, insertAt), insertAt);
  const isInBraces = isMap(contents) && contents.flow === true;
  if (!firstSection || (!isInBraces && margin.trim() !== "")) {
    const message = "Write `compat: orbiter` into this file: without it, its flow means something else here.";
    findings.lose("unsupported", message);
    return text;
  }
  const eol = eolOf(text);
  return `${text.slice(0, insertAt)}compat: orbiter${isInBraces ? ", " : eol + margin}${text.slice(insertAt)}`;
}

/** Whether a flow that was written for Orbiter would mean something else here. */
const needsCompat = ({ swarm, swarms, agents }: Pick<Flow, "swarm" | "swarms" | "agents">): boolean =>
  [...agents.values()].some(({ tools, on_limit }) => tools.length > 0 && on_limit === undefined) ||
  [swarm, ...swarms.values()].some(
    ({ mode: type, flow }) => type !== "workflow" || (flow !== undefined && containsParallel(flow)),
  );
