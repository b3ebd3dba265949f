import { type Flow, findDeclaration } from "@/lib/core/flow/flow";
import { keyNames, type NodeKey, nodeKey } from "@/lib/core/flow/node-key";
import { isNoteKey } from "@/lib/core/flow/note";
import { toMinimalChange } from "@/lib/core/flow/text-change";
import type { TextChange } from "@/lib/core/flow/text-range";
import { compareNames } from "@/lib/core/kinds/members";
import { type FlowReading, isSourceDocument, type SourceDocument } from "@/lib/core/source/read/source-document";

export interface Rename {
  from: string;
  to: string;
}

/** Ids of declarations that are not their names: a declaration keeps its id while it is renamed. */
export type DeclarationIds = ReadonlyMap<string, string>;

export const idOfDeclaration = (ids: DeclarationIds, name: string): string => ids.get(name) ?? name;

/** The name that a declaration has now; null: it is gone. */
export function nameOfDeclaration(ids: DeclarationIds, flow: Flow, id: string): string | null {
  const [name = id] = [...ids].find(([, one]) => one === id) ?? [];
  return idOfDeclaration(ids, name) === id && findDeclaration(flow, name) !== null ? name : null;
}

interface ReadState {
  flow: Flow;
  document: FlowReading;
  change: { before: string; changes: readonly TextChange[] } | null;
}

export interface FollowedNames {
  renames: readonly Rename[];
  ids: DeclarationIds;
}

/**
 * The declarations that a change renamed: the character after a name is still in its place. `isOwn`: of this user's own
 * changes a rename is also known by its names alone, where only one disappeared and one appeared.
 */
export function followNames(
  before: ReadState & { ids: DeclarationIds },
  after: ReadState,
  isOwn: boolean,
): FollowedNames {
  const { ids } = before;
  if (before.flow === after.flow) return { renames: [], ids };
  const { removed, added } = compareNames(before.flow, after.flow);
  if (added.length === 0) return { renames: [], ids };
  const located = locateRenames(before, after);
  const [from = "", to = ""] = [removed[0], added[0]];
  const isOnly = isOwn && removed.length === 1 && added.length === 1;
  const renames = located.length === 0 && isOnly ? [{ from, to }] : located;
  return { renames, ids: nameAnew(ids, added, renames) };
}

function locateRenames({ document: before }: ReadState, { document: after, change }: ReadState): Rename[] {
  if (!isSourceDocument(before) || !isSourceDocument(after)) return [];
  const changes = listChanges(before.text, after.text, change);
  const nextNames = new Map(listNameEnds(after).map(([name, end]) => [end, name]));
  return listNameEnds(before).flatMap(([name, end]): Rename[] => {
    const place = moveCharacter(end, changes);
    const to = place === null ? undefined : nextNames.get(place);
    return to === undefined || to === name ? [] : [{ from: name, to }];
  });
}

const listNameEnds = ({ declarations }: SourceDocument): [name: string, end: number][] =>
  [...declarations].flatMap(([name, { nameNode }]) => (nameNode.range ? [[name, nameNode.range[1]]] : []));

function listChanges(before: string, after: string, change: ReadState["change"]): readonly TextChange[] {
  if (change?.before === before) return change.changes.toSorted((a, b) => a.from - b.from || a.to - b.to);
  const whole = toMinimalChange(before, after);
  return whole ? [whole] : [];
}

/** Where the character at an offset is after sorted changes; null: it was deleted. */
function moveCharacter(offset: number, changes: readonly TextChange[]): number | null {
  let shift = 0;
  for (const { from: start, to: end, insert } of changes) {
    if (start > offset) break;
    if (end > offset) return null;
    shift += insert.length - (end - start);
  }
  return offset + shift;
}

/** A new declaration gets the id of no other one, also where it has the old name of one. */
function nameAnew(ids: DeclarationIds, added: readonly string[], renames: readonly Rename[]): DeclarationIds {
  const next = new Map(ids);
  for (const { from } of renames) next.delete(from);
  for (const { from, to } of renames) next.set(to, idOfDeclaration(ids, from));
  const renamed = new Set(renames.map(({ to }) => to));
  const others = [...added, ...renames.map(({ from }) => from)].filter((name) => !renamed.has(name));
  for (const name of others) {
    next.delete(name);
    const id = toFreeId(name, new Set(next.values()));
    if (id !== name) next.set(name, id);
  }
  return next;
}

/** The id of what is new and has this name: the name, unless something that was renamed has it as its id. */
export function toFreeId(name: string, taken: ReadonlySet<string>): string {
  let id = name;
  while (taken.has(id)) id += "'";
  return id;
}

/** With all names replaced at once: one may have the old name of another one. */
export const renameAll = (names: readonly string[], renames: readonly Rename[]): readonly string[] =>
  names.map((name) => renames.find(({ from }) => from === name)?.to ?? name);

export const renameKeys = (keys: readonly NodeKey[], renames: readonly Rename[]): readonly NodeKey[] =>
  renames.length === 0
    ? keys
    : keys.map((key) => (isNoteKey(key) ? key : renameAll(keyNames(key), renames).reduce(nodeKey, "")));
