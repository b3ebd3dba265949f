import { isNode } from "yaml";
import * as z from "zod/mini";
import type { Scope } from "../../flow/edit";
import { findJsonAs } from "../../flow/parse-json";
import type { TextChange, TextRange } from "../../flow/text-range";
import type { SourceDocument } from "../read/source-document";
import { rangeOfPair } from "../yaml/pair-position";
import type { YamlEntry } from "../yaml/yaml-nodes";
import { printTopologyValue, readTopologyValue } from "./topology-value";

/** The fields of a file that list the members of one scope: they are written as a whole. */
export interface Register {
  scope: Scope;
  /** Where its fields are, with their keys, in the order of the text. */
  ranges: readonly TextRange[];
  /** The members, as `printTopologyValue` writes them. */
  readValue(): string;
}

const memberFields = ["flow", "edges", "agents", "order"];

/** Equal for equal scopes. */
export const toScopeKey = (scope: Scope): string =>
  JSON.stringify(scope.type === "root" ? [] : scope.type === "lane" ? [scope.name, scope.lane] : [scope.name]);

/** The names in the key of a scope; none of what is no such key. */
const readScopeKey = (key: string): readonly string[] => findJsonAs(key, z.array(z.string())) ?? [];

/** The registers of a file that can be read, by the keys of their scopes. */
export function listRegisters(document: SourceDocument): Map<string, Register> {
  const registers = new Map<string, Register>();
  if (document.broken) return registers;
  const unread = new Set(document.unreadableRanges.map(({ owner }) => owner));
  for (const [owner, site] of document.topologies) {
    if (unread.has(owner)) continue;
    for (const [scope, entries] of listScopes(document, owner, site)) {
      const ranges = entries
        .filter(({ pair }) => isNode(pair.key))
        .map(({ pair }) => rangeOfPair(pair, document.text))
        .toSorted((a, b) => a.from - b.from);
      const readValue = (): string => printTopologyValue(readTopologyValue(document, scope));
      registers.set(toScopeKey(scope), { scope, ranges, readValue });
    }
  }
  return registers;
}

/** The register of a scope; of a lane that a branch, router or loop does not have now, an empty one. Undefined: there is no such scope. */
export function findRegister(document: SourceDocument, key: string): Register | undefined {
  const found = listRegisters(document).get(key);
  const [name, lane] = found ? [] : readScopeKey(key);
  if (found || name === undefined || lane === undefined || !document.flow.controls.has(name)) return found;
  const scope: Scope = { type: "lane", name, lane };
  return { scope, ranges: [], readValue: () => printTopologyValue(readTopologyValue(document, scope)) };
}

type Site = NonNullable<ReturnType<SourceDocument["topologies"]["get"]>>;

function listScopes({ flow }: SourceDocument, owner: string | null, site: Site): [Scope, readonly YamlEntry[]][] {
  const fields = memberFields.flatMap((field) => site.entries.get(field) ?? []);
  if (owner === null) return [[{ type: "root" }, fields]];
  if (flow.groups.has(owner)) return [[{ type: "group", name: owner }, fields]];
  if (flow.swarms.has(owner)) return [[{ type: "swarm", name: owner }, fields]];
  if (!flow.controls.has(owner)) return [];
  return Array.from(site.texts, ([lane, entry]): [Scope, readonly YamlEntry[]] => [
    { type: "lane", name: owner, lane },
    [entry],
  ]);
}

/** The scopes whose members two readings have differently. `renames`: new names by old ones. */
export function listChangedRegisters(
  before: SourceDocument,
  after: SourceDocument,
  renames: Readonly<Record<string, string>>,
): ChangedRegister[] {
  const oldNames = new Map(Object.entries(renames).map(([oldName, newName]) => [newName, oldName]));
  const [old, next] = [listRegisters(before), listRegisters(after)];
  return [...next].flatMap(([key, register]): ChangedRegister[] => {
    const previous = old.get(key) ?? old.get(toScopeKey(renameScope(register.scope, oldNames)));
    const isSame = previous !== undefined && textOf(before, previous) === textOf(after, register);
    return isSame || (!previous && register.ranges.length === 0) ? [] : [{ key, previous, register }];
  });
}

function renameScope(scope: Scope, names: ReadonlyMap<string, string>): Scope {
  return scope.type === "root" ? scope : { ...scope, name: names.get(scope.name) ?? scope.name };
}

export interface ChangedRegister {
  key: string;
  /** Undefined: there was no such scope. */
  previous: Register | undefined;
  register: Register;
}

const textOf = ({ text }: SourceDocument, { ranges }: Register): string =>
  ranges.map(({ from: start, to: end }) => text.slice(start, end)).join("\n");

/**
 * The same changes, with the fields of registers replaced as a whole, without the end of a line that stays after them. `before`,
 * `after`: the text, and the one that they lead to.
 */
export function widenToRegisters(
  changes: readonly TextChange[],
  registers: readonly ChangedRegister[],
  { before, after }: { before: string; after: string },
): TextChange[] {
  const fields = registers.flatMap(({ previous }) => previous?.ranges ?? []);
  const ranges: TextRange[] = [];
  for (const { from: start, to: end } of [...changes, ...fields].toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    const last = ranges.at(-1);
    if (last && start <= last.to) last.to = Math.max(last.to, end);
    else ranges.push({ from: start, to: end });
  }
  const growthOf = (isCounted: (change: TextChange) => boolean): number =>
    changes.reduce((sum, one) => (isCounted(one) ? sum + one.insert.length - (one.to - one.from) : sum), 0);
  return ranges.map(({ from: start, to: end }) => {
    const startAfter = start + growthOf((change) => change.to < start);
    const endAfter = end + growthOf((change) => change.from <= end);
    const [replaced, insert] = [before.slice(start, end), after.slice(startAfter, endAfter)];
    const [eol = ""] = /\r?\n$/.exec(insert) ?? [];
    const kept = replaced.endsWith(eol) ? eol.length : 0;
    return { from: start, to: end - kept, insert: insert.slice(0, insert.length - kept) };
  });
}
