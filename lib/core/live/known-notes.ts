import * as Y from "yjs";
import { groupBy } from "../flow/group-by";
import { maxKeyLength } from "./note-in-map";
import { isShared } from "./shared-text";
import { parseId, printId } from "./written-parts";

/**
 * What the author of a version knew. Each entry is the id of a letter, and stands for everything that its document wrote up to
 * there, or it is the key of a note.
 */
export interface Knowing {
  key: string;
  /** Of the flow. */
  scope: string;
  knows: readonly string[];
}

/** Maximum number of ids read of one key, and of documents among them. An editor writes the members of a scope at once. */
const [maxKeyIds, maxKeyClients] = [100, 20];

/** The last id of each document in the key of a note; null: a key without any. */
export function parseKey(key: string): Y.ID[] | null {
  if (key.length > maxKeyLength) return null;
  if (!key.includes(" ")) {
    const id = parsePart(key);
    return id && id.client > 0 ? [id] : null;
  }
  const clocks = new Map<number, number>();
  for (const part of key.split(" ", maxKeyIds)) {
    const id = parsePart(part);
    if (!id) continue;
    // No document has the id 0.
    if (id.client <= 0) return null;
    if (clocks.has(id.client) || clocks.size < maxKeyClients) raiseTo(clocks, id);
  }
  return clocks.size > 0 ? Array.from(clocks, ([client, clock]) => Y.createID(client, clock)) : null;
}

const parsePart = (part: string): Y.ID | null => parseId(part.includes(":") ? part : part.replace(/^(\d+)-/, "$1:"));

const raiseTo = (clocks: Map<number, number>, { client, clock }: Y.ID): void =>
  void clocks.set(client, Math.max(clocks.get(client) ?? -1, clock));

/** Up to which clock each document is known, and single keys. */
interface Horizon {
  clocks: Map<number, number>;
  keys: Set<string>;
}

/** What was read of versions, which never change. */
const [horizons, idsOfKeys] = [new WeakMap<Knowing, Horizon>(), new WeakMap<Knowing, Y.ID[] | null>()];

function toHorizon(version: Knowing): Horizon {
  const horizon = horizons.get(version) ?? readHorizon(version);
  horizons.set(version, horizon);
  return horizon;
}

function readHorizon({ knows }: Knowing): Horizon {
  const horizon: Horizon = { clocks: new Map(), keys: new Set() };
  for (const entry of knows) {
    const ids = parseKey(entry);
    if (!ids) horizon.keys.add(entry);
    for (const id of ids ?? []) raiseTo(horizon.clocks, id);
  }
  return horizon;
}

function addTo({ clocks, keys }: Horizon, added: Horizon): void {
  for (const [client, clock] of added.clocks) raiseTo(clocks, Y.createID(client, clock));
  for (const key of added.keys) keys.add(key);
}

function toIds(version: Knowing): Y.ID[] | null {
  const known = idsOfKeys.get(version);
  if (known !== undefined) return known;
  const ids = parseKey(version.key);
  idsOfKeys.set(version, ids);
  return ids;
}

const includesVersion = (horizon: Horizon, version: Knowing): boolean =>
  includesIds(horizon, version.key, toIds(version));

const includesIds = ({ clocks, keys }: Horizon, key: string, ids: readonly Y.ID[] | null): boolean =>
  ids ? ids.every(({ client, clock }) => clock <= (clocks.get(client) ?? -1)) : keys.has(key);

/**
 * The versions that the author of another one of the same scope knew. Several versions may know each other, in a circle too:
 * what several people wrote in the same way is one version, with what each of them knew. None of them replaced another one.
 */
export function listSuperseded<T extends Knowing>(versions: readonly T[]): Set<T> {
  const superseded = new Set<T>();
  for (const rivals of groupBy(versions, ({ scope }) => scope).values()) {
    const known = new Map(rivals.map((one) => [one, rivals.filter((other) => isKnownTo(one, other))]));
    const circles = findCircles(known);
    for (const [other, ones] of known)
      for (const one of ones) if (circles.get(one) !== circles.get(other)) superseded.add(one);
  }
  return superseded;
}

