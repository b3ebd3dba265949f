import { namesIn } from "../../condition/condition";
import { parseCondition } from "../../condition/parse";
import { printFlow } from "../../dsl/print";
import type { Scope } from "../../flow/edit";
import { type Expression, nameExpression, namesOf, parallelExpression } from "../../flow/expression";
import { type Flow, findDeclaration, type Json } from "../../flow/flow";
import { Graph } from "../../flow/graph";
import { namePlaces } from "../../flow/template-variables";
import { textsOf } from "../../kinds/members";
import { kindOf, listNodeKinds, membersOf } from "../../kinds/registry";
import { withoutNames } from "../edit/member-span";
import type { SourceDocument } from "../read/source-document";
import { containerOf, topologyOf, toTopology } from "../read/topology";
import { readSource } from "../read-source";
import { renderPair } from "../yaml/render-yaml";
import { linesOf, renderLines } from "./fragment-text";

/** Members of a scope that are copied. */
export interface PickedMembers {
  scope: Scope;
  names: readonly string[];
}

/** The first line of a part of a flow that was copied. */
export const fragmentMark = "# Part of a Swarmloom flow";

/**
 * A part of a flow as a text of its own: a flow file with the declarations that are picked, whatever they hold, the
 * variables that they use, and a flow with the topology of the picked ones. Declarations stay as they are
 * written, comments included, where that means the same elsewhere. Names that nothing is declared as are left out.
 */
export function copyFragment(document: SourceDocument, picks: readonly PickedMembers[]): string {
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

function isComplete(text: string, names: ReadonlySet<string>): boolean {
  const { broken, declarations, problems } = readSource(text);
  return !broken && declarations.size === names.size && !problems.some(({ code }) => code === "yaml-syntax");
}

/** The declared names, and whatever they hold. */
function closure(flow: Flow, picked: readonly string[]): Set<string> {
  const names = new Set(picked.filter((name) => findDeclaration(flow, name)));
  for (const name of names) {
    const declaration = findDeclaration(flow, name);
    if (!declaration) continue;
    for (const member of membersOf(declaration)) if (findDeclaration(flow, member)) names.add(member);
  }
  return names;
}

function declarationLines(document: SourceDocument, names: ReadonlySet<string>, asWritten: boolean): string[] {
  const sourceDeclarations = [...document.declarations.values()].filter(({ name }) => names.has(name));
  return listNodeKinds().flatMap(({ type, section }) => {
    const sectionDeclarations = sourceDeclarations.filter((sourceDeclaration) => sourceDeclaration.type === type);
    if (sectionDeclarations.length === 0) return [];
    const written = sectionDeclarations.flatMap(
      (declaration) => (asWritten && linesOf(document, declaration)) || renderLines(document, declaration),
    );
    return [`${section}:`, ...written.map((line) => (line === "" ? "" : `  ${line}`))];
  });
}

/** The variables that the copied declarations look up. */
function varLines(flow: Flow, names: ReadonlySet<string>): string[] {
  const used = new Set([...names].flatMap((name) => varsOf(flow, name)));
  const usedVariables = [...flow.vars].filter(([name]) => used.has(name));
  return usedVariables.length > 0 ? ["vars:", ...pairs(usedVariables)] : [];
}

function varsOf(flow: Flow, name: string): string[] {
  const declaration = findDeclaration(flow, name);
  if (!declaration) return [];
  const written = Object.values(declaration.written ?? {});
  const kind = kindOf(declaration);
  const prompts = textsOf(declaration, kind.promptFields);
  const conditions = textsOf(declaration, kind.conditionFields);
  return [...[...written, ...prompts].flatMap(varsInText), ...conditions.flatMap(varsInCondition)];
}

const varsInText = (text: string): string[] => namePlaces(text, "vars").map(({ name }) => name);

function varsInCondition(text: string): string[] {
  const { expression } = parseCondition(text);
  return expression ? namesIn(expression).flatMap(({ scope, name }) => (scope === "vars" ? [name] : [])) : [];
}

/** The topology of the picked members. Empty: they are outside their flow. */
function toSwarm(flow: Flow, picks: readonly PickedMembers[]): string[] {
  const [firstPick] = picks;
  const handoffs = picks.length === 1 && firstPick ? toHandoffs(flow, firstPick) : null;
  if (handoffs) return ["swarm:", ...pairs(handoffs)];
  const pickedNames = new Set<string>();
  const expressions = picks.flatMap((pick): Expression[] => {
    const names = pick.names.filter((name) => !pickedNames.has(name) && findDeclaration(flow, name));
    for (const name of names) pickedNames.add(name);
    const expression = extractTopology(flow, pick.scope, new Set(names));
    return expression ? [expression] : [];
  });
  return expressions.length === 0 ? [] : ["swarm:", ...pairs([["flow", printFlow(parallelExpression(expressions))]])];
}

const pairs = (fields: readonly [string, Json][]): string[] =>
  fields.map(([key, value]) => `  ${renderPair(key, value, { inFlow: false, indent: 2, eol: "\n" })}`);

/** Members of a handoff swarm that may hand over to each other. */
function toHandoffs(flow: Flow, { scope, names }: PickedMembers): [string, Json][] | null {
  const container = containerOf(flow, scope);
  if (container?.mode !== "handoff") return null;
  const edges = (container.edges ?? []).filter((ends) => ends.every((name) => names.includes(name)));
  if (edges.length === 0) return null;
  return [
    ["type", "handoff"],
    ["agents", names],
    ["edges", edges],
  ];
}

/** The topology of a scope restricted to `names`; members outside the flow, or without an order, become parallel. */
function extractTopology(flow: Flow, scope: Scope, names: ReadonlySet<string>): Expression | null {
  const topology = topologyOf(flow, scope);
  if (names.size === 0) return null;
  if (topology && "expression" in topology) {
    const members = namesOf(topology.expression).map(({ name }) => name);
    return withoutNames(topology.expression, new Set(members.filter((name) => !names.has(name))));
  }
  if (topology) {
    const edges = topology.draft.edges.filter((link) => link.every((name) => names.has(name)));
    const draftTopology = toTopology(Graph.of(names, edges)).topology;
    return draftTopology && "expression" in draftTopology ? draftTopology.expression : null;
  }
  return parallelExpression([...names].map((name) => nameExpression(name)));
}
