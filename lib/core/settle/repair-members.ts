import type * as Y from "yjs";
import { type Knowledge, readKnowledge } from "../live/known-notes";
import { readText } from "../live/live-document";
import {
  type DeclaredName,
  listDeclaredNames,
  listKnown,
  listLatestVersions,
  listVersions,
  noteVersion,
  type StructureVersion,
} from "../live/structure-versions";
import { isInText } from "../live/written-parts";
import type { SourceDocument } from "../source/read/source-document";
import { readSource } from "../source/read-source";
import { listRegisters } from "../source/structure/registers";
import type { TopologyValue } from "../source/structure/topology-value";
import {
  membersOfValue,
  printTopologyValue,
  readTopologyValue,
  renameInValue,
  writeTopologyValue,
} from "../source/structure/topology-value";
import { findNameEnd } from "./find-name-end";
import { type Losses, readLosses, replaceMissing } from "./missing-members";
import { writeRegister } from "./settle-versions";
import { listNamesOf } from "./version-names";

/**
 * Gives members the name that they have now where someone gave them another one, and takes members out that someone deleted,
 * where the author of the scope did not know of it. Returns whether there were any. `previous`: what was read before the update.
 */
export function repairMembers(doc: Y.Doc, previous: SourceDocument): boolean {
  const [losses, declared, all] = [readLosses(doc), listDeclaredNames(doc), listVersions(doc)];
  const hasNames = declared.some(({ was }) => was !== undefined);
  if (!hasNames && losses.deletions.length === 0 && losses.renames.length === 0) return false;
  const [latest, isKnown] = [listLatestVersions(all), readKnowledge(all)];
  let document = readSource(readText(doc), undefined, previous);
  let isChanged = false;
  for (const scope of listRegisters(document).keys()) {
    const versions = latest.get(scope) ?? [];
    if (!repairScope(doc, { document, previous, losses, declared, isKnown, scope, versions })) continue;
    isChanged = true;
    document = readSource(readText(doc), undefined, document);
  }
  return isChanged;
}

interface RepairedScope {
  document: SourceDocument;
  previous: SourceDocument;
  losses: Losses;
  declared: readonly DeclaredName[];
  isKnown: Knowledge;
  scope: string;
  /** The latest versions of it. */
  versions: readonly StructureVersion[];
}

function repairScope(doc: Y.Doc, repaired: RepairedScope): boolean {
  const { document, scope: key, versions } = repaired;
  const register = listRegisters(document).get(key);
  if (!register) return false;
  const value = readTopologyValue(document, register.scope);
  const authors = versions.filter((version) => isInText(doc, version.parts));
  const renamed = replaceOldNames(value, { ...repaired, versions: authors.length > 0 ? authors : versions });
  const next = replaceMissing(renamed, { ...repaired, doc, key, authors });
  if (next === value) return false;
  const changes = writeTopologyValue(document, register.scope, next) ?? [];
  const [before, members] = [printTopologyValue(renamed), printTopologyValue(next)];
  const [version] = versions;
  if (changes.length > 0) {
    const nameEnd = findNameEnd(doc, document, register.scope);
    const written = writeRegister(doc, document, key, changes);
    const by = versions.length > 0 ? Math.min(...versions.map((one) => one.by)) : doc.clientID;
    const knows = listKnown(doc, written.key);
    noteVersion(doc, { ...written, knows, before, scope: key, nameEnd, renames: {}, removed: [], by }, members);
  } else if (version && renamed !== value)
    noteVersion(doc, { ...version, knows: listKnown(doc, version.key), before }, members);
  else return false;
  return true;
}

/** Of a member of which someone else declared another one at the same time the name is the one that it has now. */
function replaceOldNames(value: TopologyValue, { declared, isKnown, versions }: RepairedScope): TopologyValue {
  const names = new Map(versions.flatMap((version) => [...listNamesOf(declared, version, isKnown)]));
  // Rival versions may mean different declarations by one name.
  for (const { refs = {} } of versions)
    for (const name of Object.keys(refs)) if (countMeanings(versions, name) > 1) names.delete(name);
  return membersOfValue(value).some((name) => names.has(name)) ? renameInValue(value, names) : value;
}

/** How many declarations these versions mean by a name. */
const countMeanings = (versions: readonly StructureVersion[], name: string): number =>
  new Set(versions.flatMap(({ refs }) => refs?.[name] ?? [])).size;
