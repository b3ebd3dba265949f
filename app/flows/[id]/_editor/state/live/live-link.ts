import { loadPart } from "@/app/_ui/loading/load-part";
import { closeCodes, type Presence, type ServerMessage, serverMessageSchema } from "@/lib/core/live/messages";
import type { SaveAnswer } from "../save/autosave";
import type { Session } from "../session";
import type { LiveDocument } from "./live-parts";
import { createPresence } from "./presence";
import { createSaves } from "./saves";
import { createSocket, type LiveSocket } from "./socket";

const loadParts = () => loadPart(() => import("./live-parts"));
type SaveRequest = Parameters<Session["live"]["wire"]["save"]>[0];
type Parts = Awaited<ReturnType<typeof loadParts>>;

const toBase64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/**
 * Connects a session with the others that have the flow open. As long as there are none nothing else happens; with the first
 * one the document is opened, and from then on all changes and saves go through it. `onKnown` is called, also repeatedly, once
 * it is known who has the flow open. Returns the function that disconnects.
 */
export function startLive(session: Session, onKnown: () => void): () => void {
  const link = new Link(session, onKnown);
  return () => link.stop();
}

class Link {
  readonly #socket: LiveSocket;
  readonly #presence;
  readonly #saves;
  readonly #stops: (() => void)[];
  #document: LiveDocument | null = null;
  #isJoined = false;
  #joining: (ServerMessage & { type: "joined" }) | null = null;
  #hasAsked = false;
  #parts: Parts | null = null;
  #releaseSaves: (() => void) | null = null;

