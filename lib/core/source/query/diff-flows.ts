import {
  type Declaration,
  type Flow,
  findDeclaration,
  type Json,
  type JsonObject,
  type OrderedJson,
} from "../../flow/flow";
import { groupBy } from "../../flow/group-by";
import { isJsonObject } from "../../flow/parse-json";
import { declaredNames } from "../../kinds/members";
import { fieldsOf } from "../write-source";

/** A field with its text in both flows; null: it is not set there. */
export interface FieldChange {
  /** Its path in the file, joined by dots, e.g. `lanes.billing.when`. */
  field: string;
  before: string | null;
  after: string | null;
}

/** How a declared node differs. `fields`: of an added or removed node all that are set, of a renamed one none. */
export type NodeChange = { name: string; kind: string; fields: readonly FieldChange[] } & (
  | { type: "added" | "removed" | "changed" }
  | { type: "renamed"; oldName: string }
);
export type NodeChangeType = NodeChange["type"];

export interface FlowDiff {
  /** Of the flow itself: its name, variables, limits and root swarm. */
  flow: readonly FieldChange[];
  /** In the order of the newer flow; removed nodes at the end. */
  nodes: readonly NodeChange[];
}

/**
 * What the flow `after` says otherwise than `before`. Empty for the same flow; positions, notes, comments and formatting
 * are no part of it. A removed and an added node whose fields are the same are one renamed node.
 */
export function diffFlows(before: Flow, after: Flow): FlowDiff {
  const [oldNames, newNames] = [declaredNames(before), declaredNames(after)];
  const [known, still] = [new Set(oldNames), new Set(newNames)];
  const removed = toNodes(before, oldNames).filter(({ name }) => !still.has(name));
  const renames = pairByContent(
    removed,
    toNodes(after, newNames).filter(({ name }) => !known.has(name)),
  );
  const changes = toNodes(after, newNames).flatMap((node): NodeChange[] => {
    const oldName = renames.get(node.name);
    const old = findDeclaration(before, node.name);
    if (oldName !== undefined) return [{ type: "renamed", name: node.name, kind: node.type, oldName, fields: [] }];
    if (!old) return [{ type: "added", name: node.name, kind: node.type, fields: diffFields({}, toFields(node)) }];
    const fields = diffFields({ kind: old.type, ...toFields(old) }, { kind: node.type, ...toFields(node) });
    return fields.length > 0 ? [{ type: "changed", name: node.name, kind: node.type, fields }] : [];
  });
  const renamed = new Set(renames.values());
  const gone = removed
    .filter(({ name }) => !renamed.has(name))
    .map(
      (node): NodeChange => ({
        type: "removed",
        name: node.name,
        kind: node.type,
        fields: diffFields(toFields(node), {}),
      }),
    );
  return { flow: diffFields(toFlowFields(before), toFlowFields(after)), nodes: [...changes, ...gone] };
}

const toNodes = (flow: Flow, names: readonly string[]): Declaration[] =>
  names.flatMap((name) => findDeclaration(flow, name) ?? []);

/** The new names with the old ones; of several equal nodes the first with the first. */
function pairByContent(removed: readonly Declaration[], added: readonly Declaration[]): Map<string, string> {
  const byContent = groupBy(removed, toContent);
  const renames = new Map<string, string>();
  for (const node of added) {
    const old = byContent.get(toContent(node))?.shift();
    if (old) renames.set(node.name, old.name);
  }
  return renames;
}

const toContent = (node: Declaration): string => JSON.stringify([node.type, toFields(node)]);

/** The fields as the file has them; texts with variables as they are written. */
const toFields = (declaration: Declaration): JsonObject =>
  Object.fromEntries(fieldsOf(declaration).map(([key, value]) => [key, toUnordered(value)]));

const isMap = (value: OrderedJson): value is ReadonlyMap<string, OrderedJson> => value instanceof Map;
const isList = (value: OrderedJson): value is readonly Json[] => Array.isArray(value);

function toUnordered(value: OrderedJson): Json {
  if (typeof value !== "object" || value === null || isList(value)) return value;
  const entries = isMap(value) ? [...value] : Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [key, toUnordered(item)]));
}

const toFlowFields = ({ name, description, vars, compat, limits, swarm }: Flow): JsonObject => {
  const { written, ...numbers } = limits;
  return {
    name,
    ...(description !== undefined && { description }),
    ...(compat !== undefined && { compat }),
    ...(vars.size > 0 && { vars: Object.fromEntries(vars) }),
    ...nonEmpty("limits", { ...withoutUnset(numbers), ...written }),
    swarm: toFields(swarm),
  };
};

const nonEmpty = (field: string, fields: JsonObject): JsonObject =>
  Object.keys(fields).length > 0 ? { [field]: fields } : {};

const withoutUnset = (fields: Readonly<Record<string, number | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(fields).flatMap(([field, value]) => (value === undefined ? [] : [[field, value]])));

function diffFields(before: JsonObject, after: JsonObject): FieldChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((field) => {
    const [old, current] = [fieldOf(before, field), fieldOf(after, field)];
    return JSON.stringify(old) === JSON.stringify(current) ? [] : diffValues(field, old, current);
  });
}

const fieldOf = (fields: JsonObject, field: string): Json | undefined =>
  Object.hasOwn(fields, field) ? fields[field] : undefined;

/** One change for each part that differs; one for the whole where only the order of the parts does. */
function diffValues(field: string, before: Json | undefined, after: Json | undefined): FieldChange[] {
  const [old, current] = [flatten(field, before), flatten(field, after)];
  const changes = [...new Set([...old.keys(), ...current.keys()])].flatMap((path): FieldChange[] => {
    const change = { field: path, before: old.get(path) ?? null, after: current.get(path) ?? null };
    return change.before === change.after ? [] : [change];
  });
  if (changes.length > 0) return changes;
  return [{ field, before: JSON.stringify(before) ?? null, after: JSON.stringify(after) ?? null }];
}

/** The texts of a value by path; a list is one text. */
function flatten(field: string, value: Json | undefined): Map<string, string> {
  const texts = new Map<string, string>();
  const pending: [string, Json][] = value === undefined ? [] : [[field, value]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [path, part] = next;
    if (isJsonObject(part) && Object.keys(part).length > 0)
      pending.push(
        ...Object.entries(part)
          .map(([name, member]): [string, Json] => [`${path}.${toSegment(name)}`, member])
          .reverse(),
      );
    else texts.set(path, typeof part === "string" ? part : JSON.stringify(part));
  }
  return texts;
}

const toSegment = (name: string): string => (/^[^."]+$/.test(name) ? name : JSON.stringify(name));

/** The nodes of either flow that differ, by their names there, with how. */
export function marksOf({ nodes }: FlowDiff): ReadonlyMap<string, NodeChangeType> {
  return new Map(
    nodes.flatMap((node): [string, NodeChangeType][] =>
      node.type === "renamed"
        ? [
            [node.name, node.type],
            [node.oldName, node.type],
          ]
        : [[node.name, node.type]],
    ),
  );
}

export const isEmptyDiff = ({ flow, nodes }: FlowDiff): boolean => flow.length + nodes.length === 0;

/** How many things differ: each node counts once, and so does each field of the flow itself. */
export const countChanges = ({ flow, nodes }: FlowDiff): number => flow.length + nodes.length;
