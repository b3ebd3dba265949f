import * as Y from "yjs";
import { readText, readWholeText } from "@/lib/core/live/live-document";
import type { Session } from "../session";
import type { SideTexts } from "./find-twin";

export type Absence = ReturnType<typeof watchAbsence>;

/**
 * Finds what this user and the others have of a flow when the connection is back. `hasEarlier`: the document continues one in
 * which this user may have written.
 */
export function watchAbsence({ live }: Pick<Session, "live">, doc: Y.Doc, hasEarlier: boolean) {
  let base: string | null = null;
  const isAway = (): boolean => live.store.getState().status === "reconnecting";
  const hasWritten = (): boolean => hasEarlier || Y.getState(doc.store, doc.clientID) > 0;
  return {
    // The letters of the others that this user deleted are in no smaller update.
    asksForAll: (): boolean => isAway() && hasWritten(),
    /** Null: this user was not away, or wrote nothing. */
    readSides(update: Uint8Array, mine: string): SideTexts | null {
      const theirs = isAway() ? readWholeText(update) : null;
      return theirs === null ? null : { base, mine, theirs };
    },
    stop: live.store.subscribe(({ status }, { status: before }) => {
      if (status === "reconnecting" && before === "together") base = readText(doc);
    }),
  };
}
