import { isMap } from "yaml";
import type { AgentField, Edit, Layout, Scope } from "../../flow/edit";
import type { Json } from "../../flow/flow";
import { keyNames } from "../../flow/node-key";
import type { SourceDocument } from "../read/source-document";
import { graphOf, hasImpliedMembers, type Topology, topologyOf, toTopology } from "../read/topology";
import { readText } from "../yaml/yaml-nodes";
import { changeMapping, isMapping } from "./change-mapping";
import { removeFromOrder, removeMembers, rosterAt, setSwarmField } from "./edit-roster";
import { joinScope, writeScope } from "./edit-topology";
import { EditRefused, type EditTransaction } from "./edit-transaction";
import { EntryEditor } from "./entry-editor";
import { keepWaiting, writeImpliedMembers } from "./implied-members";
import { withoutNames } from "./member-span";
import { assertAfter, assertFreeName, assertNotAliased } from "./preconditions";
import { declare, undeclare } from "./write-declaration";

export function addAgent(transaction: EditTransaction, edit: Extract<Edit, { type: "add-agent" }>): string[] {
  const { name, scope, after } = edit;
  assertAfter(transaction.document, scope, after);
  declareAgent(transaction, edit);
  joinScope(transaction, scope, name, after);
  keepWaiting(transaction);
  return [name];
}

export function declareAgent(
  transaction: EditTransaction,
  { name, model, instructions }: Pick<Extract<Edit, { type: "declare-agent" }>, "name" | "model" | "instructions">,
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
  { scope, names, declarations }: Extract<Edit, { type: "delete-nodes" }>,
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

/** Takes a declaration out unless something else still uses it. */
export function removeDeclaration(transaction: EditTransaction, name: string): void {
  const declaration = transaction.document.declarations.get(name);
  const used = [...transaction.document.topologies].some(
    ([owner, { references }]) => owner !== name && references.some((reference) => reference.name === name),
  );
  if (!declaration || used) return;
  transaction.apply([undeclare(transaction.document, declaration)]);
  if (transaction.document.broken)
    throw new EditRefused(
      "unsupported",
      `Other parts of the file repeat the text of "${name}" through an alias. Write it out there first.`,
    );
}

function dropPins(layout: Layout, removedNames: ReadonlySet<string>): Layout {
  const pins = Object.entries(layout.pins).filter(([key]) => !keyNames(key).some((name) => removedNames.has(name)));
  return pins.length === Object.keys(layout.pins).length ? layout : { ...layout, pins: Object.fromEntries(pins) };
}

export function setAgentField(
  transaction: EditTransaction,
  name: string,
  field: AgentField,
  value: Json | undefined,
): string[] {
  const { document } = transaction;
  const declaration = document.declarations.get(name);
  if (declaration?.type !== "agent") throw new EditRefused("unknown-name", `There is no agent "${name}" any more.`);
  if (declaration.entry) assertNotAliased(declaration.entry);
  const editor = new EntryEditor(document.text);
  const map = isMap(declaration.value) ? declaration.value : null;
  const entry =
    declaration.entries.get(field) ?? (field === "instructions" ? declaration.entries.get("system_prompt") : undefined);
  if (value === undefined) {
    if (map && entry)
      transaction.apply([
        // An agent without any field left is written `name: {}`.
        map.items.length === 1 && declaration.entry
          ? editor.set(declaration.entry, {}, map.flow === true)
          : editor.remove(map, entry),
      ]);
  } else if (map && entry && isMapping(value))
    changeMapping(
      transaction,
      () => {
        const currentDeclaration = transaction.document.declarations.get(name);
        const currentEntry = currentDeclaration?.entries.get(field);
        return currentEntry
          ? { entry: currentEntry, inFlow: isMap(currentDeclaration?.value) && currentDeclaration.value.flow === true }
          : null;
      },
      value,
    );
  else if (map && entry) transaction.apply([editor.set(entry, value, map.flow === true)]);
  else if (map) transaction.apply([editor.add(map, field, value)]);
  else if (declaration.entry)
    transaction.apply([editor.set(declaration.entry, { [field]: value }, inFlowSection(document))]);
  return [name];
}

function inFlowSection(document: SourceDocument): boolean {
  const value = document.sections.get("agents")?.value;
  return isMap(value) && value.flow === true;
}
