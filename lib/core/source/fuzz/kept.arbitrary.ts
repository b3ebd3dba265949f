import { parseFlow } from "../../dsl/parse";
import { printFlow } from "../../dsl/print";
import type { Edit, Scope } from "../../flow/edit";
import { type FlowTextKind, namesOf } from "../../flow/expression";
import { type Declaration, type Flow, findDeclaration } from "../../flow/flow";
import { agentKind } from "../../kinds/agent";
import { kindOf, lanesOf, membersOf } from "../../kinds/registry";
import { isUsed } from "../edit/edit-declarations";
import type { SourceDocument } from "../read/source-document";
import { containerOf, graphOf, textKind, topologyOf } from "../read/topology";
import { freshName } from "./flow-edit.arbitrary";
import type { FileComment } from "./yaml-tree.arbitrary";

type Path = readonly string[];

const isUnder = (path: Path, prefix: Path): boolean => prefix.every((key, index) => path[index] === key);

/** Whether an edit may take the comment along: it belongs to something that the edit removes or replaces. */
export function mayTakeAlong(comment: FileComment, edit: Edit, before: SourceDocument, after: SourceDocument): boolean {
  const { path, place } = comment;
  const isOf = (prefix: Path): boolean => isUnder(path, prefix);
  /** In the value of an entry, not beside or above it. */
  const isWithin = (prefix: Path): boolean =>
    isOf(prefix) && (path.length > prefix.length || place === "inside" || place === "end");
  const ofDeclaration = (name: string): boolean => {
    const section = sectionOf(before.flow, name);
    return section !== null && isOf([section, name]);
  };
  switch (edit.type) {
    case "delete-nodes":
      return (
        (edit.declarations && edit.names.some(ofDeclaration)) ||
        edit.names.some((name) => isOfItem(path, scopePath(before.flow, edit.scope), name)) ||
        (isEmptied(after, edit.scope) && isOf(scopePath(before.flow, edit.scope)))
      );
    case "move-member": {
      if (!edit.from) return false;
      const from = scopePath(before.flow, edit.from);
      return isOfItem(path, from, edit.name) || (isEmptied(after, edit.from) && isOf(from));
    }
    case "disconnect":
      return isOf([...scopePath(before.flow, edit.scope), "edges", `${edit.from} ${edit.to}`]);
    case "inline":
    case "unwrap": {
      const names = edit.type === "inline" ? [edit.name] : edit.names;
      return (
        names.some((name) => !findDeclaration(after.flow, name) && isOf([sectionOf(before.flow, name) ?? "", name])) ||
        (place !== "inside" && path.length === 1 && !after.sections.has(path[0] ?? ""))
      );
    }
    case "set-agent-field": {
      const field = ["agents", edit.name, edit.field];
      return edit.value === undefined ? isOf(field) : isWithin(field);
    }
    case "set-control-field": {
      const field = [sectionOf(before.flow, edit.name) ?? "", edit.name, ...edit.path];
      return edit.value === undefined ? isOf(field) : isWithin(field);
    }
    case "set-limit":
    case "set-var": {
      const key = edit.type === "set-limit" ? "limits" : "vars";
      const entry = [key, edit.type === "set-limit" ? edit.field : edit.name];
      return edit.value === undefined ? isOf(after.sections.has(key) ? entry : [key]) : isWithin(entry);
    }
    case "set-flow-description":
      return edit.text === "" ? isOf(["description"]) : isWithin(["description"]);
    case "set-flow-text": {
      const scope = scopePath(before.flow, edit.scope);
      if (edit.text !== "") return false;
      return edit.scope.type === "lane" ? isOf(scope) : isWithin([...scope, "flow"]) || isWithin([...scope, "edges"]);
    }
    case "set-swarm-type": {
      const scope = scopePath(before.flow, edit.scope);
      return isOf([...scope, "edges"]) || isOf([...scope, "order"]);
    }
    case "set-swarm-field":
      return isOf([...scopePath(before.flow, edit.scope), edit.field]);
    case "set-separator":
      return isWithin([...scopePath(before.flow, edit.scope), "separator"]);
    default:
      return false;
  }
}

