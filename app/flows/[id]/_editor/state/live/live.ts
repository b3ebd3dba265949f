import { createStore } from "zustand/vanilla";
import type { Peer, Presence } from "@/lib/core/live/messages";
import type { SaveWire } from "../save/autosave-driver";
import { createSaveGate } from "./save-gate";

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
}

/** What saves and presence go through while the flow is edited together. */
interface LiveLink {
  /** Null while the document is being opened: saves wait for it (`holdSaves`). */
  wire: SaveWire | null;
  tell(presence: Partial<Presence>): void;
}

export type Live = ReturnType<typeof createLive>;

/** Who else has the flow open. Until something is linked it is edited alone, and saved by `fallback`. */
export function createLive(fallback: SaveWire) {
  const store = createStore<LiveState>(() => ({ status: "off", self: null, peers: [], following: null }));
  let link: LiveLink | null = null;
  let isReceiving = false;
  let told: Partial<Presence> = {};
  let setKnown: () => void = () => {};
  const known = new Promise<void>((resolve) => {
    setKnown = resolve;
  });
  const gate = createSaveGate(fallback, () => link?.wire ?? null);
  const wire: SaveWire = {
    save: gate.save,
    isHeld: gate.isHeld,
    current: async (flowId) => (link && !link.wire ? null : (link?.wire ?? fallback).current(flowId)),
  };
  return {
    store,
    wire,
    /** Saves and presence go through `next` until it is null. */
    setLink(next: LiveLink | null): void {
      link = next;
      link?.tell(told);
    },
    holdSaves: gate.hold,
    settled: gate.settled,
    /** Resolves once it is known who else has the flow open, or that this cannot be known now. */
    known,
    setKnown,
    /** Tells the others what the user does here, as soon as there are any. */
    tell(presence: Partial<Presence>): void {
      told = { ...told, ...presence };
      link?.tell(presence);
    },
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
    follow: (peer: string | null): void => store.setState({ following: peer }),
    /** The beginning of the ids of new notes: two people add notes at the same time. */
    noteName: (): string => {
      const { self, peers } = store.getState();
      return self === null || peers.length === 0 ? "note" : `note_${self.id.slice(0, 6)}`;
    },
  };
}
