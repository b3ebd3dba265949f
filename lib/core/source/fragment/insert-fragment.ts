import { toGraph } from "../../dsl/series-parallel";
import type { Edit, InsertionPoint, Scope } from "../../flow/edit";
import { type Expression, nameExpression, namesOf, parallelExpression, sourcesOf } from "../../flow/expression";
import { defaultSeparator, type Flow, findDeclaration, type OrderedJson } from "../../flow/flow";
import { findFreeName } from "../../flow/free-name";
import type { Link } from "../../flow/graph";
import { applyChanges } from "../../flow/text-change";
import { containersOf, declaredNames } from "../../kinds/members";
import { listNodeKinds, membersOf } from "../../kinds/registry";
import type { Swarm } from "../../kinds/swarm";
import { rosterOf } from "../../kinds/swarm-roster";
import { addMembers, keepWaiting, rosterAt, writeImpliedMembers } from "../edit/edit-roster";
import { setEntry } from "../edit/edit-settings";
import { writeScope } from "../edit/edit-topology";
import { EditRefused, type EditTransaction } from "../edit/edit-transaction";
import { hasImpliedMembers } from "../edit/implied-members";
import { assertDeclared, assertNotNested } from "../edit/preconditions";
import { renameChanges } from "../edit/rename-declaration";
import { declare, declareLines } from "../edit/write-declaration";
import type { SourceDeclaration, SourceDocument } from "../read/source-document";
import { graphOf, type Topology, topologyOf } from "../read/topology";
import { readSource } from "../read-source";
import { fieldsOf, linesOf, renderLines } from "./fragment-text";
import { placeExpression } from "./place-expression";

type InsertEdit = Extract<Edit, { type: "insert-fragment" }>;

/**
 * Adds the declarations of a fragment under free names, and its flow at a place. A fragment whose members have no order,
 * or join their answers in their own way, comes in as a nested swarm. Nothing that is there already changes.
 */
export function insertFragment(
  transaction: EditTransaction,
  { text, scope, place: insertionPoint }: InsertEdit,
): string[] {
  const fragment = withFreeNames(readFragment(text), transaction.document.flow);
  const { flow } = transaction.document;
  const root = toRoot(fragment, flow, rosterAt(transaction, scope)?.mode);
  const before = topologyOf(flow, scope);
  assertNotMembers(transaction, scope, fragment, root?.expression ?? null);
  writeImpliedMembers(transaction);
  addVars(transaction, fragment.flow);
  addDeclarations(transaction, fragment);
  if (root?.nested) transaction.apply(declare(transaction.document, "swarms", root.nested.name, root.nested.fields));
  const roster = rosterAt(transaction, scope);
  if (root && insertionPoint.type !== "waiting")
    if (roster) joinRoster(transaction, scope, root, insertionPoint);
    else joinFlow(transaction, { scope, place: insertionPoint, before }, root.expression);
  keepWaiting(transaction);
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
  const usedNames = new Set(declaredNames(fragment.flow));
  const renamed = new Map<string, string>();
  const isTaken = (name: string): boolean => findDeclaration(flow, name) !== null || usedNames.has(name);
  for (const name of declaredNames(fragment.flow)) {
    if (!findDeclaration(flow, name)) continue;
    const freeName = findFreeName(name, isTaken);
    usedNames.add(freeName);
    renamed.set(name, freeName);
  }
  if (renamed.size === 0) return fragment;
  return readSource(applyChanges(fragment.text, renameChanges(fragment, renamed)));
}

/** What a fragment puts into the flow: its own flow, or the name of the nested swarm that it becomes. */
interface Root {
  expression: Expression;
  links: readonly Link[];
  nested: { name: string; fields: [string, OrderedJson][] } | null;
}

function toRoot(fragment: SourceDocument, flow: Flow, target: Swarm["mode"] | undefined): Root | null {
  const entry = fragment.sections.get("swarm");
  const { swarm } = fragment.flow;
  if (!entry) return null;
  if (swarm.mode === "workflow" && swarm.separator === defaultSeparator)
    return swarm.flow ? { expression: swarm.flow, links: toGraph(swarm.flow).edges, nested: null } : null;
  if (swarm.mode === "handoff" && target === "handoff") {
    const members = rosterOf(swarm).map((name) => nameExpression(name));
    if (members.length === 0) return null;
    return { expression: parallelExpression(members), links: swarm.edges ?? [], nested: null };
  }
  const isTaken = (name: string): boolean =>
    findDeclaration(flow, name) !== null || findDeclaration(fragment.flow, name) !== null;
  const name = findFreeName(toName(fragment.flow.name), isTaken);
  const members: [string, OrderedJson][] = hasImpliedMembers(fragment) ? [["agents", rosterOf(swarm)]] : [];
  const fields = [...fieldsOf(fragment, { entry, value: entry.value }), ...members];
  return { expression: nameExpression(name), links: [], nested: { name, fields } };
}

