import { createStore } from "zustand/vanilla";
import type { Edit } from "@/lib/core/flow/edit";
import type { NodeType } from "@/lib/core/flow/flow";
import type { TextRange } from "@/lib/core/flow/text-range";
import type { FlowContent } from "@/lib/core/live/live-document";
import type { Peer, Presence } from "@/lib/core/live/messages";
import type { SaveWire } from "../save/autosave-driver";
import { createSentStates } from "../save/sent-states";
import { createSaveGate } from "./save-gate";
import { createSharedCopies } from "./shared-copies";
import type { TwinPiece } from "./twins/twin-pieces";

export interface LiveState {
  /**
   * `alone`: no one else has the flow open, and it is saved as ever. `together`: it is edited through the server's document.
   * `reconnecting`: it was, and changes are kept until the connection is back. `off`: there is no connection.
   */
  status: "off" | "alone" | "together" | "reconnecting";
  self: Peer | null;
  /** The other open editors. */
  peers: readonly Peer[];
  /** The editor whose view is followed. */
  following: string | null;
  /** Fields in which two people wrote at one place while one of them was offline, until this user chose. */
  twins: readonly TwinText[];
  /** Texts of this user beside which someone else, who was offline, wrote another one. */
  met: readonly MetText[];
  /** What this user wrote while someone else deleted where it belonged, until the user has read it. */
  lost: readonly LostWriting[];
  /** A field that is in the flow again: the user was writing on in its text, and does. */
  resumed: ResumedField | null;
  /** What all had when this user emptied the flow, until the user agreed or has it back. */
  held: FlowContent | null;
}

/** What a user changed in a text that someone else deleted with its entry. */
interface UnknownLetters {
  /** The key of the entry. */
  entry: string;
  /** The text without and with what this user wrote. */
  base: string;
  text: string;
  /** What this user had deleted of the entry, counted from its start; null: it is not known. */
  gone: readonly TextRange[] | null;
}

export interface LostWriting {
  /** What was deleted, or whose text was. */
  owner: string;
  /** Who deleted it, where that is known. */
  by: string | null;
  /** Whether something else was in its place at once. */
  isReplaced: boolean;
  /** The field of the text, as an edit that sets it; null: it is no text of one field. */
  field: Edit | null;
  /** Of the field, as this user saw it last. */
  text: string;
  /** Where the caret was, in a form that was deleted while the user wrote in it: the user goes on in a field of its own. */
  caret?: number;
  /** What of the text was unknown to who deleted `owner`; missing: that is not known, or it is no text of one field. */
  unknown?: UnknownLetters;
  /** The flow before `owner` was deleted, and what `owner` is; null: it is no declaration. */
  before: (FlowContent & { type: NodeType }) | null;
}

export interface ResumedField {
  /** Of the declaration that has the field: see `idOfDeclaration`. */
  id: string;
  /** Who restored it, where that is known. */
  by: string | null;
  /** The field, as an edit that sets it in a declaration of any name. */
  field: Edit;
  caret: number;
}

/** The whole text of a field as one of two people had it; `name`: whose it is, null for this user's. */
export interface TwinPart {
  text: string;
  name: string | null;
}

/** Two texts of one field of `owner`, in the order in which their letters are in the flow. */
export interface TwinText {
  owner: string;
  /** The field, as an edit that sets it. */
  field: Edit;
  /** What the field has until the user chooses: the letters of both. */
  merged: string;
  parts: readonly [TwinPart, TwinPart];
  /** What it has when both texts are kept; null: together they are no valid value, and the other text is in the flow. */
  both: string | null;
  /** The letters of the parts; missing: the field has not changed since the question was asked. */
  pieces?: readonly TwinPiece[];
  /** Others have changed the field since the question was asked. */
  isChanged?: boolean;
}

export interface MetText {
  /** The field, as an edit that sets it. */
  field: Edit;
  text: string;
  /** The text is a whole condition. */
  isCondition?: boolean;
}

