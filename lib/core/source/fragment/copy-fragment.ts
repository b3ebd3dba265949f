import { namesIn } from "../../condition/condition";
import { parseCondition } from "../../condition/parse";
import { printFlow } from "../../dsl/print";
import type { Scope } from "../../flow/edit";
import { type Expression, nameExpression, namesOf, parallelExpression } from "../../flow/expression";
import { type Declaration, type Flow, findDeclaration, type Json } from "../../flow/flow";
import { Graph } from "../../flow/graph";
import { namePlaces } from "../../flow/template-variables";
import { membersOf } from "../../kinds/registry";
import { withoutNames } from "../edit/member-span";
import { conditionFields } from "../read/check-conditions";
import { declaringKeys, sectionOfKind } from "../read/sections";
import type { SourceDocument } from "../read/source-document";
import { containerOf, topologyOf, toTopology } from "../read/topology";
import { readSource } from "../read-source";
import { renderPair } from "../yaml/render-yaml";
import { fieldsOf, linesOf } from "./fragment-text";

/** Members of one place that are copied. */
export interface Pick {
  scope: Scope;
  names: readonly string[];
}

/** The first line of a part of a flow that was copied. */
export const fragmentMark = "# Part of a Swarmloom flow";

/**
 * A part of a flow as a text of its own: a flow file with the declarations that are picked, whatever they hold, the
 * variables that they use, and a flow that says how the picked ones stand to each other. Declarations stay as they are
 * written, comments included, where that means the same elsewhere. Names that nothing is declared as are left out.
 */
export function copyFragment(document: SourceDocument, picks: readonly Pick[]): string {
  const { flow } = document;
  const names = closure(
    flow,
    picks.flatMap((pick) => pick.names),
  );
  const swarm = toSwarm(flow, picks);
  const write = (asWritten: boolean): string =>
    `${[fragmentMark, ...varLines(flow, names), ...declarationLines(document, names, asWritten), ...swarm].join("\n")}\n`;
  const text = write(true);
  // What was written for its old place only is written anew.
  return isComplete(text, names) ? text : write(false);
}

const isComplete = (text: string, names: ReadonlySet<string>): boolean => {
  const { broken, declarations, problems } = readSource(text);
  const isWhole = !problems.some(({ code }) => code === "yaml-syntax");
  return !broken && isWhole && declarations.size === names.size;
};

/** The declared names, and whatever they hold. */
function closure(flow: Flow, picked: readonly string[]): Set<string> {
  const names = new Set(picked.filter((name) => findDeclaration(flow, name)));
  for (const name of names) {
    const found = findDeclaration(flow, name);
    if (!found || found.type === "agent") continue;
    for (const member of membersOf(found)) if (findDeclaration(flow, member)) names.add(member);
  }
  return names;
}

function declarationLines(document: SourceDocument, names: ReadonlySet<string>, asWritten: boolean): string[] {
  const sites = [...document.declarations.values()].filter(({ name }) => names.has(name));
  return declaringKeys.flatMap((section) => {
    const own = sites.filter(({ type: kind }) => sectionOfKind(kind) === section);
    if (own.length === 0) return [];
    const written = own.flatMap((site) => {
      const lines = asWritten ? linesOf(document, site) : null;
      const fields = Object.fromEntries(fieldsOf(document, site));
      const slot = { inFlow: false, indent: 0, eol: "\n", block: true };
      return lines ?? renderPair(site.name, fields, slot).split("\n");
    });
    return [`${section}:`, ...written.map((line) => (line === "" ? "" : `  ${line}`))];
  });
}

/** The variables that the copied declarations look up. */
function varLines(flow: Flow, names: ReadonlySet<string>): string[] {
  const used = new Set([...names].flatMap((name) => varsOf(flow, name)));
  const found = [...flow.vars].filter(([name]) => used.has(name));
  const lines = found.map(([name, value]) => `  ${renderPair(name, value, { inFlow: false, indent: 2, eol: "\n" })}`);
  return lines.length > 0 ? ["vars:", ...lines] : [];
}

function varsOf(flow: Flow, name: string): string[] {
  const found = findDeclaration(flow, name);
  if (!found) return [];
  const written = Object.values(found.written ?? {});
  if (found.type === "agent" || found.type === "router") written.push(found.instructions);
  return [...written.flatMap(varsInText), ...varsInConditions(found)];
}

const varsInText = (text: string): string[] => namePlaces(text, "vars").map(({ name }) => name);

function varsInConditions(found: Declaration): string[] {
  if (found.type !== "branch" && found.type !== "loop") return [];
  const texts = Object.entries(found).filter(([field]) => conditionFields[found.type].includes(field));
  return texts.flatMap(([, text]) => {
    const { expression } = parseCondition(typeof text === "string" ? text : "");
    return expression ? namesIn(expression).flatMap((one) => (one.scope === "vars" ? [one.name] : [])) : [];
  });
}

/** How the picked members stand to each other. Nothing: they wait beside their flow. */
function toSwarm(flow: Flow, picks: readonly Pick[]): string[] {
  const [first] = picks;
  const handoffs = picks.length === 1 && first ? toHandoffs(flow, first) : null;
  if (handoffs) return ["swarm:", ...pairs(handoffs)];
  const seen = new Set<string>();
  const parts = picks.flatMap((pick): Expression[] => {
    const names = pick.names.filter((name) => !seen.has(name) && findDeclaration(flow, name));
    for (const name of names) seen.add(name);
    const part = extractTopology(flow, pick.scope, new Set(names));
    return part ? [part] : [];
  });
  return parts.length === 0 ? [] : ["swarm:", ...pairs([["flow", printFlow(parallelExpression(parts))]])];
}

const pairs = (fields: readonly [string, Json][]): string[] =>
  fields.map(([key, value]) => `  ${renderPair(key, value, { inFlow: false, indent: 2, eol: "\n" })}`);

/** Members of a handoff swarm that may hand over to each other. */
function toHandoffs(flow: Flow, { scope, names }: Pick): [string, Json][] | null {
  const part = containerOf(flow, scope);
  if (part?.mode !== "handoff") return null;
  const edges = (part.edges ?? []).filter((ends) => ends.every((name) => names.includes(name)));
  if (edges.length === 0) return null;
  return [
    ["type", "handoff"],
    ["agents", names],
    ["edges", edges],
  ];
}

/** The topology of a place withoutNames everybody else; members that wait, or have no order, stand side by side. */
function extractTopology(flow: Flow, scope: Scope, names: ReadonlySet<string>): Expression | null {
  const topology = topologyOf(flow, scope);
  if (names.size === 0) return null;
  if (topology && "expression" in topology) {
    const members = namesOf(topology.expression).map(({ name }) => name);
    return withoutNames(topology.expression, new Set(members.filter((name) => !names.has(name))));
  }
  if (topology) {
    const edges = topology.draft.edges.filter((link) => link.every((name) => names.has(name)));
    const found = toTopology(Graph.of(names, edges)).topology;
    return found && "expression" in found ? found.expression : null;
  }
  return parallelExpression([...names].map((name) => nameExpression(name)));
}