/** Whether a scope has no members left: its comments were about them. */
function isEmptied(after: SourceDocument, scope: Scope): boolean {
  if (scope.type === "lane") return topologyOf(after.flow, scope) === null;
  return !after.topologies.get(ownerName(scope))?.references.length;
}

const ownerName = (scope: Scope): string | null => (scope.type === "root" ? null : scope.name);

function sectionOf(flow: Flow, name: string): string | null {
  const declaration = findDeclaration(flow, name);
  return declaration && kindOf(declaration).section;
}

function scopePath(flow: Flow, scope: Scope): Path {
  if (scope.type === "root") return ["swarm"];
  const control = flow.controls.get(scope.name);
  const section = sectionOf(flow, scope.name) ?? "";
  return scope.type === "lane" && control
    ? [
        section,
        scope.name,
        ...kindOf(control)
          .lanePath(scope.lane)
          .filter((key) => key !== "flow"),
      ]
    : [section, scope.name];
}

/** Whether a path is that of an item with the name: of a list of members, or of a link. */
function isOfItem(path: Path, scope: Path, name: string): boolean {
  const [list = "", item = ""] = path.slice(scope.length);
  if (!isUnder(path, scope)) return false;
  if (list === "agents" || list === "order") return item === name;
  return list === "edges" && (item.startsWith(`${name} `) || item.endsWith(` ${name}`));
}

/** What an edit was to do and did not, in a sentence; null: it did. */
export function findMissingEffect(edit: Edit, before: SourceDocument, after: SourceDocument): string | null {
  const { flow } = after;
  const declared = (name: string): boolean => findDeclaration(flow, name) !== null;
  const same = (actual: unknown, expected: unknown): string | null =>
    JSON.stringify(actual) === JSON.stringify(expected)
      ? null
      : `expected ${JSON.stringify(expected)}, found ${JSON.stringify(actual)}`;
  switch (edit.type) {
    case "add-agent":
    case "declare-agent":
      return same(flow.agents.get(edit.name)?.model, "demo:new");
    case "add-control":
    case "extract-group":
    case "extract-swarm":
      return declared(freshName) ? null : "nothing was added";
    case "delete-nodes":
      return findUndeleted(edit, before, after);
    case "rename":
      return declared(edit.to) && !declared(edit.from) ? null : "the name is as before";
    case "set-agent-field": {
      const expected = edit.value === undefined ? agentKind.create(edit.name)[edit.field] : edit.value;
      return same(flow.agents.get(edit.name)?.[edit.field], expected);
    }
    case "set-control-field": {
      const control = flow.controls.get(edit.name);
      const [field = "", lane, key] = edit.path;
      const actual =
        control?.type === "router" && lane !== undefined && key === "when"
          ? control.lanes.get(lane)?.when
          : new Map(Object.entries(control ?? {})).get(field);
      const trimmed = (text: unknown): unknown => (typeof text === "string" ? text.trim() : text);
      if (edit.value === undefined && edit.path.length === 1)
        return after.declarations.get(edit.name)?.entries.has(field) ? `${field} is still there` : null;
      return edit.value === undefined ? null : same(trimmed(actual), trimmed(edit.value));
    }
    case "set-limit":
      return same(flow.limits[edit.field], edit.value);
    case "set-var":
      return same(flow.vars.get(edit.name), edit.value);
    case "rename-var":
      return same(flow.vars.get(edit.to), before.flow.vars.get(edit.from));
    case "set-flow-name":
      return same(flow.name, edit.name);
    case "set-flow-description":
      return same(flow.description?.trimEnd(), edit.text.trimEnd() || undefined);
    case "set-separator":
      return edit.scope.type === "lane" ? null : same(containerOf(flow, edit.scope)?.separator, edit.separator);
    case "set-swarm-type":
      return same(containerOf(flow, edit.scope)?.mode, edit.swarm);
    case "connect":
    case "disconnect":
      return findWrongLink(edit, after);
    case "insert-fragment":
      return countDeclarations(flow) > countDeclarations(before.flow) ? null : "nothing was inserted";
    case "wrap-parallel":
    case "wrap-serial":
      return findWrongOrder(edit, after);
    case "inline":
      return listMembers(after, edit.scope).includes(edit.name) ? `"${edit.name}" is not written out` : null;
    case "move-member":
      return listMembers(after, edit.scope).includes(edit.name) ? null : `"${edit.name}" is not in its new place`;
    case "set-swarm-field": {
      const swarm = containerOf(flow, edit.scope);
      return same(swarm?.type === "swarm" ? swarm.max_handoffs : null, edit.value);
    }
    case "set-flow-text":
      return same(printTopology(after, edit.scope), printText(edit.text, textKind(flow, edit.scope)));
    case "wrap-control":
      return findWrongWrap(edit, after);
    default:
      return null;
  }
}

