import { loadPart } from "@/app/_ui/loading/load-part";
import type { Layout } from "@/lib/core/flow/edit";
import { closeCodes, type Presence, type ServerMessage, serverMessageSchema } from "@/lib/core/live/messages";
import { hasUnsaved, type SaveAnswer } from "../save/autosave";
import { isEmptyingAsked, keepFlow } from "../save/emptying";
import { untilAnswered } from "../save/resolve-conflict";
import type { SharedCopy } from "../save/shared-copy";
import { isAmongSent, type Snapshot } from "../save/snapshot";
import type { Session } from "../session";
import type { LiveDocument, LiveDocumentOptions } from "./live-parts";
import { createPresence } from "./presence";
import { createReopenings } from "./reopenings";
import { createSaves } from "./saves";
import { createSocket, type LiveSocket } from "./socket";

const loadParts = () => loadPart(() => import("./live-parts"));
/** How often the document is compared with the server's. */
const compareEveryMs = 15_000;

/** After this many failures in a row connections cannot be opened here: some networks refuse them. */
const maxFailures = 3;

/** Milliseconds before each attempt to read what was saved. */
const readAgainMs = [0, 500, 1000, 2000, 4000];

/** Milliseconds until a late save counts as possible: the server does not answer that it refuses them. */
const longestRefusalMs = 5_000;

/** Result of looking up the saves without an answer on the server. */
interface StoredSave {
  found: Snapshot | null;
  /** No other one is stored, and none will be. */
  isCertain: boolean;
}
const nothingStored: StoredSave = { found: null, isCertain: true };

type SaveRequest = Parameters<Session["live"]["wire"]["save"]>[0];
type Parts = Awaited<ReturnType<typeof loadParts>>;

const toBase64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

interface LinkHandlers {
  /** It is known who has the flow open, or that this cannot be known here; also called repeatedly. */
  onKnown(): void;
  /** A connection was opened, answers or was lost: it, or the next one, will tell. */
  onTry(): void;
}

/**
 * Connects a session with the others that have the flow open. As long as there are none nothing else happens; with the first
 * one the document is opened, and from then on all changes and saves go through it. Returns the function that disconnects.
 */
