import { loadPart } from "@/app/_ui/loading/load-part";
import type { SaveAnswer } from "../save/autosave";
import type { SaveWire } from "../save/autosave-driver";
import type { SharedCopy } from "../save/shared-copy";
import { type Snapshot, sameSnapshot } from "../save/snapshot";

/** What was sent without an answer, of which so much is kept. */
const maxSentTexts = 5;

/** What was deleted in documents that are not gone on with: it is deleted when their lineage is opened, and `onDone` is called. */
function createDeletions() {
  let waiting: readonly { copy: SharedCopy; onDone(): void }[] = [];
  return {
    keep(copy: SharedCopy, onDone: () => void): void {
      waiting = [...waiting, { copy, onDone }];
    },
    areKept: (): boolean => waiting.length > 0,
    take(): typeof waiting {
      const taken = waiting;
      waiting = [];
      return taken;
    },
  };
}

/** The shared document on its way into the copy that a browser keeps, and out of it. `hold` keeps saves waiting. */
export function createSharedCopies(hold: () => () => void) {
  let read: (() => SharedCopy | null) | null = null;
  let kept: SharedCopy | null = null;
  /** Whether a request has sent the text since. */
  let isSent = false;
  let sentTexts: readonly Snapshot[] = [];
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
    /**
     * Keeps the document of the last visit until it is joined. Saves wait: what a request saves may conflict with it.
     * `wasSent`: a request of that visit has sent the text.
     */
    keep(copy: SharedCopy, { wasSent = false } = {}): void {
      kept = copy;
      isSent = wasSent;
      releaseSaves ??= hold();
    },
    isKept: (): boolean => kept !== null,
    deletions: createDeletions(),
    /** `isSent`: the server may have the text without the ids of its letters. */
    take(): { copy: SharedCopy; isSent: boolean } | null {
      const taken = kept && { copy: kept, isSent };
      drop();
      return taken;
    },
    /** The last texts that were saved here without an answer. */
    listSent: (): readonly Snapshot[] => sentTexts,
    /** The text without the document was merged. */
    drop,
    /** No connection can be opened: saves no longer wait for the document. */
    letSave,
    /** Saves of an editor that is alone. */
    watch: (wire: SaveWire): SaveWire => ({
      ...wire,
      async save(request) {
        isSent = true;
        const answer = await wire.save(request);
        sentTexts = answer.type === "failed" ? [...sentTexts, request.snapshot].slice(-maxSentTexts) : [];
        if (isStored(answer, request.snapshot)) drop();
        return answer.type === "conflicted" && kept ? addSharedTexts(answer, kept) : answer;
      },
    }),
  };
}

/** The server has the text without the ids of its letters: together with the document it would be there twice. */
const isStored = (answer: SaveAnswer, sent: Snapshot): boolean =>
  answer.type === "succeeded" || (answer.type === "conflicted" && sameSnapshot(answer.theirs, sent));

/** A conflict with a server that has some of the document: what came from there is no one else's. */
async function addSharedTexts(
  answer: SaveAnswer & { type: "conflicted" },
  { state, own = [] }: SharedCopy,
): Promise<SaveAnswer> {
  const { listPossibleTexts } = await loadPart(() => import("@/lib/core/live/possible-texts"));
  return { ...answer, sharedTexts: listPossibleTexts(state, own) };
}
