import "server-only";
import type { Peer, ServerMessage } from "@/lib/core/live/messages";
import type { Db } from "../db";
import { LiveFlow } from "./live-flow";
import { PeerList, type PeerNews } from "./peer-list";

/** Changes of presence are sent together, 20 times a second. */
const presenceMs = 50;
/** Documents stay in memory for a moment after the last editor has left: many come back at once. */
const lingerMs = 5_000;
const mergeEveryMs = 60_000;
/** How often a document is compared with what is stored: a note of another process may have been lost. */
const compareEveryMs = 10_000;

/** An open editor, as its lobby sees it. */
export interface Member {
  readonly peer: Peer;
  /** Whether it has the document. */
  readonly isJoined: boolean;
  send(message: ServerMessage): void;
  sendUpdate(update: Uint8Array): void;
  /** Ends the connection, which the editor opens again. */
  close(): void;
}

export interface LobbyOptions {
  db: Db;
  flowId: string;
  teamId: string;
  /** Tells other processes who is here. */
  tell(news: PeerNews): void;
}

/** Everyone who has one flow open, and its document while it is edited together. */
export class Lobby {
  readonly #members = new Set<Member>();
  readonly #changed = new Set<Member>();
  readonly #others = new PeerList();
  #document: Promise<LiveFlow> | null = null;
  #presenceTimer: NodeJS.Timeout | undefined;
  #lingerTimer: NodeJS.Timeout | undefined;
  #mergeTimer: NodeJS.Timeout | undefined;
  #compareTimer: NodeJS.Timeout | undefined;
  #closing: Promise<void> = Promise.resolve();

  constructor(private readonly options: LobbyOptions) {}

  get isEmpty(): boolean {
    return this.#members.size === 0 && this.#document === null;
  }

  /** The open editors of this process. */
  listMembers(): Member[] {
    return [...this.#members];
  }

  /** The other open editors, in all processes. */
  listPeers(except?: Member): Peer[] {
    const here = [...this.#members].filter((member) => member !== except).map(({ peer }) => peer);
    return [...here, ...this.#others.list()];
  }

  /** The first colour that no one here has. */
  chooseColor(): number {
    const taken = new Set(this.listPeers().map(({ color }) => color));
    let color = 0;
    while (taken.has(color)) color++;
    return color;
  }

  enter(member: Member): void {
    member.send({ type: "welcome", self: member.peer, peers: this.listPeers() });
    this.#members.add(member);
    clearTimeout(this.#lingerTimer);
    this.tellChange(member);
    this.#flush();
  }

  leave(member: Member): void {
    if (!this.#members.delete(member)) return;
    this.#changed.delete(member);
    this.#sendToAll({ type: "peers", changed: [], left: [member.peer.id] });
    this.options.tell({ flowId: this.options.flowId, peers: [], left: [member.peer.id] });
    this.#closeWhenEmpty();
  }

  /** Closes the document in a moment, unless someone enters. */
  #closeWhenEmpty(): void {
    clearTimeout(this.#lingerTimer);
    if (this.#members.size === 0) this.#lingerTimer = setTimeout(() => void this.closeDocument(), lingerMs).unref();
  }

  /** The presence of a member has changed: the others receive it soon. */
  tellChange(member: Member): void {
    this.#changed.add(member);
    this.#presenceTimer ??= setTimeout(() => this.#flush(), presenceMs).unref();
  }

  #flush(): void {
    clearTimeout(this.#presenceTimer);
    this.#presenceTimer = undefined;
    const changed = [...this.#changed];
    this.#changed.clear();
    if (changed.length === 0) return;
    for (const member of this.#members) {
      const others = changed.filter((one) => one !== member).map(({ peer }) => peer);
      if (others.length > 0) member.send({ type: "peers", changed: others, left: [] });
    }
    this.options.tell({ flowId: this.options.flowId, peers: changed.map(({ peer }) => peer), left: [] });
  }

  #sendToAll(message: ServerMessage): void {
    for (const member of this.#members) member.send(message);
  }

  /** What another process tells about its editors. */
  hear(news: PeerNews): void {
    const left = this.#others.apply(news);
    if (news.peers.length + left.length > 0) this.#sendToAll({ type: "peers", changed: [...news.peers], left });
    if (news.isRequest) this.announce();
  }

  /** Tells other processes everyone who is here, and forgets those of which nothing was heard for long. */
  announce(): void {
    const left = this.#others.expire();
    if (left.length > 0) this.#sendToAll({ type: "peers", changed: [], left });
    if (this.#members.size > 0)
      this.options.tell({ flowId: this.options.flowId, peers: [...this.#members].map(({ peer }) => peer), left: [] });
  }

  /** The document, opened where it is not; what a member sent before it left needs it, too. Rejects with AppError `not_found`. */
  openDocument(): Promise<LiveFlow> {
    this.#closeWhenEmpty();
    this.#document ??= this.#open();
    return this.#document;
  }

  get document(): Promise<LiveFlow> | null {
    return this.#document;
  }

  #open(): Promise<LiveFlow> {
    const { db, flowId, teamId } = this.options;
    const onUpdate = (update: Uint8Array, origin: unknown): void => {
      for (const member of this.#members) if (member.isJoined && member !== origin) member.sendUpdate(update);
    };
    const onReplaced = (): void => {
      if (this.#document === document) void this.#reopenDocument();
    };
    const document = this.#closing.then(() => LiveFlow.open(db, { flowId, teamId, onUpdate, onReplaced }));
    document.catch(() => {
      if (this.#document === document) this.#document = null;
    });
    this.#mergeTimer ??= setInterval(() => void this.#merge(), mergeEveryMs).unref();
    this.#compareTimer ??= setInterval(() => void this.compare(), compareEveryMs).unref();
    return document;
  }

  /** The flow has another document: editors get it when they connect again. */
  async #reopenDocument(): Promise<void> {
    const closing = this.closeDocument();
    for (const member of this.#members) member.close();
    await closing;
  }

  /** Never rejects. */
  async compare(): Promise<void> {
    // A comparison that fails is tried again with the next one.
    await (await this.#document?.catch(() => null))?.compare().catch(() => undefined);
  }

  async #merge(): Promise<void> {
    // A merge that fails is tried again a minute later.
    await (await this.#document?.catch(() => null))?.mergeRows().catch(() => undefined);
  }

  /** Saves and closes the document. Never rejects. */
  closeDocument(): Promise<void> {
    const document = this.#document;
    this.#document = null;
    clearInterval(this.#mergeTimer);
    clearInterval(this.#compareTimer);
    this.#mergeTimer = undefined;
    this.#compareTimer = undefined;
    this.#closing = this.#closing.then(async () => {
      const live = await document?.catch(() => null);
      await live?.close();
    });
    return this.#closing;
  }
}
