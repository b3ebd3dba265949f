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

export function addAgent(changing: EditTransaction, edit: Extract<Edit, { type: "add-agent" }>): string[] {
  const { name, scope, after } = edit;
  assertAfter(changing.document, scope, after);
  declareAgent(changing, edit);
  joinScope(changing, scope, name, after);
  keepWaiting(changing);
  return [name];
}

export function declareAgent(
  changing: EditTransaction,
  { name, model, instructions }: Pick<Extract<Edit, { type: "declare-agent" }>, "name" | "model" | "instructions">,
): undefined {
  assertFreeName(changing, name);
  writeImpliedMembers(changing);
  const fields: [string, Json][] = [];
  if (model !== undefined) fields.push(["model", model]);
  if (instructions) fields.push(["instructions", instructions]);
  changing.apply([declare(changing.document, "agents", name, fields)]);
}

export function deleteNodes(
  changing: EditTransaction,
  { scope, names, declarations }: Extract<Edit, { type: "delete-nodes" }>,
): string[] {
  const gone = new Set(names);
  // Members that the file implies go with their declarations.
  const isImplied = declarations && scope.type === "root" && hasImpliedMembers(changing.document);
  removeFromScope(changing, scope, gone, isImplied);
  if (declarations) for (const name of names) removeDeclaration(changing, name);
  const { flow } = changing.document;
  if (isImplied && names.some((name) => flow.agents.has(name))) removeFromScope(changing, scope, gone, false);
  if (scope.type === "root" && flow.agents.size === 0) removeEmptyFlow(changing);
  changing.layout = dropPins(changing.layout, gone);
  return [];
}

function removeFromScope(changing: EditTransaction, scope: Scope, gone: ReadonlySet<string>, isImplied: boolean): void {
  removeFromOrder(changing, scope, gone);
  const topology = topologyOf(changing.document.flow, scope);
  if (rosterAt(changing, scope)) removeMembers(changing, scope, gone, isImplied);
  else if (topology && !isImplied && [...gone].some((name) => graphOf(topology).has(name)))
    writeScope(changing, scope, removeFromTopology(topology, gone));
}

/** A flow without agents and members is written as a new one is. */
function removeEmptyFlow(changing: EditTransaction): void {
  const entry = changing.document.topologies.get(null)?.entries.get("flow");
  if (entry && readText(entry.value) === "") setSwarmField(changing, { type: "root" }, "flow", undefined);
}

export function removeFromTopology(topology: Exclude<Topology, null>, gone: ReadonlySet<string>): Topology {
  if ("expression" in topology) {
    const left = withoutNames(topology.expression, gone);
    return left && { expression: left };
  }
  for (const name of gone) {
    if (!topology.draft.has(name)) continue;
    for (const from of topology.draft.predecessors(name))
      for (const to of topology.draft.successors(name)) topology.draft.addEdge(from, to);
    topology.draft.removeNode(name);
  }
  return toTopology(topology.draft).topology;
}

/** Takes a declaration out unless something else still uses it. */
export function removeDeclaration(changing: EditTransaction, name: string): void {
  const site = changing.document.declarations.get(name);
  const used = [...changing.document.topologies].some(
    ([owner, { references }]) => owner !== name && references.some((one) => one.name === name),
  );
  if (!site || used) return;
  changing.apply([undeclare(changing.document, site)]);
  if (changing.document.broken)
    throw new EditRefused(
      "unsupported",
      `Other parts of the file repeat the text of "${name}" through an alias. Write it out there first.`,
    );
}

function dropPins(layout: Layout, gone: ReadonlySet<string>): Layout {
  const pins = Object.entries(layout.pins).filter(([key]) => !keyNames(key).some((name) => gone.has(name)));
  return pins.length === Object.keys(layout.pins).length ? layout : { ...layout, pins: Object.fromEntries(pins) };
}

export function setAgentField(
  changing: EditTransaction,
  name: string,
  field: AgentField,
  value: Json | undefined,
): string[] {
  const { document } = changing;
  const site = document.declarations.get(name);
  if (site?.type !== "agent") throw new EditRefused("unknown-name", `There is no agent "${name}" any more.`);
  if (site.entry) assertNotAliased(site.entry);
  const editor = new EntryEditor(document.text);
  const map = isMap(site.value) ? site.value : null;
  const entry = site.entries.get(field) ?? (field === "instructions" ? site.entries.get("system_prompt") : undefined);
  if (value === undefined) {
    if (map && entry)
      changing.apply([
        // An agent without any field left is written `name: {}`.
        map.items.length === 1 && site.entry
          ? editor.set(site.entry, {}, map.flow === true)
          : editor.remove(map, entry),
      ]);
  } else if (map && entry && isMapping(value))
    changeMapping(
      changing,
      () => {
        const now = changing.document.declarations.get(name);
        const found = now?.entries.get(field);
        return found ? { entry: found, inFlow: isMap(now?.value) && now.value.flow === true } : null;
      },
      value,
    );
  else if (map && entry) changing.apply([editor.set(entry, value, map.flow === true)]);
  else if (map) changing.apply([editor.add(map, field, value)]);
  else if (site.entry) changing.apply([editor.set(site.entry, { [field]: value }, inFlowSection(document))]);
  return [name];
}

function inFlowSection(document: SourceDocument): boolean {
  const value = document.sections.get("agents")?.value;
  return isMap(value) && value.flow === true;
}
