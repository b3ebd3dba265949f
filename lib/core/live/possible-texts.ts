import { readTextsBefore, type WrittenTexts } from "./live-document";
import type { OwnClient } from "./own-writing";

/**
 * The texts of a document of which the server may have had one: what was sent arrives in order, and the rest may be lost. `update`:
 * all of it; `own`: what its user wrote.
 */
export const listPossibleTexts = (update: Uint8Array, own: readonly OwnClient[]): WrittenTexts[] =>
  readTextsBefore(update, listPossibleEnds(own));

/** What the server may have of each document, after each message that it may have received last. The first one is confirmed. */
function listPossibleEnds(own: readonly OwnClient[]): Map<number, number>[] {
  const known = new Map(own.map(({ client, confirmed }) => [client, confirmed]));
  const possible = [new Map(known)];
  for (const { client, confirmed, sent, ends = [] } of own)
    for (const end of [...ends, sent].filter((clock) => clock > confirmed))
      possible.push(new Map(known.set(client, end)));
  return possible;
}