function findWrongWrap(
  { scope, names, name }: Extract<Edit, { type: "wrap-control" }>,
  after: SourceDocument,
): string | null {
  const control = after.flow.controls.get(name);
  const [, lane] = control ? (lanesOf(control)[0] ?? []) : [];
  const moved = lane ? namesOf(lane).map((member) => member.name) : [];
  if (names.length !== moved.length || names.some((member) => !moved.includes(member)))
    return `"${name}" holds ${moved.join(", ")}`;
  const members = listMembers(after, scope);
  const left = names.find((member) => members.includes(member) && scope.type !== "lane");
  return members.includes(name) && left === undefined ? null : `"${name}" is not in the place of ${names.join(", ")}`;
}

const printText = (text: string, as: FlowTextKind): string | null => {
  const { expression } = parseFlow(text, { as });
  return expression && printFlow(expression);
};

function printTopology({ flow }: SourceDocument, scope: Scope): string | null {
  const topology = topologyOf(flow, scope);
  return topology && "expression" in topology ? printFlow(topology.expression) : null;
}

const countDeclarations = ({ agents, groups, swarms, controls }: Flow): number =>
  agents.size + groups.size + swarms.size + controls.size;

function listMembers({ flow }: SourceDocument, scope: Scope): readonly string[] {
  const container = containerOf(flow, scope);
  return container ? membersOf(container) : graphOf(topologyOf(flow, scope)).nodes;
}

function findWrongOrder(
  { type, scope, names: [one = "", other] }: Extract<Edit, { type: "wrap-parallel" | "wrap-serial" }>,
  { flow }: SourceDocument,
): string | null {
  if (other === undefined) return null;
  const { edges } = graphOf(topologyOf(flow, scope));
  const isOrdered = edges.some((ends) => ends.includes(one) && ends.includes(other));
  return isOrdered === (type === "wrap-serial") ? null : `"${one}" and "${other}" are in the order of before`;
}

function findUndeleted(
  edit: Extract<Edit, { type: "delete-nodes" }>,
  before: SourceDocument,
  after: SourceDocument,
): string | null {
  const container = containerOf(after.flow, edit.scope);
  const members = listMembers(after, edit.scope);
  for (const name of edit.names) {
    if (members.includes(name)) return `"${name}" is still a member`;
    if (edit.declarations && findDeclaration(after.flow, name) && !isUsed(after, name))
      return `"${name}" is still declared`;
  }
  const old = containerOf(before.flow, edit.scope);
  if (old?.type !== "swarm" || old.mode !== "handoff" || container?.type !== "swarm" || edit.names.length !== 1)
    return null;
  const edges = container.edges ?? [];
  for (const [source, middle] of old.edges ?? [])
    for (const [from, target] of old.edges ?? [])
      if (middle === edit.names[0] && from === middle && source !== middle && target !== middle && source !== target)
        if (!edges.some(([a, b]) => a === source && b === target)) return `"${source}" no longer leads to "${target}"`;
  return null;
}

