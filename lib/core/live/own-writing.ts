import * as Y from "yjs";
import { printPlain } from "./document-digest";

/** What one document id wrote, as clocks: everything before them. */
export interface OwnClient {
  client: number;
  /** What the server may have received. No one else can know of what comes after it. */
  sent: number;
  /** What the server is known to have received. */
  confirmed: number;
  /** Where messages ended between both: what arrived ends at one of these. Missing: not known. */
  ends?: readonly number[] | undefined;
}

type Clocks = Omit<OwnClient, "client">;
type Struct = ReturnType<typeof Y.decodeUpdate>["structs"][number];

/** Of more messages some are left out. */
const maxEnds = 30;

/** Earlier documents of which a copy names no more than these. */
const maxClients = 20;

/**
 * What a document wrote with its id, and the documents that it continues with theirs. Yjs takes the first insertion that it
 * receives for each clock of an id: whoever writes with the id of someone else makes the letters of that person disappear.
 */
export class OwnWriting {
  readonly #clients = new Map<number, Clocks>();
  /** Changes that deleted something: no clock tells of them. */
  #deletions = 0;
  #confirmedDeletions = 0;

  /** `earlier`: of the documents that this one continues. */
  constructor(
    private readonly doc: Y.Doc,
    earlier: readonly OwnClient[] = [],
  ) {
    for (const { client, ...clocks } of earlier) this.#clients.set(client, clocks);
    const state = Y.getState(doc.store, doc.clientID);
    this.#clients.set(doc.clientID, { sent: state, confirmed: state });
    if (earlier.length > 0) this.#deletions++;
    doc.on("afterTransaction", ({ local, deleteSet }) => {
      if (local && deleteSet.clients.size > 0) this.#deletions++;
    });
  }

  /** Whether the server may have what was deleted here. */
  get hasDeleted(): boolean {
    return this.#deletions > this.#confirmedDeletions;
  }

  /** Everything that was written so far is being sent. */
  markSent(): void {
    for (const [client, clocks] of this.#clients) {
      const sent = Y.getState(this.doc.store, client);
      if (sent > clocks.sent) clocks.ends = listEnds(clocks);
      clocks.sent = sent;
    }
  }

  /** Returns a function to be called once the server has told that it has what was sent until now. */
  watchSent(): () => void {
    const sent = new Map([...this.#clients].map(([client, clocks]) => [client, clocks.sent]));
    const deletions = this.#deletions;
    return () => {
      this.#confirmedDeletions = Math.max(this.#confirmedDeletions, deletions);
      for (const [client, clocks] of this.#clients)
        clocks.confirmed = Math.max(clocks.confirmed, sent.get(client) ?? 0);
    };
  }

  /** The server has this state vector, and nothing in it is forged. */
  confirm(vector: Uint8Array): void {
    const states = Y.decodeStateVector(vector);
    for (const [client, clocks] of this.#clients) clocks.confirmed = states.get(client) ?? 0;
  }

  /** The state vector of the document without what is not confirmed: the server sends that, and it is compared. */
  readVector(): Uint8Array {
    const states = Y.decodeStateVector(Y.encodeStateVector(this.doc));
    for (const [client, { confirmed }] of this.#clients) if (states.has(client)) states.set(client, confirmed);
    return Y.encodeStateVector(states);
  }

  /** For a copy of the document. */
  list(): OwnClient[] {
    const clients = Array.from(this.#clients, ([client, clocks]) => ({ client, ...clocks }));
    return clients.filter(({ client }) => Y.getState(this.doc.store, client) > 0).slice(-maxClients);
  }

  /**
   * Whether an update has something under an own id that was written elsewhere. It must not have been applied. `vector`: the
   * state vector of the server, with which the update was sent at joining: what others deleted meanwhile is in it.
   */
  isForged(update: Uint8Array, vector?: Uint8Array): boolean {
    const states = vector && Y.decodeStateVector(vector);
    const { structs, ds } = Y.decodeUpdate(update);
    for (const [client, { sent }] of this.#clients) {
      if ((states?.get(client) ?? 0) > sent) return true;
      if (ds.clients.get(client)?.some(({ clock, len }) => clock + len > sent)) return true;
    }
    return structs.some((struct) => this.#isForeign(struct, states !== undefined));
  }

  #isForeign(struct: Struct, isJoining: boolean): boolean {
    const clocks = this.#clients.get(struct.id.client);
    if (!clocks || struct instanceof Y.Skip) return false;
    const { client, clock: start } = struct.id;
    const end = start + struct.length;
    if (end > Y.getState(this.doc.store, client)) return true;
    for (let clock = start; clock < end; ) {
      const own: unknown = Y.getItem(this.doc.store, Y.createID(client, clock));
      if (!(own instanceof Y.Item || own instanceof Y.GC)) return true;
      const length = Math.min(own.id.clock + own.length, end) - clock;
      if (own instanceof Y.Item && !own.deleted) {
        if (!isSame(this.doc, struct, own, { clock, length })) return true;
        // What is deleted as it arrives was relayed by someone, or forged: others delete what the server has.
        if (isRemoved(struct) && !isJoining && clock + length > clocks.confirmed) return true;
      }
      clock += length;
    }
    return false;
  }
}

/** With the end of what was sent last. */
function listEnds({ sent, confirmed, ends = [] }: Clocks): number[] {
  const open = [...ends, sent].filter((end) => end > confirmed);
  return open.length > maxEnds ? open.filter((_, index) => index % 2 === 1) : open;
}

const isRemoved = (struct: Struct): boolean =>
  !(struct instanceof Y.Item) || struct.content instanceof Y.ContentDeleted;

interface ClockRange {
  clock: number;
  length: number;
}

/** Whether a struct is an item, at the same place and with the same content unless that was deleted, in a range of both. */
function isSame(doc: Y.Doc, struct: Struct, own: Y.Item, { clock, length }: ClockRange): boolean {
  // Of what is in a deleted value not even the place is left.
  if (!(struct instanceof Y.Item)) return own.parent instanceof Y.AbstractType && own.parent._item !== null;
  const [received, origin] = [originAt(struct, clock), originAt(own, clock)];
  if (!Y.compareIDs(received, origin) || !Y.compareIDs(struct.rightOrigin, own.rightOrigin)) return false;
  const isFirst = !received && !struct.rightOrigin;
  if (isFirst && (struct.parentSub !== own.parentSub || !isSameParent(doc, struct, own))) return false;
  return isRemoved(struct) || readContent(struct, clock, length) === readContent(own, clock, length);
}

const originAt = ({ id, origin }: Y.Item, clock: number): Y.ID | null =>
  clock > id.clock ? Y.createID(id.client, clock - 1) : origin;

/** `received`: as it was decoded, with the name or the id of its parent. */
function isSameParent({ share }: Y.Doc, { parent: received }: Y.Item, { parent }: Y.Item): boolean {
  const named: unknown = received;
  if (typeof named === "string") return share.get(named) === parent;
  if (!(parent instanceof Y.AbstractType)) return false;
  return named instanceof Y.ID && Y.compareIDs(named, parent._item?.id ?? null);
}

function readContent({ id, content }: Y.Item, clock: number, length: number): string {
  const [start, end] = [clock - id.clock, clock - id.clock + length];
  if (content instanceof Y.ContentString) return content.str.slice(start, end);
  if (content instanceof Y.ContentType) return content.type.constructor.name;
  return printPlain(content.getContent().slice(start, end));
}