/** A flow's name as that of a swarm in it. */
const toName = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "_")
    .replaceAll(/^_+|_+$/g, "")
    .slice(0, 60) || "swarm";

/** Names that the fragment does not declare are those of the flow: they must be there, and not yet in this place. */
function assertNotMembers(
  transaction: EditTransaction,
  scope: Scope,
  fragment: SourceDocument,
  expression: Expression | null,
): void {
  const { flow } = transaction.document;
  const names = expression ? namesIn(expression) : [];
  const used = names.filter((name) => findDeclaration(flow, name) && !fragment.declarations.has(name));
  assertNotNested(flow, scope, used);
  const roster = rosterAt(transaction, scope);
  const members = new Set([...graphOf(topologyOf(flow, scope)).nodes, ...(roster ? rosterOf(roster) : [])]);
  const twice = used.find((name) => members.has(name));
  if (twice !== undefined)
    throw new EditRefused(
      "duplicate-name",
      `"${twice}" is in this part of the flow already, and a name can be there once. Insert it elsewhere, or duplicate it.`,
    );
}

function addVars(transaction: EditTransaction, { vars }: Flow): void {
  const keptNames: string[] = [];
  for (const [name, value] of vars) {
    const existingValue = transaction.document.flow.vars.get(name);
    if (existingValue === undefined) setEntry(transaction, "vars", name, value);
    else if (existingValue !== value) keptNames.push(`"${name}"`);
  }
  if (keptNames.length > 0) transaction.notice = `The value that this flow has for ${keptNames.join(", ")} stays.`;
}

function addDeclarations(transaction: EditTransaction, fragment: SourceDocument): void {
  for (const { type, section } of listNodeKinds()) {
    const declarations = [...fragment.declarations.values()].filter((declaration) => declaration.type === type);
    if (declarations.length === 0) continue;
    const lines = declarations.flatMap((declaration) => writtenLines(fragment, declaration));
    const changes = declareLines(transaction.document, section, lines);
    if (changes) transaction.apply(changes);
    else
      for (const declaration of declarations)
        transaction.apply(declare(transaction.document, section, declaration.name, fieldsOf(fragment, declaration)));
  }
}

/** A declaration as written where its text has more than its values: comments, multi-line texts. */
function writtenLines(fragment: SourceDocument, declaration: SourceDeclaration): string[] {
  const lines = linesOf(fragment, declaration);
  return lines?.some((line) => /(?:^|\s)#|[|>][-+\d]*\s*$/.test(line)) ? lines : renderLines(fragment, declaration);
}

function joinFlow(
  transaction: EditTransaction,
  { scope, place: insertionPoint, before }: { scope: Scope; place: InsertionPoint; before: Topology },
  expression: Expression,
): void {
  const { flow } = transaction.document;
  assertDeclared(flow, namesIn(expression));
  if (before && "draft" in before) {
    transaction.notice =
      "This drawing waits as a draft, so the new part waits beside the flow. Mend the drawing first.";
    return;
  }
  const placement = before ? placeExpression(before.expression, expression, insertionPoint) : { expression };
  if (placement.notice !== undefined) transaction.notice = placement.notice;
  writeScope(transaction, scope, { expression: placement.expression });
}

/** New members of a swarm without an order, linked at the place where they come in. */
function joinRoster(
  transaction: EditTransaction,
  scope: Scope,
  { expression, links }: Root,
  insertionPoint: InsertionPoint,
): void {
  const names = namesIn(expression);
  const [firstName] = sourcesOf(expression);
  const ends = new Set(links.map(([source]) => source));
  const lastName = names.findLast((name) => !ends.has(name)) ?? names.at(-1);
  addMembers(transaction, scope, names, (edges) => {
    if (firstName === undefined || lastName === undefined) return edges;
    if (insertionPoint.type === "after")
      return [...edges, ...insertionPoint.names.slice(-1).map((name): Link => [name, firstName]), ...links];
    if (insertionPoint.type !== "between") return [...edges, ...links];
    const otherEdges = edges.filter(
      ([source, target]) => source !== insertionPoint.from || target !== insertionPoint.to,
    );
    return [...otherEdges, [insertionPoint.from, firstName], ...links, [lastName, insertionPoint.to]];
  });
}

/** What should be selected afterwards: the outermost new parts. */
function selected({ flow }: SourceDocument, root: Root | null): string[] {
  if (root?.nested) return [root.nested.name];
  const heldNames = new Set([...containersOf(flow).values()].flatMap(membersOf));
  const names = root ? namesIn(root.expression) : [];
  return [...new Set([...names, ...declaredNames(flow).filter((name) => !heldNames.has(name))])];
}

const namesIn = (expression: Expression): string[] => namesOf(expression).map(({ name }) => name);