function findWrongLink(edit: Extract<Edit, { type: "connect" | "disconnect" }>, after: SourceDocument): string | null {
  const container = containerOf(after.flow, edit.scope);
  if (container?.type === "swarm" && container.mode !== "workflow" && container.mode !== "handoff") return null;
  const edges =
    container?.type === "swarm" && container.edges
      ? container.edges
      : graphOf(topologyOf(after.flow, edit.scope)).edges;
  const isLinked = edges.some(([a, b]) => a === edit.from && b === edit.to);
  return isLinked === (edit.type === "connect") ? null : `the link is ${isLinked ? "still" : "not"} there`;
}

/** Without places, which depend on how a text is written. */
const toText = (value: unknown): string =>
  JSON.stringify(value, (key, part: unknown) => (key === "range" ? undefined : part instanceof Map ? [...part] : part));

/** Declarations and settings by a key, as texts. */
function valuesOf({
  agents,
  groups,
  swarms,
  controls,
  vars,
  limits,
  description = "",
  swarm,
}: Flow): Map<string, string> {
  const declarations = Object.entries({ agents, groups, swarms, controls }).flatMap(([key, collection]) =>
    Array.from<Declaration, [string, string]>(collection.values(), (one) => [`${key} ${one.name}`, toText(one)]),
  );
  return new Map([
    ...declarations,
    ...Array.from(vars, ([name, value]): [string, string] => [`vars ${name}`, toText(value)]),
    ["limits", toText(limits)],
    ["description", description],
    ["swarm", toText({ ...swarm, name: "" })],
  ]);
}

/** What changed or disappeared although the edit does not name it; null: nothing. */
export function findOtherChange(edit: Edit, before: SourceDocument, after: SourceDocument): string | null {
  const [old, now] = [valuesOf(before.flow), valuesOf(after.flow)];
  const named = namedBy(edit, before.flow);
  for (const [key, value] of old) {
    if (named.has(key)) continue;
    const expected = edit.type === "rename" ? renamed(value, edit.from, edit.to) : value;
    const newKey =
      edit.type === "rename" && key.endsWith(` ${edit.from}`) ? key.slice(0, -edit.from.length) + edit.to : key;
    const usesVariable =
      edit.type === "set-var" || edit.type === "rename-var"
        ? value.includes("vars.") ||
          (key.startsWith("vars ") && key.endsWith(edit.type === "set-var" ? edit.name : edit.from))
        : false;
    if (!usesVariable && now.get(newKey) !== expected) return `${key} was ${expected} and is ${now.get(newKey)}`;
  }
  return null;
}

const renamed = (text: string, from: string, to: string): string =>
  text.replaceAll(JSON.stringify(from), JSON.stringify(to));

/** The keys of `valuesOf` that an edit may change. */
function namedBy(edit: Edit, flow: Flow): Set<string> {
  const keyOf = (name: string): string[] => ["agents", "groups", "swarms", "controls"].map((key) => `${key} ${name}`);
  const scopeKey = (scope: Scope): string[] => (scope.type === "root" ? ["swarm"] : keyOf(scope.name));
  const keys = "scope" in edit ? scopeKey(edit.scope) : [];
  if ("from" in edit && edit.type === "move-member" && edit.from) keys.push(...scopeKey(edit.from));
  if (edit.type === "set-agent-field" || edit.type === "set-control-field") keys.push(...keyOf(edit.name));
  if (edit.type === "inline") keys.push(...keyOf(edit.name));
  if (edit.type === "unwrap") keys.push(...edit.names.flatMap((name) => (flow.agents.has(name) ? [] : keyOf(name))));
  if (edit.type === "delete-nodes" && edit.declarations) keys.push(...edit.names.flatMap(keyOf));
  if (edit.type === "set-limit") keys.push("limits");
  if (edit.type === "set-flow-description") keys.push("description");
  // The root swarm may contain all agents, in the order of the file.
  const isImplied =
    flow.swarm.flow?.type === "serial" || flow.swarm.flow?.type === "name" || flow.swarm.agents !== undefined;
  if (edit.type === "delete-nodes" && edit.declarations && isImplied) keys.push("swarm");
  return new Set(keys);
}
