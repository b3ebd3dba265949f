import { printFlow } from "../dsl/print";
import { toGraph } from "../dsl/series-parallel";
import type { Scope } from "../flow/edit";
import { nameExpression, namesOf, serialExpression } from "../flow/expression";
import { findDeclaration, type Json, type Swarm } from "../flow/flow";
import { isGroup, rosterOf } from "../flow/members";
import { type Changing, EditRefused } from "./changing";
import { asMap, EntryEditor } from "./entries";
import { renderValue } from "./render";
import { ownerOf, partOf } from "./topology";

/** The handoff, team or orchestrate swarm of a scope; null for anything else. */
export function rosterAt(changing: Changing, scope: Scope): Swarm | null {
  const part = partOf(changing.document.flow, scope);
  return part && !isGroup(part) && part.type !== "workflow" ? part : null;
}

/** A handoff that is drawn; in the other modes members are linked to their lead already. */
export function connectMembers(changing: Changing, swarm: Swarm, { scope, from, to }: Link): string[] {
  for (const name of [from, to])
    if (!findDeclaration(changing.document.flow, name))
      throw new EditRefused("unknown-name", `There is no "${name}" in this flow.`);
  const roster = rosterOf(swarm);
  const missing = [from, to].filter((name) => !roster.includes(name));
  if (swarm.type !== "handoff") {
    if (missing.length === 0)
      throw new EditRefused(
        "duplicate-name",
        `"${roster[0]}" leads and works with everybody here: there is no link to draw.`,
      );
    writeRoster(changing, scope, { agents: [...roster, ...missing] });
    return missing;
  }
  const edges = swarm.edges ?? [];
  if (from === to) throw new EditRefused("cycle", `"${from}" cannot hand over to itself.`);
  if (edges.some(([a, b]) => a === from && b === to))
    throw new EditRefused("duplicate-name", `"${from}" may hand over to "${to}" already.`);
  writeRoster(changing, scope, { agents: [...roster, ...missing], edges: [...edges, [from, to]] });
  return [to];
}

export function disconnectMembers(changing: Changing, swarm: Swarm, { scope, from, to }: Link): string[] {
  const edges = swarm.edges ?? [];
  if (swarm.type !== "handoff")
    throw new EditRefused("unsupported", `"${from}" leads everybody here. Delete "${to}" to take it out of the swarm.`);
  const left = edges.filter(([a, b]) => a !== from || b !== to);
  if (left.length === edges.length) throw new EditRefused("unknown-name", `"${from}" may not hand over to "${to}".`);
  writeRoster(changing, scope, { edges: left });
  return [];
}

interface Link {
  scope: Scope;
  from: string;
  to: string;
}

/** A new member; behind `after` in a handoff swarm that one may hand over to it. */
export function addMember(changing: Changing, scope: Scope, name: string, after: string | undefined): void {
  const swarm = rosterAt(changing, scope);
  if (!swarm) return;
  const agents = [...rosterOf(swarm), name];
  const links =
    swarm.type === "handoff" && after !== undefined ? [...(swarm.edges ?? []), [after, name] as const] : null;
  writeRoster(changing, scope, links ? { agents, edges: links } : { agents });
}

export function removeMembers(changing: Changing, scope: Scope, gone: ReadonlySet<string>): void {
  const swarm = rosterAt(changing, scope);
  if (!swarm) return;
  const agents = rosterOf(swarm).filter((name) => !gone.has(name));
  const edges = swarm.edges?.filter((ends) => !ends.some((name) => gone.has(name)));
  writeRoster(changing, scope, edges ? { agents, edges } : { agents });
}

/** Changes what kind of swarm it is, keeping its members: a workflow's order becomes a list, and the list an order. */
export function setSwarmType(changing: Changing, scope: Scope, type: Swarm["type"]): undefined {
  const part = partOf(changing.document.flow, scope);
  if (!part || isGroup(part) || part.type === type) return;
  setSwarmField(changing, scope, "type", type);
  const wasWorkflow = part.type === "workflow";
  if (type === "workflow") {
    const members = rosterOf(part).map((name) => nameExpression(name));
    writeEntries(changing, scope, {
      agents: undefined,
      edges: undefined,
      flow: members.length > 0 ? printFlow(serialExpression(members)) : undefined,
    });
  } else if (wasWorkflow) {
    const links = part.flow ? toGraph(part.flow).edges : (part.edges ?? []);
    const agents = part.flow
      ? [...new Set([...rosterOf(part), ...namesOf(part.flow).map(({ name }) => name)])]
      : rosterOf(part);
    writeEntries(changing, scope, {
      flow: undefined,
      order: undefined,
      agents,
      edges: type === "handoff" ? links : undefined,
    });
  } else if (type !== "handoff") writeEntries(changing, scope, { edges: undefined });
}

function writeRoster(
  changing: Changing,
  scope: Scope,
  { agents, edges }: { agents?: readonly string[]; edges?: Swarm["edges"] },
): void {
  writeEntries(changing, scope, {
    ...(agents && { flow: undefined, order: undefined, agents }),
    ...(edges && { edges }),
  });
}

/** Sets entries of a swarm one by one; undefined takes one out. */
function writeEntries(changing: Changing, scope: Scope, values: Record<string, Json | undefined>): void {
  for (const [key, value] of Object.entries(values)) setSwarmField(changing, scope, key, value);
}

export function setSwarmField(changing: Changing, scope: Scope, key: string, value: Json | undefined): undefined {
  const { document } = changing;
  const site = document.topologies.get(ownerOf(scope));
  const editor = new EntryEditor(document.text);
  const map = asMap(site?.node ?? null);
  const entry = site?.entries.get(key);
  if (!map) {
    if (value === undefined) return;
    if (scope.type !== "root" || document.sections.has("swarm"))
      throw new EditRefused(
        "unsupported",
        "This swarm has no fields yet. Write its type and members in the text first.",
      );
    const start = document.text === "" || document.text.endsWith("\n") ? "" : editor.eol;
    const rendered = renderValue(value, { inFlow: false, indent: 2, eol: editor.eol });
    const at = document.text.length;
    changing.apply([{ from: at, to: at, insert: `${start}swarm:${editor.eol}  ${key}: ${rendered}${editor.eol}` }]);
  } else if (entry && value === undefined) changing.apply([editor.remove(map, entry)]);
  else if (entry && value !== undefined) changing.apply([editor.set(entry, value, map.flow === true)]);
  else if (value !== undefined) changing.apply([editor.add(map, key, (slot) => renderValue(value, slot))]);
}
