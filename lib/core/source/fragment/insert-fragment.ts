import { toGraph } from "../../dsl/series-parallel";
import type { Edit, Place, Scope } from "../../flow/edit";
import { type Expression, nameExpression, namesOf, sourcesOf } from "../../flow/expression";
import { defaultSeparator, type Flow, findDeclaration, type Json } from "../../flow/flow";
import { findFreeName } from "../../flow/free-name";
import type { Link } from "../../flow/graph";
import { applyChanges } from "../../flow/text-change";
import { containersOf, declaredNames } from "../../kinds/members";
import { membersOf } from "../../kinds/registry";
import type { Swarm } from "../../kinds/swarm";
import { rosterOf } from "../../kinds/swarm-roster";
import { addMembers, rosterAt } from "../edit/edit-roster";
import { writeScope } from "../edit/edit-topology";
import { EditRefused, type EditTransaction } from "../edit/edit-transaction";
import { keepWaiting, writeImpliedMembers } from "../edit/implied-members";
import { assertDeclared, assertNotNested } from "../edit/preconditions";
import { renameChanges } from "../edit/rename-declaration";
import { setEntry } from "../edit/set-section-entry";
import { declare, declareLines, styleOf } from "../edit/write-declaration";
import { declaringKeys, sectionOfKind } from "../read/sections";
import type { SourceDeclaration, SourceDocument } from "../read/source-document";
import { graphOf, hasImpliedMembers, type Topology, topologyOf } from "../read/topology";
import { readSource } from "../read-source";
import { renderPair } from "../yaml/render-yaml";
import { fieldsOf, linesOf } from "./fragment-text";
import { placeExpression } from "./place-expression";

type InsertEdit = Extract<Edit, { type: "insert-fragment" }>;

/**
 * Adds the declarations of a fragment under free names, and its flow at a place. A fragment whose members have no order,
 * or join their answers in their own way, comes in as a nested swarm. Nothing that is there already changes.
 */
export function insertFragment(changing: EditTransaction, { text, scope, place }: InsertEdit): string[] {
  const fragment = withFreeNames(readFragment(text), changing.document.flow);
  const { flow } = changing.document;
  const root = toRoot(fragment, flow, rosterAt(changing, scope)?.mode);
  const before = topologyOf(flow, scope);
  assertNotMembers(changing, scope, fragment, root?.expression ?? null);
  writeImpliedMembers(changing);
  addVars(changing, fragment.flow);
  addDeclarations(changing, fragment);
  if (root?.nested) changing.apply([declare(changing.document, "swarms", root.nested.name, root.nested.fields)]);
  const roster = rosterAt(changing, scope);
  if (root && place.type !== "waiting")
    if (roster) joinRoster(changing, scope, root, place);
    else joinFlow(changing, { scope, place, before }, root.expression);
  keepWaiting(changing);
  return selected(fragment, root);
}

function readFragment(text: string): SourceDocument {
  const fragment = readSource(text);
  const mistake = fragment.problems.find(({ code }) => code === "yaml-syntax");
  if (fragment.broken || mistake)
    throw new EditRefused(
      "invalid-value",
      `Expected a part of a flow, found a text that cannot be read: ${(mistake ?? fragment.problems[0])?.message ?? ""} Copy it again.`,
    );
  if (fragment.declarations.size === 0 && !fragment.sections.has("swarm"))
    throw new EditRefused(
      "empty-flow",
      "Expected a part of a flow, found nothing in it. Copy at least one card first.",
    );
  return fragment;
}

/** The fragment with another name for everything that is called like something in `flow`. */
function withFreeNames(fragment: SourceDocument, flow: Flow): SourceDocument {
  const own = new Set(declaredNames(fragment.flow));
  const renamed = new Map<string, string>();
  const given = new Set<string>();
  for (const name of own) {
    if (!findDeclaration(flow, name)) continue;
    const isTaken = (one: string): boolean => findDeclaration(flow, one) !== null || own.has(one) || given.has(one);
    const free = findFreeName(name, isTaken);
    given.add(free);
    renamed.set(name, free);
  }
  if (renamed.size === 0) return fragment;
  return readSource(applyChanges(fragment.text, renameChanges(fragment, renamed)));
}

/** What a fragment puts into the flow: its own flow, or the name of the nested swarm that it becomes. */
interface Root {
  expression: Expression;
  links: readonly Link[];
  nested: { name: string; fields: [string, Json][] } | null;
}

function toRoot(fragment: SourceDocument, flow: Flow, target: Swarm["mode"] | undefined): Root | null {
  const entry = fragment.sections.get("swarm");
  const { swarm } = fragment.flow;
  if (!entry) return null;
  const isOrdered = swarm.mode === "workflow";
  if (isOrdered && swarm.separator === defaultSeparator)
    return swarm.flow ? { expression: swarm.flow, links: linksOf(swarm.flow), nested: null } : null;
  if (swarm.mode === "handoff" && target === "handoff") {
    const [first, ...others] = rosterOf(swarm).map((name) => nameExpression(name));
    if (!first) return null;
    const expression: Expression = { type: "parallel", members: [first, ...others], range: first.range };
    return { expression: others.length === 0 ? first : expression, links: swarm.edges ?? [], nested: null };
  }
  const taken = (name: string): boolean =>
    findDeclaration(flow, name) !== null || findDeclaration(fragment.flow, name) !== null;
  const name = findFreeName(toName(fragment.flow.name), taken);
  const site = { type: "swarm" as const, name, entry, nameNode: entry.keyNode, value: entry.value, entries: new Map() };
  const members: [string, Json][] = hasImpliedMembers(fragment) ? [["agents", rosterOf(swarm)]] : [];
  const fields = [...fieldsOf(fragment, site), ...members];
  return { expression: nameExpression(name), links: [], nested: { name, fields } };
}