/** What saves and presence go through while the flow is edited together. */
interface LiveLink {
  /** Null while the document is being opened: saves wait for it (`holdSaves`). */
  save: SaveWire["save"] | null;
  tell(presence: Partial<Presence>): void;
  /** Tells the others which version was restored; missing: no document is open. */
  noteRestored?(version: string): void;
}

export type Live = ReturnType<typeof createLive>;

/** Once the flow is edited together its document is newer than any revision. */
const toAloneReader =
  (fallback: SaveWire, isLinked: () => boolean): SaveWire["current"] =>
  async (flowId) => {
    const theirs = isLinked() ? null : await fallback.current(flowId);
    return isLinked() ? null : theirs;
  };

/** A text that is being written, and where the caret is in it. */
export interface OpenText {
  text: string;
  caret: number;
}

/** The field of a form that the user is in. */
function createOpenField() {
  let read: (() => OpenText | null) | null = null;
  return {
    // A field that is taken away has no blur.
    enter(element: Pick<Element, "isConnected">, readText: () => OpenText): void {
      read = () => (element.isConnected ? readText() : null);
    },
    leave(): void {
      read = null;
    },
    /** Null: the user is in none. */
    readText: (): OpenText | null => read?.() ?? null,
  };
}

/** Whether it is known who else has the flow open. */
function createKnown() {
  const store = createStore(() => ({ isKnown: false }));
  return {
    /** Resolves once it is known, or that it cannot be known now. */
    untilKnown: (): Promise<void> =>
      new Promise((resolve) => {
        if (store.getState().isKnown) return resolve();
        const stop = store.subscribe(({ isKnown }) => {
          if (!isKnown) return;
          stop();
          resolve();
        });
      }),
    setKnown: (): void => store.setState({ isKnown: true }),
    /** The connection is lost: others may have come. */
    setUnknown: (): void => store.setState({ isKnown: false }),
  };
}

const unlinked: LiveState = {
  status: "off",
  self: null,
  peers: [],
  following: null,
  twins: [],
  met: [],
  lost: [],
  resumed: null,
  held: null,
};

/** Who else has the flow open. Until something is linked it is edited alone, and saved by `fallback`. */
export function createLive(fallback: SaveWire) {
  const store = createStore<LiveState>(() => unlinked);
  let link: LiveLink | null = null;
  let isReceiving = false;
  let told: Partial<Presence> = {};
  const known = createKnown();
  const states = createSentStates();
  const isTogether = (): boolean => ["together", "reconnecting"].includes(store.getState().status);
  const copies = createSharedCopies(() => gate.hold());
  const gate = createSaveGate(copies.watch(fallback), () => link?.save ?? null);
  const wire: SaveWire = {
    save: gate.save,
    isHeld: gate.isHeld,
    isKeptCopyOpen: () => copies.isKept() || (isTogether() && !link?.save),
    isShared: () => link?.save != null,
    later: fallback.later,
    current: toAloneReader(fallback, () => link !== null),
  };
  return {
    store,
    wire,
    /** Saves and presence go through `next` until it is null. */
    setLink(next: LiveLink | null): void {
      link = next;
      link?.tell(told);
    },
    copies,
    holdSaves: gate.hold,
    settled: gate.settled,
    states,
    ...known,
    /** Tells the others what the user does here, as soon as there are any. */
    tell(presence: Partial<Presence>): void {
      told = { ...told, ...presence };
      link?.tell(presence);
    },
    noteRestored: (version: string): void => link?.noteRestored?.(version),
    /** What changes meanwhile was changed by others. */
    receive(change: () => void): void {
      isReceiving = true;
      try {
        change();
      } finally {
        isReceiving = false;
      }
    },
    isReceiving: (): boolean => isReceiving,
    /** Whether others write in the same document: what is typed is sent at once. */
    isTogether,
    field: createOpenField(),
    follow: (peer: string | null): void => store.setState({ following: peer }),
  };
}
