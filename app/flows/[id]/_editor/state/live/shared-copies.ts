import type { SaveWire } from "../save/autosave-driver";
import type { SharedCopy } from "../save/shared-copy";

/** The shared document on its way into the copy that a browser keeps, and out of it. `hold` keeps saves waiting. */
export function createSharedCopies(hold: () => () => void) {
  let read: (() => SharedCopy | null) | null = null;
  let kept: SharedCopy | null = null;
  let releaseSaves: (() => void) | null = null;
  const letSave = (): void => {
    releaseSaves?.();
    releaseSaves = null;
  };
  const drop = (): void => {
    kept = null;
    letSave();
  };
  return {
    /** The document with all of this user's changes; null: there is none. */
    read: (): SharedCopy | null => read?.() ?? kept,
    setReader(next: typeof read): void {
      read = next;
    },
    /** Keeps the document of the last visit until it is joined. Saves wait: what a request saves may conflict with it. */
    keep(copy: SharedCopy): void {
      kept = copy;
      releaseSaves ??= hold();
    },
    isKept: (): boolean => kept !== null,
    take(): SharedCopy | null {
      const taken = kept;
      drop();
      return taken;
    },
    /** The text without the document was merged. */
    drop,
    /** No connection can be opened: saves no longer wait for the document. */
    letSave,
    /** Saves of an editor that is alone. */
    watch: (wire: SaveWire): SaveWire => ({
      ...wire,
      async save(request) {
        const answer = await wire.save(request);
        // The server has that text without the ids of its letters: together with the copy it would be there twice.
        if (answer.type === "succeeded") drop();
        return answer;
      },
    }),
  };
}
