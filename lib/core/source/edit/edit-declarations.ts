import { cutMembers } from "../../dsl/cut-members";
import { keepLayout } from "../../dsl/keep-layout";
import { printFlow, printName } from "../../dsl/print";
import { type EditOf, foldInLayout, type Layout, movePins, type Scope } from "../../flow/edit";
import { joinExpressions, nameExpression } from "../../flow/expression";
import { type Flow, findDeclaration, type Json } from "../../flow/flow";
import { keyNames, type NodeKey } from "../../flow/node-key";
import { kindOf, lanesOf, membersOf } from "../../kinds/registry";
import type { SourceDocument } from "../read/source-document";
import { graphOf, ownerOf, type Topology, topologyOf, toTopology } from "../read/topology";
import { readText } from "../yaml/yaml-nodes";
import { changeMapping, isMapping } from "./change-mapping";
import { changeText } from "./change-text";
import {
  keepWaiting,
  removeFromOrder,
  removeMembers,
  rosterAt,
  setSwarmField,
  writeImpliedMembers,
} from "./edit-roster";
import { joinScope, putBetween, splitSelection, writeScope } from "./edit-topology";
import { EditRefused, type EditTransaction } from "./edit-transaction";
import { asMap, repeatWhile } from "./entry-editor";
import { hasImpliedMembers } from "./implied-members";
import { findMemberSpan, withoutNames } from "./member-span";
import { assertAfter, assertFreeName, assertNotAliased } from "./preconditions";
import { assertField, writeLane } from "./set-control-field";
import { declare, undeclare } from "./write-declaration";

export function addAgent(transaction: EditTransaction, edit: EditOf<"add-agent">): string[] {
  const { name, scope, after } = edit;
  assertAfter(transaction.document, scope, after);
  declareAgent(transaction, edit);
  joinScope(transaction, edit);
  keepWaiting(transaction);
  return [name];
}

/** Declares a branch, router, loop or approval; it joins the flow as a new agent does. */
export function addControl(transaction: EditTransaction, edit: EditOf<"add-control">): string[] {
  assertAfter(transaction.document, edit.scope, edit.after);
  declareControl(transaction, edit);
  joinScope(transaction, edit);
  return [edit.name];
}

function declareControl(
  transaction: EditTransaction,
  { name, control, fields }: Pick<EditOf<"add-control">, "name" | "control" | "fields">,
): void {
  assertFreeName(transaction, name);
  const kind = kindOf({ type: control });
  for (const field of Object.keys(fields)) assertField(field, kind.fields, `A ${control}`);
  transaction.apply(declare(transaction.document, kind.section, name, Object.entries(fields)));
}

/** Declares a control in the place of members, which become its first lane. */
export function wrapControl(transaction: EditTransaction, edit: EditOf<"wrap-control">): string[] {
  const { scope, name } = edit;
  const names = new Set(edit.names);
  const { tree } = splitSelection(transaction, scope, edit.names);
  if (!tree) throw new EditRefused("not-reached", "These are not in the flow yet. Connect one of them first.");
  const span = findMemberSpan(tree, names);
  if (typeof span === "string") throw new EditRefused("not-series-parallel", span);
  declareControl(transaction, edit);
  const control = transaction.document.flow.controls.get(name);
  const [lane] = control ? (lanesOf(control)[0] ?? []) : [];
  if (lane === undefined) throw new EditRefused("unsupported", `A ${edit.control} has no lane to put members in.`);
  const written = replaceText(transaction, edit);
  const expected = span.replace(nameExpression(name));
  const result = topologyOf(transaction.document.flow, scope);
  if (!result || !("expression" in result) || printFlow(result.expression) !== printFlow(expected))
    writeScope(transaction, scope, { expression: expected });
  const members = printFlow(joinExpressions(span.type, span.units));
  writeLane(transaction, { type: "lane", name, lane }, keepLayout(written, members, "flow"));
  transaction.layout = movePins(transaction.layout, (key) => putBetween(key, ownerOf(scope), name, names));
  return [name];
}