const isKnownTo = (version: Knowing, other: Knowing): boolean =>
  other.key !== version.key && includesVersion(toHorizon(version), other);

/** The circle of each node, as a number: nodes that lead to each other are in one (the algorithm of Tarjan). */
function findCircles<T>(next: ReadonlyMap<T, readonly T[]>): Map<T, number> {
  const [order, circles] = [new Map<T, number>(), new Map<T, number>()];
  const open: T[] = [];
  const visit = (node: T): number => {
    const place = order.size;
    order.set(node, place);
    open.push(node);
    let low = place;
    for (const other of next.get(node) ?? []) {
      if (circles.has(other)) continue;
      low = Math.min(low, order.get(other) ?? visit(other));
    }
    if (low === place) for (const one of open.splice(open.indexOf(node))) circles.set(one, place);
    return low;
  };
  for (const node of next.keys()) if (!order.has(node)) visit(node);
  return circles;
}

/** Whether the author of a version knew a note. */
export type Knowledge = (version: Knowing, key: string) => boolean;

export function readKnowledge(versions: readonly Knowing[]): Knowledge {
  const wholeHorizons = new Map<Knowing, Horizon>();
  // A key may have a hundred ids, and is asked for in each pair of versions.
  const readKeys = new Map<string, { ids: Y.ID[] | null; isMerged: boolean }>();
  const readKey = (key: string): { ids: Y.ID[] | null; isMerged: boolean } => {
    const read = readKeys.get(key) ?? { ids: parseKey(key), isMerged: isMerged(key) };
    readKeys.set(key, read);
    return read;
  };
  const readWhole = (version: Knowing): Horizon => {
    const horizon = wholeHorizons.get(version) ?? toWholeHorizon(version, versions);
    wholeHorizons.set(version, horizon);
    return horizon;
  };
  return (version, key) => {
    const read = readKey(key);
    const isIn = (horizon: Horizon): boolean => includesIds(horizon, key, read.ids);
    return isIn(toHorizon(version)) || (read.isMerged && isIn(readWhole(version)));
  };
}

/** Whether several people may have written a version in the same way. */
export const isMerged = (key: string): boolean => parseKey(key)?.some(isShared) ?? true;

/**
 * With what the known versions of the scope knew. For merged versions only: a version that stays when others are merged with it
 * is noted again, and then knows more than it did when someone else knew it.
 */
function toWholeHorizon(version: Knowing, versions: readonly Knowing[]): Horizon {
  const horizon: Horizon = { clocks: new Map(), keys: new Set() };
  addTo(horizon, toHorizon(version));
  const rest = new Set(versions.filter(({ scope }) => scope === version.scope));
  for (let isAdded = true; isAdded; ) {
    const added = [...rest].filter((one) => includesVersion(horizon, one));
    for (const one of added) {
      rest.delete(one);
      addTo(horizon, toHorizon(one));
    }
    isAdded = added.length > 0;
  }
  return horizon;
}

/**
 * Everything that a version with this key knows that is written now, of the notes with these keys. What several people write in
 * the same way has a document id of its own: of such versions only those are listed that no other one of their scope knows. What
 * only the version itself knows is listed: its note is about to be replaced.
 */
export function listKnownNotes(
  doc: Y.Doc,
  ownKey: string,
  { versions, others }: { versions: readonly Knowing[]; others: Iterable<string> },
): string[] {
  const clients = new Set([...others].flatMap((key) => parseKey(key) ?? []).map(({ client }) => client));
  const superseded = listSuperseded(versions.filter(({ key }) => key !== ownKey));
  const keys: string[] = [];
  for (const version of versions) {
    if (isMerged(version.key) && superseded.has(version)) continue;
    const ids = toIds(version);
    if (!ids) keys.push(version.key);
    for (const { client } of ids ?? []) clients.add(client);
  }
  const known = Array.from(clients, (client) => printId({ client, clock: Y.getState(doc.store, client) - 1 }));
  return [...known, ...keys];
}