  constructor(
    private readonly session: Session,
    private readonly onKnown: () => void,
  ) {
    const { seed, editor } = session;
    this.#socket = createSocket(`/api/v1/flows/${encodeURIComponent(seed.id)}/live`, {
      onMessage: (data) => this.#take(data),
      onBytes: (bytes) => this.#takeUpdate(bytes),
      onLost: (code) => this.#lose(code),
    });
    this.#presence = createPresence((presence) => this.#socket.send({ type: "presence", presence }));
    this.#saves = createSaves((message) => this.#socket.send(message));
    this.#stops = [
      editor.store.subscribe(({ selection }, before) => {
        if (selection !== before.selection) this.#tell({ selection: selection.slice(0, 50) });
      }),
    ];
  }

  #tell(presence: Partial<Presence>): void {
    this.#presence.change(presence);
  }

  #take(data: unknown): void {
    const { data: message } = serverMessageSchema.safeParse(data);
    if (!message) return;
    const { live } = this.session;
    const { peers } = live.store.getState();
    if (message.type === "welcome") {
      live.store.setState({ self: message.self, peers: message.peers, ...(!this.#document && { status: "alone" }) });
      this.#hasAsked = false;
      this.#tell({ selection: this.session.editor.store.getState().selection.slice(0, 50) });
    } else if (message.type === "peers") {
      const gone = new Set([...message.left, ...message.changed.map(({ id }) => id)]);
      const next = [...peers.filter(({ id }) => !gone.has(id)), ...message.changed];
      live.store.setState({ peers: next.toSorted((a, b) => a.color - b.color || (a.id < b.id ? -1 : 1)) });
    } else if (message.type === "joined") this.#joining = message;
    else if (message.type === "access") this.#changeAccess(message.canWrite);
    else this.#saves.take(message);
    this.#presence.setActive(live.store.getState().peers.length > 0);
    if (this.#document || live.store.getState().peers.length > 0) void this.#join();
    // The document that was asked for is opened in any case, also when the others have left.
    else if (!this.#hasAsked) this.#release();
  }

  #changeAccess(canWrite: boolean): void {
    this.session.live.store.setState(({ self }) => ({ self: self && { ...self, canWrite } }));
  }

  /** Asks for the document once a connection, when no save is under way. */
  async #join(): Promise<void> {
    if (this.#hasAsked) return;
    this.#hasAsked = true;
    this.#parts = await loadParts();
    if (!this.#document) await settled(this.session);
    // The connection may have been lost meanwhile.
    if (!this.#hasAsked) return;
    if (!this.#document) this.#holdSaves();
    const document = this.#document;
    const vector = toBase64(document?.vector ?? new Uint8Array([0]));
    this.#socket.send({ type: "join", lineage: document?.lineage ?? null, vector });
  }

  /** Until the document is open: what a request saved meanwhile would meet the same change in the document. */
  #holdSaves(): void {
    const { live } = this.session;
    this.#releaseSaves ??= live.holdSaves();
    live.setLink({ wire: null, tell: (presence) => this.#tell(presence) });
  }

  #release(): void {
    this.onKnown();
    this.#releaseSaves?.();
    this.#releaseSaves = null;
  }

  #takeUpdate(bytes: Uint8Array): void {
    const joining = this.#joining;
    if (!joining) {
      if (this.#isJoined) this.#document?.apply(bytes);
      return;
    }
    this.#joining = null;
    this.#open(joining, bytes);
  }

  #open(joined: ServerMessage & { type: "joined" }, bytes: Uint8Array): void {
    const { live, autosave } = this.session;
    if (this.#document?.lineage === joined.lineage) this.#document.apply(bytes);
    else this.#openNew(joined, bytes);
    this.#isJoined = true;
    live.store.setState({ status: "together" });
    const missing = this.#document?.readSince(fromBase64(joined.vector));
    if (missing) this.#socket.sendBytes(missing);
    void autosave.flush();
  }

  #openNew({ lineage, revision }: ServerMessage & { type: "joined" }, update: Uint8Array): void {
    const { editor, autosave, live } = this.session;
    if (!this.#parts) return;
    const { openLiveDocument, mergeInto, diffTexts } = this.#parts;
    this.#document?.close();
    const document = openLiveDocument(this.session, { lineage, update, send: (sent) => this.#socket.sendBytes(sent) });
    this.#document = document;
    const { text, layout } = editor.store.getState();
    const canWrite = live.store.getState().self?.canWrite === true;
    const { stored } = autosave.store.getState();
    const merged = canWrite ? mergeInto(stored, { source: text, layout }, document.opened) : document.opened;
    live.receive(() => {
      editor.receive(diffTexts(text, merged.source), merged.layout);
      autosave.apply({ type: "joined", base: { ...document.opened, revision }, current: merged });
    });
    document.bind();
    const wire = { save: this.#save, current: async () => null };
    live.setLink({ wire, tell: (presence) => this.#tell(presence) });
    this.#release();
  }

  readonly #save = async (request: SaveRequest): Promise<SaveAnswer> => {
    const { live } = this.session;
    if (live.store.getState().self?.canWrite === false)
      return { type: "failed", message: "Your role does not allow changes of this flow.", retryable: false };
    if (!this.#isJoined)
      return {
        type: "failed",
        message: "The connection to the server was lost. Changes are kept here, and saved once it is back.",
        retryable: true,
        offline: true,
      };
    return this.#saves.save(request);
  };

  #lose(code: number): void {
    const { live } = this.session;
    this.#isJoined = false;
    this.#joining = null;
    this.#hasAsked = false;
    this.#presence.setActive(false);
    this.#saves.fail();
    if (!this.#document) live.setLink(null);
    this.#release();
    const isRefused = code === closeCodes.refused || code === closeCodes.tooLarge;
    live.store.setState({ peers: [], following: null, status: this.#document ? "reconnecting" : "off" });
    if (isRefused) {
      this.#socket.stop();
      this.session.notify.error("This flow cannot be edited together any more. Reload the page.");
    }
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    this.#socket.stop();
    this.#presence.stop();
    this.#saves.fail();
    this.#document?.close();
    this.#hasAsked = false;
    this.session.live.setLink(null);
    this.#release();
  }
}

/** Resolves when no save of an editor that was alone is under way, and the user is not asked about one. */
async function settled({ autosave, live, view }: Session): Promise<void> {
  await live.settled();
  // A conflict that was met before the others were known is none with their document.
  const isAsked = (): boolean =>
    autosave.store.getState().phase === "conflict" && view.getState().dialog === "conflict";
  if (!isAsked()) return;
  await new Promise<void>((resolve) => {
    const stop = autosave.store.subscribe(() => {
      if (isAsked()) return;
      stop();
      resolve();
    });
  });
}