/** Writes a name in the place of members where one part of the text is only theirs. Returns that part, else nothing. */
function replaceText(transaction: EditTransaction, { scope, names, name }: EditOf<"wrap-control">): string {
  const { document } = transaction;
  const entry = document.topologies.get(ownerOf(scope))?.texts.get(scope.type === "lane" ? scope.lane : "flow");
  const cut = entry && cutMembers(readText(entry.value) ?? "", new Set(names));
  if (!cut) return "";
  transaction.apply(changeText(document, entry, [{ ...cut.range, insert: printName(name) }]));
  return cut.text;
}

export function declareAgent(
  transaction: EditTransaction,
  { name, model, instructions }: Omit<EditOf<"declare-agent">, "type">,
): undefined {
  assertFreeName(transaction, name);
  writeImpliedMembers(transaction);
  const fields: [string, Json][] = [];
  if (model !== undefined) fields.push(["model", model]);
  if (instructions) fields.push(["instructions", instructions]);
  transaction.apply(declare(transaction.document, "agents", name, fields));
}

export function deleteNodes(
  transaction: EditTransaction,
  { scope, names, declarations }: EditOf<"delete-nodes">,
): string[] {
  const removedNames = new Set(names);
  const before = transaction.document.flow;
  // Members that the file implies go with their declarations.
  const isImplied = declarations && scope.type === "root" && hasImpliedMembers(transaction.document);
  removeFromScope(transaction, scope, removedNames, isImplied);
  if (declarations) removeDeclarations(transaction, names);
  const { flow } = transaction.document;
  if (isImplied && names.some((name) => flow.agents.has(name)))
    removeFromScope(transaction, scope, removedNames, false);
  if (scope.type === "root" && flow.agents.size === 0) removeEmptyFlow(transaction);
  transaction.layout = dropPins(transaction.layout, removedNames);
  transaction.notice ??= describeEmptied(before, transaction.document.flow, ownerOf(scope));
  return [];
}

/** A sentence about a group, swarm or control that stays without the last of its members. */
function describeEmptied(before: Flow, after: Flow, owner: string | null): string | undefined {
  const [old, left] = [before, after].map((flow) => (owner === null ? null : findDeclaration(flow, owner)));
  if (!old || !left || membersOf(old).length === 0 || membersOf(left).length > 0) return undefined;
  return `${kindOf(left).title(left.name)} has no members left. Add one, or delete it too.`;
}

/** A name that another one of them contains is free once that one is gone. */
function removeDeclarations(transaction: EditTransaction, names: readonly string[]): void {
  let pending = names;
  for (let left = names.length + 1; pending.length > 0 && pending.length < left; ) {
    left = pending.length;
    for (const name of pending) removeDeclaration(transaction, name);
    pending = pending.filter((name) => transaction.document.declarations.has(name));
  }
}

function removeFromScope(
  transaction: EditTransaction,
  scope: Scope,
  removedNames: ReadonlySet<string>,
  isImplied: boolean,
): void {
  removeFromOrder(transaction, scope, removedNames);
  const topology = topologyOf(transaction.document.flow, scope);
  if (rosterAt(transaction, scope)) removeMembers(transaction, scope, removedNames, isImplied);
  else if (topology && !isImplied && [...removedNames].some((name) => graphOf(topology).has(name)))
    writeScope(transaction, scope, removeFromTopology(topology, removedNames));
}

/** A flow without agents and members is written as a new one is. */
function removeEmptyFlow(transaction: EditTransaction): void {
  const entry = transaction.document.topologies.get(null)?.entries.get("flow");
  if (entry && readText(entry.value) === "") setSwarmField(transaction, { type: "root" }, "flow", undefined);
}

export function removeFromTopology(topology: Exclude<Topology, null>, removedNames: ReadonlySet<string>): Topology {
  if ("expression" in topology) {
    const remaining = withoutNames(topology.expression, removedNames);
    return remaining && { expression: remaining };
  }
  for (const name of removedNames) {
    if (!topology.draft.has(name)) continue;
    for (const predecessor of topology.draft.predecessors(name))
      for (const successor of topology.draft.successors(name)) topology.draft.addEdge(predecessor, successor);
    topology.draft.removeNode(name);
  }
  return toTopology(topology.draft).topology;
}

/** Whether a topology of something else contains the name. */
export const isUsed = ({ topologies }: SourceDocument, name: string): boolean =>
  [...topologies].some(
    ([owner, { references }]) => owner !== name && references.some((reference) => reference.name === name),
  );