const linksOf = (expression: Expression): Link[] => toGraph(expression).edges;

/** A flow's name as that of a swarm in it. */
const toName = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "_")
    .replaceAll(/^_+|_+$/g, "")
    .slice(0, 60) || "swarm";

/** Names that the fragment does not declare are those of the flow: they must be there, and not yet in this place. */
function assertNotMembers(
  changing: EditTransaction,
  scope: Scope,
  fragment: SourceDocument,
  expression: Expression | null,
): void {
  const { flow } = changing.document;
  const names = expression ? namesOf(expression).map(({ name }) => name) : [];
  const used = names.filter((name) => findDeclaration(flow, name) && !fragment.declarations.has(name));
  assertNotNested(flow, scope, used);
  const members = new Set([...graphOf(topologyOf(flow, scope)).nodes, ...rosterNames(changing, scope)]);
  const twice = used.find((name) => members.has(name));
  if (twice !== undefined)
    throw new EditRefused(
      "duplicate-name",
      `"${twice}" stands in this part of the flow already, and a name can stand there once. Insert it elsewhere, or duplicate it.`,
    );
}

const rosterNames = (changing: EditTransaction, scope: Scope): string[] => {
  const swarm = rosterAt(changing, scope);
  return swarm ? rosterOf(swarm) : [];
};

function addVars(changing: EditTransaction, { vars }: Flow): void {
  const kept: string[] = [];
  for (const [name, value] of vars) {
    const found = changing.document.flow.vars.get(name);
    if (found === undefined) setEntry(changing, "vars", name, value);
    else if (found !== value) kept.push(`"${name}"`);
  }
  if (kept.length > 0) changing.notice = `The value that this flow has for ${kept.join(", ")} stays.`;
}

function addDeclarations(changing: EditTransaction, fragment: SourceDocument): void {
  for (const section of declaringKeys) {
    const sites = [...fragment.declarations.values()].filter(({ type: kind }) => sectionOfKind(kind) === section);
    if (sites.length === 0) continue;
    const style = styleOf(changing.document, section);
    const lines = sites.flatMap((site) => writtenLines(fragment, site, style));
    const change = declareLines(changing.document, section, lines);
    if (change) changing.apply([change]);
    else
      for (const site of sites)
        changing.apply([declare(changing.document, section, site.name, fieldsOf(fragment, site))]);
  }
}

/** A declaration as it is written where that says more than its values: comments, texts of several lines. */
function writtenLines(fragment: SourceDocument, site: SourceDeclaration, block: boolean): string[] {
  const lines = linesOf(fragment, site);
  if (lines?.some((line) => /(?:^|\s)#|[|>][-+\d]*\s*$/.test(line))) return lines;
  const slot = { inFlow: false, indent: 0, eol: "\n", block };
  return renderPair(site.name, Object.fromEntries(fieldsOf(fragment, site)), slot).split("\n");
}

function joinFlow(
  changing: EditTransaction,
  { scope, place, before }: { scope: Scope; place: Place; before: Topology },
  part: Expression,
): void {
  const { flow } = changing.document;
  assertDeclared(
    flow,
    namesOf(part).map(({ name }) => name),
  );
  if (before && "draft" in before) {
    changing.notice = "This drawing waits as a draft, so the new part waits beside the flow. Mend the drawing first.";
    return;
  }
  const placed = before ? placeExpression(before.expression, part, place) : { expression: part };
  if (placed.notice !== undefined) changing.notice = placed.notice;
  writeScope(changing, scope, { expression: placed.expression });
}

/** New members of a swarm without an order, linked at the place where they come in. */
function joinRoster(changing: EditTransaction, scope: Scope, { expression, links }: Root, place: Place): void {
  const names = namesOf(expression).map(({ name }) => name);
  const [first] = sourcesOf(expression);
  const ends = new Set(links.map(([from]) => from));
  const last = names.findLast((name) => !ends.has(name)) ?? names.at(-1);
  addMembers(changing, scope, names, (edges) => {
    if (first === undefined || last === undefined) return edges;
    if (place.type === "after")
      return [...edges, ...place.names.slice(-1).map((name): Link => [name, first]), ...links];
    if (place.type !== "between") return [...edges, ...links];
    const others = edges.filter(([from, to]) => from !== place.from || to !== place.to);
    return [...others, [place.from, first], ...links, [last, place.to]];
  });
}

/** What should be selected afterwards: the outermost new parts. */
function selected({ flow }: SourceDocument, root: Root | null): string[] {
  if (root?.nested) return [root.nested.name];
  const held = new Set([...containersOf(flow).values()].flatMap(membersOf));
  const names = root ? namesOf(root.expression).map(({ name }) => name) : [];
  return [...new Set([...names, ...declaredNames(flow).filter((name) => !held.has(name))])];
}
