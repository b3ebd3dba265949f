import * as Y from "yjs";
import { findAuthor } from "../live/authors";
import { findLost, type LostText } from "../live/lost-texts";
import { isOwnClient } from "../live/own-clients";
import { type DeclaredName, listRivalVersions } from "../live/structure-versions";
import { deleteRanges } from "../live/written-parts";
import type { SourceDocument } from "../source/read/source-document";
import { readSource } from "../source/read-source";
import { joinTwice } from "./join-twice";
import { mendCommas } from "./mend-commas";
import { mendFields } from "./mend-fields";
import { mendLineEnds } from "./mend-line-ends";
import { renameReferences, takeRenamed, takeRenamedVariables } from "./rename-references";
import { repairMembers } from "./repair-members";
import { rescueDeclarations } from "./rescue-declarations";
import { restoreHeadings } from "./restore-headings";
import { hasNamesTwice, settleNames } from "./settle-names";
import { readLostMembers, readRivalries, takeOutLosers, writeMerged } from "./settle-versions";

/** What was settled, for the user who is told of it. */
export interface SettledStructure {
  /** What this user declared, and has another name now. */
  renamed: readonly DeclaredName[];
  /** The variables that this user renamed, and that have another name now. */
  renamedVariables: readonly DeclaredName[];
  /** Who arranged the same steps as this user did; null: it is not known. */
  arrangedBy: readonly (string | null)[];
  /** What was in no entry of the file any more, and is taken out. */
  lost: readonly LostText[];
}

/** Settlements of one update: each may be one of what the one before wrote. */
const maxRounds = 10;

/**
 * Settles what people changed of the structure without knowing of each other: of members and names that two people wrote, one
 * text stays, and has what both of them did. Everyone who has the same document writes the same. `previous`: what was read
 * before the update.
 */
export function settleStructure(doc: Y.Doc, previous: SourceDocument, origin: unknown): SettledStructure {
  let [renamed, renamedVariables]: [readonly DeclaredName[], readonly DeclaredName[]] = [[], []];
  const arrangedBy: (string | null)[] = [];
  const lost: LostText[] = [];
  doc.transact(() => {
    mendLineEnds(doc);
    rescueDeclarations(doc);
    restoreHeadings(doc);
    lost.push(...takeOutLost(doc));
    for (let round = 0; round < maxRounds; round++) {
      mendCommas(doc, previous);
      const rivals = readRivalries(doc, previous);
      const rivalries = rivals.length > 0 ? rivals : readLostMembers(doc, previous);
      takeOutLosers(doc, rivalries);
      // Fields in braces leave their commas behind.
      mendCommas(doc, previous);
      mendFields(doc);
      const hasRenamed = settleNames(doc, previous);
      for (const rivalry of rivalries) {
        const leftOut = writeMerged(doc, rivalry, previous);
        const winner = rivalry.versions[0]?.version;
        if (winner && leftOut.some(({ by }) => isOwnClient(doc, by))) arrangedBy.push(findAuthor(doc, winner.by));
      }
      const isChanged = repairMembers(doc, previous);
      if (rivalries.length === 0 && !hasRenamed && !isChanged) break;
    }
    renameReferences(doc, previous);
    renamed = takeRenamed(doc);
    renamedVariables = takeRenamedVariables(doc);
  }, origin);
  return { renamed, renamedVariables, arrangedBy, lost };
}

/** Whether the text has versions of members, or declarations with one name, of people who did not know of each other. */
export const hasRivalStructure = (doc: Y.Doc): boolean => listRivalVersions(doc).length > 0 || hasNamesTwice(doc);

export interface UnsettledDocument {
  /** The document, as an update. */
  state: Uint8Array;
  /** The text that was read before all had the document. */
  previous: string;
  /** The id of the document that notes what is settled. */
  client: number;
}

/** Settles the same where no editor does. Returns an update of the document; null: there is nothing to settle. */
export function toSettledUpdate({ state, previous, client }: UnsettledDocument): Uint8Array | null {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, state);
  doc.clientID = client;
  const isUnsettled = hasRivalStructure(doc) || findLost(doc).length > 0;
  const updates: Uint8Array[] = [];
  doc.on("update", (update: Uint8Array) => void updates.push(update));
  const before = readSource(previous);
  const settle = (): void => {
    settleStructure(doc, before, null);
    takeOutLost(doc);
  };
  settle();
  // Of a section that was there twice, some members were not known. What someone is typing is left as it is.
  if ((isUnsettled || updates.length > 0) && joinTwice(doc, before)) settle();
  return updates.length > 0 ? Y.mergeUpdates(updates) : null;
}

function takeOutLost(doc: Y.Doc): LostText[] {
  const lost = findLost(doc);
  deleteRanges(
    doc,
    lost.flatMap(({ range }) => range ?? []),
  );
  return lost.map((one) => ({ ...one, range: null }));
}
