import { type Document, isScalar, visit } from "yaml";
import * as z from "zod/mini";
import { parseJsonAs } from "../../../flow/parse-json";
import { clip } from "../../../flow/text-range";
import { parseYaml } from "../../yaml/parse-yaml";
import { renderKey, renderPair } from "../../yaml/render-yaml";
import { isBlank, rangeOfNode, readEntries, type YamlEntry } from "../../yaml/yaml-nodes";
import { buildFlow } from "./build-flow";
import { importOrbiterYaml, importYaml } from "./import-yaml";
import { Findings, type Imported, keepAsComment } from "./imported";
import { isOrbiterAgent, isOrbiterSwarm, readOrbiterSwarm } from "./orbiter-swarm";

/**
 * JSON with the fields of the flow file. The same reader checks it; what it does not know stays in the text. A swarm that
 * Orbiter wrote is read as such.
 */
export const importJson = (text: string): Imported => readAs("json", text);

/** What `to_dict()` of an agent, or `to_dict()` or `describe()` of a swarm of Orbiter gives, or an Orbiter file as JSON. */
export const importOrbiterJson = (text: string): Imported => readAs("orbiter-json", text);

function readAs(format: "json" | "orbiter-json", text: string): Imported {
  const findings = new Findings(text);
  const json = readJson(text, findings);
  if (!json) return findings.toImported(format, "");
  const { document, value: written } = json;
  const value = isOrbiterAgent(written) ? { mode: "workflow", agents: [written] } : written;
  if (!isOrbiterSwarm(value)) {
    const importText = format === "json" ? importYaml : importOrbiterYaml;
    return withFindings(importText(toYamlText(document)), format, findings);
  }
  const root = readOrbiterSwarm(value, agentNames(document), findings);
  const flow = root && buildFlow({ root, nodes: [root], name: "Imported flow" }, findings);
  return findings.toImported("orbiter-json", flow ? flow + keepAsComment(findings) : "");
}

/** The findings of the intermediate text; its ranges are not those of the imported text. */
const withFindings = (imported: Imported, format: Imported["format"], { problems }: Findings): Imported => ({
  format,
  source: imported.source,
  problems: [...problems, ...imported.problems.map(({ range: _, ...problem }) => problem)],
  quarantined: imported.quarantined.map(({ range: _, ...entry }) => entry),
});

/** The value of a text, and its document, which keeps the order of its keys; null when it is no JSON object. */
function readJson(text: string, findings: Findings): { document: Document; value: object } | null {
  const value = parseWithPosition(text, findings);
  if (value === undefined) return null;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const message = "Expected a JSON object with `agents` and `swarm`; found something else.";
    findings.refuse("invalid-value", message, { from: 0, to: 1 });
    return null;
  }
  const document = parseYaml(text, { lenient: true });
  reportRepeated(document, text, findings);
  // JSON that YAML reads differently (tabs, very long keys) is written anew first.
  if (document.errors.length === 0) return { document, value };
  return { document: parseYaml(JSON.stringify(value, null, 1), { lenient: true }), value };
}

/** Repeated keys: JSON parsers silently take one of them. */
function reportRepeated(document: Document, text: string, findings: Findings): void {
  visit(document, {
    Map(_, map) {
      const usedKeys = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        const message = `The key "${clip(String(key.value))}" occurs twice; the first one counts.`;
        if (usedKeys.has(key.value)) findings.lose("invalid-value", message, rangeOfNode(key, text));
        usedKeys.add(key.value);
      }
    },
  });
}

function parseWithPosition(text: string, findings: Findings): unknown {
  try {
    return parseJsonAs(text, z.unknown());
  } catch (error) {
    const message = error instanceof Error ? error.message : "it cannot be read";
    const offset = Math.min(Number(/position (\d+)/.exec(message)?.[1] ?? 0), text.length - 1);
    findings.refuse("yaml-syntax", `This is not valid JSON: ${message}`, { from: offset, to: offset + 1 });
    return undefined;
  }
}

/** A flow file with the same entries in the same order: sections and declarations on lines of their own. */
function toYamlText(document: Document): string {
  const sections = [...(readEntries(document.contents, document)?.values() ?? [])];
  return `${sections.flatMap((section) => toLines(section, document, 0)).join("\n")}\n`;
}

/** The lines of a section (`depth` 0), declaration or field. */
function toLines(entry: YamlEntry, document: Document, depth: number): string[] {
  const margin = "  ".repeat(depth);
  const hasLines = depth === 0 ? isDeclared(entry.key) : depth === 1;
  const entries = hasLines ? [...(readEntries(entry.value, document)?.values() ?? [])] : [];
  if (entries.length === 0) return [margin + renderEntry(entry, document, margin.length)];
  const lines = entries.flatMap((innerEntry) => toLines(innerEntry, document, depth + 1));
  return [`${margin}${renderKey(entry.key, false)}:`, ...lines];
}

/** Sections whose entries are declarations; `swarm`, `vars` and `limits` are short and are written on lines, too. */
const isDeclared = (key: string): boolean => !["swarm", "vars", "limits", "name", "compat"].includes(key);

const renderEntry = ({ key, value }: YamlEntry, document: Document, indent: number): string =>
  isBlank(value)
    ? `${renderKey(key, false)}:`
    : renderPair(key, value?.toJS(document, { maxAliasCount: 0, mapAsMap: true }), {
        inFlow: false,
        indent,
        eol: "\n",
        block: indent === 0,
      });

function agentNames(document: Document): string[] {
  const agents = readEntries(document.contents, document)?.get("agents");
  return [...(readEntries(agents?.value, document)?.keys() ?? [])];
}
