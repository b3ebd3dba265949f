import { type EditOf, foldInLayout, type Layout, type Scope } from "../../flow/edit";
import type { Json } from "../../flow/flow";
import { keyNames, type NodeKey } from "../../flow/node-key";
import { kindOf } from "../../kinds/registry";
import type { SourceDocument } from "../read/source-document";
import { graphOf, type Topology, topologyOf, toTopology } from "../read/topology";
import { readText } from "../yaml/yaml-nodes";
import { changeMapping, isMapping } from "./change-mapping";
import {
  keepWaiting,
  removeFromOrder,
  removeMembers,
  rosterAt,
  setSwarmField,
  writeImpliedMembers,
} from "./edit-roster";
import { joinScope, writeScope } from "./edit-topology";
import { EditRefused, type EditTransaction } from "./edit-transaction";
import { asMap } from "./entry-editor";
import { hasImpliedMembers } from "./implied-members";
import { withoutNames } from "./member-span";
import { assertAfter, assertFreeName, assertNotAliased } from "./preconditions";
import { assertField } from "./set-control-field";
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
  const { name, control, fields, scope, after } = edit;
  assertFreeName(transaction, name);
  assertAfter(transaction.document, scope, after);
  const kind = kindOf({ type: control });
  for (const field of Object.keys(fields)) assertField(field, kind.fields, `A ${control}`);
  transaction.apply([declare(transaction.document, kind.section, name, Object.entries(fields))]);
  joinScope(transaction, edit);
  return [name];
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
  transaction.apply([declare(transaction.document, "agents", name, fields)]);
}

export function deleteNodes(
  transaction: EditTransaction,
  { scope, names, declarations }: EditOf<"delete-nodes">,
): string[] {
  const removedNames = new Set(names);
  // Members that the file implies go with their declarations.
  const isImplied = declarations && scope.type === "root" && hasImpliedMembers(transaction.document);
  removeFromScope(transaction, scope, removedNames, isImplied);
  if (declarations) for (const name of names) removeDeclaration(transaction, name);
  const { flow } = transaction.document;
  if (isImplied && names.some((name) => flow.agents.has(name)))
    removeFromScope(transaction, scope, removedNames, false);
  if (scope.type === "root" && flow.agents.size === 0) removeEmptyFlow(transaction);
  transaction.layout = dropPins(transaction.layout, removedNames);
  return [];
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

/** Takes a declaration out unless something else still uses it. */
export function removeDeclaration(transaction: EditTransaction, name: string): void {
  const declaration = transaction.document.declarations.get(name);
  if (!declaration || isUsed(transaction.document, name)) return;
  transaction.apply([undeclare(transaction.document, declaration)]);
  if (transaction.document.broken)
    throw new EditRefused(
      "unsupported",
      `Other parts of the file repeat the text of "${name}" through an alias. Write it out there first.`,
    );
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
  const { document, editor } = transaction;
  const declaration = document.declarations.get(name);
  if (declaration?.type !== "agent") throw new EditRefused("unknown-name", `There is no agent "${name}" any more.`);
  if (declaration.entry) assertNotAliased(declaration.entry);
  const map = asMap(declaration.value);
  const entry =
    declaration.entries.get(field) ?? (field === "instructions" ? declaration.entries.get("system_prompt") : undefined);
  if (map && entry && declaration.entry && value === undefined && map.items.length === 1)
    // An agent without any field left is written `name: {}`.
    transaction.apply([editor.set(declaration.entry, {}, map.flow === true)]);
  else if (map && entry && isMapping(value)) {
    const find = () => {
      const current = transaction.document.declarations.get(name);
      const currentEntry = current?.entries.get(field);
      return currentEntry ? { entry: currentEntry, inFlow: asMap(current?.value ?? null)?.flow === true } : null;
    };
    changeMapping(transaction, find, value);
  } else if (map && map.items.length > 0) transaction.apply(editor.change(map, { key: field, entry, value }));
  else if (declaration.entry && value !== undefined) {
    const inFlow = asMap(document.sections.get("agents")?.value ?? null)?.flow === true;
    transaction.apply([editor.set(declaration.entry, { [field]: value }, inFlow)]);
  }
  return [name];
}
