import * as Y from "yjs";
import { diffTexts } from "../live/diff-texts";
import { readText } from "../live/live-document";
import type { SourceDocument } from "../source/read/source-document";
import { readSource } from "../source/read-source";
import { listDeletedEntries } from "../source/together/deleted-entries";
import { joinTwice } from "./join-twice";
import { findStructureChange, type StructureChange } from "./note-structure";
import { settleStructure } from "./settle-structure";
import { writeNoted } from "./write-noted";

/**
 * `mine` and `theirs`, both made of `base`, with what both changed of the structure, as if two people had written them in one
 * document. Of two names that are the same, theirs stays. Null: not both changed the structure, or one of the texts cannot be
 * read.
 */
export function mergeStructure(base: string, mine: string, theirs: string): string | null {
  const before = readSource(base);
  const [ours, others] = [mine, theirs].map((text) => readSource(text, undefined, before));
  if (!ours || !others || before.broken || ours.broken || others.broken) return null;
  const [own, foreign] = [findStructureChange(before, ours), findStructureChange(before, others)];
  if (isNothing(own) || isNothing(foreign)) return null;
  const seed = new Y.Doc();
  seed.clientID = 1;
  seed.getText("source").insert(0, base);
  // What the document with the smaller id wrote stays.
  const state = Y.encodeStateAsUpdate(seed);
  const doc = writeCopy(state, { client: 2, before, structure: foreign });
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(writeCopy(state, { client: 3, before, structure: own })));
  settleStructure(doc, before, null);
  if (joinTwice(doc, before)) settleStructure(doc, before, null);
  const merged = readText(doc);
  const result = readSource(merged, undefined, before);
  const unreadable = [ours, others].map(({ unreadableRanges }) => unreadableRanges.length);
  return result.broken || result.unreadableRanges.length > Math.max(...unreadable) ? null : merged;
}

const isNothing = ({ registers, names, renames, removed }: StructureChange): boolean =>
  registers.length + names.length + removed.length + Object.keys(renames).length === 0;

interface Writing {
  client: number;
  before: SourceDocument;
  structure: StructureChange;
}

function writeCopy(state: Uint8Array, { client, before, structure }: Writing): Y.Doc {
  const doc = new Y.Doc();
  doc.clientID = client;
  Y.applyUpdate(doc, state);
  const { text } = structure.after;
  const changes = diffTexts(before.text, text);
  const deleted = listDeletedEntries(before, changes);
  doc.transact(() => writeNoted(doc, before.text, { changes, text, structure, deleted, isTyped: false }));
  return doc;
}