/**
 * Takes a declaration out unless something else still uses it. A second one with its name, which did not count, is taken
 * out too: it would come to life.
 */
export function removeDeclaration(transaction: EditTransaction, name: string): void {
  let count = 0;
  repeatWhile(() => {
    const declaration = transaction.document.declarations.get(name);
    if (!declaration || isUsed(transaction.document, name)) return false;
    transaction.apply([undeclare(transaction.document, declaration)]);
    if (transaction.document.broken)
      throw new EditRefused(
        "unsupported",
        `Other parts of the file repeat the text of "${name}" through an alias. Write it out there first.`,
      );
    count++;
    return true;
  });
  if (count > 1) transaction.notice = `The file declared "${name}" ${count} times; all of them are deleted.`;
}

function dropPins(layout: Layout, removedNames: ReadonlySet<string>): Layout {
  const isRemoved = (key: NodeKey): boolean => keyNames(key).some((name) => removedNames.has(name));
  const pins = Object.entries(layout.pins).filter(([key]) => !isRemoved(key));
  const folds = layout.folded?.filter(isRemoved) ?? [];
  const unfolded = folds.length === 0 ? layout : foldInLayout(layout, folds, false);
  return pins.length === Object.keys(layout.pins).length ? unfolded : { ...unfolded, pins: Object.fromEntries(pins) };
}

/** A text of several lines is no text for a declaration in braces: it gets one key a line first. */
function makeRoomForLines(transaction: EditTransaction, name: string): void {
  const { entry } = transaction.document.declarations.get(name) ?? {};
  const inFlow = asMap(transaction.document.sections.get("agents")?.value ?? null)?.flow === true;
  const change = entry && !inFlow ? transaction.editor.unfold(entry) : null;
  if (change) transaction.apply([change]);
}

export function setAgentField(
  transaction: EditTransaction,
  { name, field, value }: EditOf<"set-agent-field">,
): string[] {
  if (typeof value === "string" && value.includes("\n")) makeRoomForLines(transaction, name);
  if (value === undefined) repeatWhile(() => removeField(transaction, name, field));
  else writeField(transaction, { name, field, value });
  return [name];
}

/** An agent and the entry of one of its fields. */
function findField({ document }: EditTransaction, name: string, field: string) {
  const declaration = document.declarations.get(name);
  if (declaration?.type !== "agent") throw new EditRefused("unknown-name", `There is no agent "${name}" any more.`);
  if (declaration.entry) assertNotAliased(declaration.entry);
  const inFlow = declaration.entry
    ? document.structure.isInFlow(declaration.entry.keyNode.range?.[0] ?? 0)
    : asMap(declaration.value)?.flow === true;
  const entry =
    declaration.entries.get(field) ?? (field === "instructions" ? declaration.entries.get("system_prompt") : undefined);
  return { declaration, map: asMap(declaration.value), entry, inFlow };
}

/** False: there is no such field. One further down with the same key did not count, and is removed next. */
function removeField(transaction: EditTransaction, name: string, field: string): boolean {
  const { editor } = transaction;
  const { declaration, map, entry, inFlow } = findField(transaction, name, field);
  if (!map || !entry) return false;
  // An agent without any field left is written `name: {}`.
  const holder = map.items.length === 1 ? declaration.entry : undefined;
  transaction.apply([holder ? editor.set(holder, {}, inFlow) : editor.remove(map, entry)]);
  return holder === undefined;
}

function writeField(
  transaction: EditTransaction,
  { name, field, value }: { name: string; field: string; value: Json },
): void {
  const { editor } = transaction;
  const { declaration, map, entry, inFlow } = findField(transaction, name, field);
  if (map && entry && isMapping(value)) {
    const find = () => {
      const current = transaction.document.declarations.get(name);
      const currentEntry = current?.entries.get(field);
      return currentEntry ? { entry: currentEntry, inFlow: asMap(current?.value ?? null)?.flow === true } : null;
    };
    changeMapping(transaction, find, value);
  } else if (map && map.items.length > 0) transaction.apply(editor.change(map, { key: field, entry, value }));
  else if (declaration.entry) transaction.apply([editor.set(declaration.entry, { [field]: value }, inFlow)]);
}