export function startLive(session: Session, handlers: LinkHandlers): () => void {
  const link = new Link(session, handlers);
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
  /** How often the document was asked for. */
  #joins = 0;
  /** What the server has of what was saved without an answer, until the document is open. */
  #stored = nothingStored;
  /** Connections that were lost, or not opened, since the last message. */
  #failures = 0;
  /** Whether a connection could ever be opened. */
  #isReached = false;
  /** Updates received since the document was joined. */
  #received = 0;
  #compareTimer: ReturnType<typeof setInterval> | undefined;
  #parts: Parts | null = null;
  #releaseSaves: (() => void) | null = null;
  /** Called when it is known what was stored of what was sent. */
  #goOn: (isRefused: boolean) => void = () => {};
  /** The document of the last visit, until it is joined. */
  #kept: SharedCopy | null = null;
  readonly #reopenings = createReopenings();
  /** The server's document is to be opened instead of this one, though it is the same. */
  #isReopening = false;

  constructor(
    private readonly session: Session,
    private readonly handlers: LinkHandlers,
  ) {
    const { seed, editor } = session;
    this.#socket = createSocket(`/api/v1/flows/${encodeURIComponent(seed.id)}/live`, {
      onOpen: () => this.#reach(),
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

  #reach(): void {
    this.#isReached = true;
    if (this.#failures < maxFailures) this.handlers.onTry();
  }

  #take(data: unknown): void {
    const { data: message } = serverMessageSchema.safeParse(data);
    if (!message) return;
    this.#failures = 0;
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
    } else if (message.type === "joined") this.#expectDocument(message);
    else if (message.type === "access") this.#changeAccess(message.canWrite);
    else if (message.type === "late-refused") this.#goOn(true);
    else this.#saves.take(message);
    this.#presence.setActive(live.store.getState().peers.length > 0);
    if (
      this.#document ||
      live.copies.isKept() ||
      live.copies.deletions.areKept() ||
      live.store.getState().peers.length > 0
    )
      void this.#join();
    // The document that was asked for is opened in any case, also when the others have left.
    else if (!this.#hasAsked) this.#release();
  }

  #changeAccess(canWrite: boolean): void {
    this.session.live.store.setState(({ self }) => ({ self: self && { ...self, canWrite } }));
  }

  /** Asks for the document once a connection, when no save is under way and the user is not asked about one. */
  async #join(): Promise<void> {
    if (this.#hasAsked) return;
    this.#hasAsked = true;
    const number = ++this.#joins;
    // The connection may have been lost meanwhile, and another one been opened.
    const isOver = (): boolean => !this.#hasAsked || number !== this.#joins;
    this.#parts = await loadParts();
    if (isOver()) return;
    if (!this.#document) {
      // First: else the next request goes out as soon as one is answered.
      this.#holdSaves();
      await this.session.live.settled();
      await untilAnswered(this.session);
      const { unanswered } = this.session.autosave.store.getState();
      const isRefused = unanswered.length === 0 || (await this.#refuseLate());
      if (isOver()) return;
      const { found, isCertain } = await this.#findStored(isOver);
      if (isOver()) return;
      this.#stored = { found, isCertain: isCertain && isRefused };
      this.#openKept();
    }
    this.#sendJoin();
  }

  /** Resolves to whether what was sent without an answer is stored by now, or never. */
  async #refuseLate(): Promise<boolean> {
    // Without the right to write the server refuses it in any case.
    if (this.session.live.store.getState().self?.canWrite !== true) return true;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), longestRefusalMs);
      this.#goOn = (isRefused) => {
        clearTimeout(timer);
        resolve(isRefused);
      };
      this.#socket.send({ type: "refuse-late" });
    });
  }

  /** The last text that was saved here without an answer. */
  async #findStored(isOver: () => boolean): Promise<StoredSave> {
    const { autosave, live, seed } = this.session;
    const { unanswered, revision, stored } = autosave.store.getState();
    if (unanswered.length === 0) return nothingStored;
    // A later one may have been stored over it.
    const known = isAmongSent(unanswered, stored) ? stored : null;
    for (const waitMs of readAgainMs) {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      if (isOver() || !live.wire.later) break;
      const later = await live.wire.later(seed.id, revision);
      if (later)
        return { found: later.findLast((snapshot) => isAmongSent(unanswered, snapshot)) ?? known, isCertain: true };
    }
    return { found: known, isCertain: false };
  }

  #sendJoin(): void {
    this.handlers.onTry();
    const document = this.#isReopening ? null : this.#document;
    const vector = toBase64(document?.readJoinVector() ?? new Uint8Array([0]));
    this.#socket.send({ type: "join", lineage: document?.lineage ?? null, vector });
  }

  /** Until the document is open: what a request saved meanwhile would meet the same change in the document. */
  #holdSaves(): void {
    const { live } = this.session;
    this.#releaseSaves ??= live.holdSaves();
    live.setLink({ save: null, tell: (presence) => this.#tell(presence) });
  }

  /** Goes on with the document of the last visit, which has changes that the server may lack. */
  #openKept(): void {
    const { editor, autosave, live } = this.session;
    const taken = live.copies.take();
    if (!taken || !this.#parts || live.store.getState().self?.canWrite !== true) return;
    const { copy: kept, isSent } = taken;
    this.#keepFlow();
    try {
      const { layout } = editor.store.getState();
      const { found, isCertain } = this.#stored;
      if (isSent && (found || !isCertain)) {
        // By its ids the text would be there twice: it is merged as a text.
        this.#noteStored(kept, layout);
        const source = found ? null : this.#parts.readWholeText(kept.state);
        if (source !== null) live.states.add({ source, layout });
        return;
      }
      const { lineage, state: update, client: earlierClient, own: earlierWriting } = kept;
      const document = this.#openDocument({ lineage, update, earlierClient, earlierWriting });
      this.#kept = kept;
      // The server may have nothing of what was not saved.
      live.states.restart(autosave.store.getState().stored);
      this.#noteStored(kept, layout);
      live.store.setState({ status: "reconnecting" });
      document.bind();
      // A conflict that was met before is none with the document.
      autosave.apply({ type: "conflict-ended" });
    } catch {
      // What the browser kept cannot be read: the text alone is merged.
      this.#dropKept();
    }
  }

  #noteStored({ state, own = [] }: SharedCopy, layout: Layout): void {
    for (const { source, notes } of this.#parts?.listPossibleTexts(state, own) ?? [])
      this.session.live.states.add({ source, layout: { ...layout, notes } });
  }

  /** Nothing of it has been joined. */
  #dropKept(): void {
    this.#kept = null;
    this.#document?.close();
    this.#document = null;
    this.session.live.copies.setReader(null);
  }

  #release(): void {
    this.handlers.onKnown();
    this.#letSave();
  }

  #letSave(): void {
    this.#releaseSaves?.();
    this.#releaseSaves = null;
  }

  #expectDocument(message: ServerMessage & { type: "joined" }): void {
    this.#joining = message;
    this.#received = 0;
    this.#compareTimer ??= setInterval(() => this.#compare(), compareEveryMs);
  }

  /** The server answers with what is missing where its document is another one. */
  #compare(): void {
    if (!this.#document || !this.#isJoined) return;
    const { readVector, digest, contentDigest } = this.#document;
    const [vector, received] = [toBase64(readVector()), this.#received];
    this.#socket.send({ type: "compare", vector, digest: digest(), content: contentDigest(), received });
  }

  #takeUpdate(bytes: Uint8Array): void {
    const joining = this.#joining;
    this.#received++;
    if (!joining) {
      if (!this.#isJoined || !this.#document) return;
      if (this.#document.own.isForged(bytes)) this.#reopen();
      else this.#document.apply(bytes);
      return;
    }
    this.#joining = null;
    this.#open(joining, bytes);
  }

  #open(joined: ServerMessage & { type: "joined" }, bytes: Uint8Array): void {
    const { live, autosave } = this.session;
    const isSame = !this.#isReopening && this.#document?.lineage === joined.lineage;
    if (isSame && !this.#applyJoined(joined, bytes)) {
      this.#reopen();
      return;
    }
    if (!isSame && this.#mustKeepText()) {
      this.#stayAlone();
      return;
    }
    if (isSame && this.#kept) this.#link();
    if (!isSame) this.#openNew(joined, bytes);
    this.#isReopening = false;
    this.#kept = null;
    this.#isJoined = true;
    live.store.setState({ status: "together" });
    const { text, layout } = this.session.editor.store.getState();
    live.states.add(live.store.getState().held ?? { source: text, layout });
    const missing = this.#document?.readSince(fromBase64(joined.vector));
    if (missing) this.#send(missing);
    this.#takeDeletions();
    void autosave.flush();
  }

  #takeDeletions(): void {
    const { copies, store } = this.session.live;
    if (store.getState().self?.canWrite !== true) return;
    for (const { copy, onDone } of copies.deletions.take()) {
      if (copy.lineage === this.#document?.lineage) this.#document.deleteAsIn(copy);
      onDone();
    }
  }

  /** Whether the user has written something here, and may no longer change the flow: the others' text would replace it. */
  #mustKeepText(): boolean {
    const { live, autosave } = this.session;
    return !this.#document && live.store.getState().self?.canWrite === false && hasUnsaved(autosave.store.getState());
  }

  #stayAlone(): void {
    this.session.live.setLink(null);
    this.#release();
    void this.session.accessPort.check();
  }

  #send(update: Uint8Array): void {
    this.#document?.own.markSent();
    this.#socket.sendBytes(update);
  }

  /** Returns false where the server has something that was written with an id of this user, and not by this editor. */
  #applyJoined({ vector, digest, content }: ServerMessage & { type: "joined" }, bytes: Uint8Array): boolean {
    const document = this.#document;
    if (!document || document.own.isForged(bytes, fromBase64(vector))) return false;
    // First as it was written: what is dropped of two values others see only where they had both.
    const written = document.readSince(fromBase64(vector));
    document.apply(bytes);
    // Documents that received the same differ only where one of them received something forged.
    if (content !== undefined && digest === document.digest() && content !== document.contentDigest()) return false;
    document.own.confirm(fromBase64(vector));
    this.#send(written);
    return true;
  }

  /**
   * Goes on with the server's document under a new id: it has something else for what was written here, and takes nothing more
   * of it.
   */
  #reopen(): void {
    this.#isJoined = false;
    this.#isReopening = true;
    this.#saves.fail();
    this.session.live.store.setState({ status: "reconnecting" });
    if (this.#reopenings.take()) this.#sendJoin();
    else
      this.#end(
        "The shared text of this flow is changed in a way that would lose what you write. Copy what is not saved, then reload the page.",
      );
  }

  #end(message: string): void {
    this.#socket.stop();
    this.session.notify.error(message);
  }

  #openNew({ lineage, revision }: ServerMessage & { type: "joined" }, update: Uint8Array): void {
    const { editor, autosave, live } = this.session;
    if (!this.#parts) return;
    const { askAboutTwins, findNearest, mergeReturned, diffTexts, tellOfGiven } = this.#parts;
    const before = this.#document?.readCopy();
    if (before) this.#noteStored(before, editor.store.getState().layout);
    this.#document?.close();
    const { held } = live.store.getState();
    const canWrite = live.store.getState().self?.canWrite === true;
    const isEmptied = canWrite && autosave.store.getState().phase === "emptying";
    if (!isEmptied) this.#keepFlow();
    const document = this.#openDocument({ lineage, update });
    const { text, layout } = editor.store.getState();
    const isBack = live.states.isShared() || autosave.store.getState().attempts > 0;
    const { stored, unanswered } = autosave.store.getState();
    const { found, isCertain } = this.#stored;
    const saved = isAmongSent(unanswered, document.opened) ? document.opened : (found ?? stored);
    const sent = isCertain ? [] : live.copies.listSent();
    const base = findNearest([saved, ...live.states.list(), ...sent], document.opened);
    live.states.restart(document.opened);
    this.#stored = nothingStored;
    if (isEmptied) {
      document.bind(held ?? base);
      this.#link();
      return;
    }
    const returned = canWrite ? mergeReturned(base, { source: text, layout }, document.opened) : null;
    const { given, ...merged } = returned ?? { ...document.opened, given: [] };
    live.receive(() => {
      editor.receive(diffTexts(text, merged.source), merged.layout);
      autosave.apply({ type: "joined", base: { ...document.opened, revision }, current: merged });
    });
    document.bind();
    if (isBack && canWrite)
      askAboutTwins(this.session, {
        base: base.source,
        mine: text,
        theirs: document.opened.source,
        authors: document.readAuthors(),
      });
    tellOfGiven(this.session, given);
    this.#link();
  }

  /** Nothing is emptied for others before the user agrees. */
  #keepFlow(): void {
    if (!isEmptyingAsked(this.session)) return;
    keepFlow(this.session);
    this.session.notify.info("The flow was not emptied. It is as it was before.");
  }

  #openDocument(
    options: Pick<LiveDocumentOptions, "lineage" | "update" | "earlierClient" | "earlierWriting">,
  ): LiveDocument {
    if (!this.#parts) throw new Error("the parts are not loaded");
    const document = this.#parts.openLiveDocument(this.session, {
      ...options,
      // What is written before is sent with all that the server lacks.
      send: (sent) => this.#isJoined && this.#send(sent),
      onChange: (content) => this.#isJoined && this.session.live.states.add(content),
    });
    this.#document = document;
    this.session.live.copies.setReader(document.readCopy);
    return document;
  }

  /** From now on everything is saved by the document. */
  #link(): void {
    this.session.live.setLink({
      save: this.#save,
      tell: (presence) => this.#tell(presence),
      noteRestored: (version) => this.#document?.noteRestored(version),
    });
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
    const confirm = this.#document?.own.watchSent();
    const answer = await this.#saves.save(request);
    if (answer.type === "succeeded") confirm?.();
    return answer;
  };

  #lose(code: number): void {
    const { live } = this.session;
    this.#isJoined = false;
    this.#joining = null;
    this.#hasAsked = false;
    this.#goOn(false);
    this.#presence.setActive(false);
    this.#saves.fail();
    if (this.#kept) this.#keepCopy();
    if (!this.#document) live.setLink(null);
    this.#failures++;
    const isRefused = code === closeCodes.refused || code === closeCodes.tooLarge;
    const isFailing = this.#failures >= maxFailures;
    // Without a network requests would not arrive either.
    if (isRefused || (isFailing && navigator.onLine)) live.copies.letSave();
    this.#letSave();
    // A server that was reached may be starting anew.
    if (isRefused || (isFailing && !this.#isReached)) this.handlers.onKnown();
    else if (this.#failures === 1) this.handlers.onTry();
    live.store.setState({ peers: [], following: null, status: this.#document ? "reconnecting" : "off" });
    if (isRefused)
      this.#end("The server closed the connection to this flow. Copy what is not saved, then reload the page.");
  }

  /** The document is gone on with by its ids when the flow is opened, or may be changed, again. */
  #keepCopy(): void {
    const copy = this.#document?.readCopy() ?? this.#kept;
    if (copy) this.session.live.copies.keep(copy);
    this.#dropKept();
  }

  stop(): void {
    clearInterval(this.#compareTimer);
    for (const stop of this.#stops) stop();
    this.#socket.stop();
    this.#presence.stop();
    this.#saves.fail();
    this.#keepCopy();
    this.#hasAsked = false;
    this.session.live.setLink(null);
    this.#release();
  }
}
