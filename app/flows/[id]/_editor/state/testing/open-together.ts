import * as Y from "yjs";
import type { Edit } from "@/lib/core/flow/edit";
import { emptyLayout } from "@/lib/core/flow/edit";
import { rebaseDraft } from "@/lib/core/flow/rebase/rebase-draft";
import { applyChanges } from "@/lib/core/flow/text-change";
import { readText, seedDocument } from "@/lib/core/live/live-document";
import { assertAcceptable } from "@/lib/server/collaboration/update-limits";
import { getEditing, toDocument } from "../editing/editing";
import { type LiveDocument, openLiveDocument } from "../live/live-parts";
import type { Session } from "../session";
import { openSession } from "./open-session";

/** A generator of numbers from 0 to 1 that repeats itself for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** An editor that is connected with the others by messages that arrive in order, but late. */
export interface Member {
  session: Session;
  document: LiveDocument;
  toServer: Uint8Array[];
  fromServer: Uint8Array[];
  isOnline: boolean;
}

interface OpenOptions {
  /** Sees each session before it is connected. */
  watch?: (session: Session) => void;
  /** The ids of their documents; missing: random ones. */
  clients?: readonly number[];
  /** The document that the server has, as an update; missing: a new one with the text. */
  state?: Uint8Array;
}

/** The same bytes at each run: which of two insertions comes first depends on the ids of documents. */
function seedOnce(source: string): Uint8Array {
  const doc = new Y.Doc();
  doc.clientID = 500;
  Y.applyUpdate(doc, seedDocument({ source: "", layout: emptyLayout }));
  doc.getText("source").insert(0, source);
  return Y.encodeStateAsUpdate(doc);
}

/** Editors that go on answering each other never come to rest. */
const maxMessages = 5_000;

/** Editors of one flow, and the document of the server between them. */
export function openTogether(
  source: string,
  count: number,
  { watch = () => {}, clients = [], state }: OpenOptions = {},
) {
  const server = new Y.Doc();
  Y.applyUpdate(server, state ?? seedOnce(source));
  const members = Array.from({ length: count }, (_, index): Member => {
    const session = openSession(source);
    watch(session);
    const toServer: Uint8Array[] = [];
    const update = Y.encodeStateAsUpdate(server);
    const client = clients[index];
    const send = (sent: Uint8Array): void => void (member.isOnline && toServer.push(sent));
    const document = openLiveDocument(session, { lineage: "l", update, send, ...(client !== undefined && { client }) });
    const member: Member = { session, document, toServer, fromServer: [], isOnline: true };
    session.live.store.setState({ status: "together", self: null, peers: [] });
    document.bind();
    return member;
  });
  server.on("update", (update: Uint8Array, origin: unknown) => {
    for (const member of members) if (member !== origin && member.isOnline) member.fromServer.push(update);
  });
  /** Lets one message arrive, if there is one. */
  const deliver = (member: Member, direction: "toServer" | "fromServer"): boolean => {
    const update = member[direction].shift();
    if (!update) return false;
    if (direction === "toServer") {
      if (assertAcceptable(server, update, 0).isAhead)
        throw new Error("The server does not take what an editor noted.");
      Y.applyUpdate(server, update, member);
    } else member.document.apply(update);
    return true;
  };
  return {
    server,
    members,
    deliver,
    lose(member: Member): void {
      member.isOnline = false;
      member.toServer.length = 0;
      member.fromServer.length = 0;
    },
    /** What each lacks of the other is exchanged. */
    connect(member: Member): void {
      if (member.isOnline) return;
      member.isOnline = true;
      const missing = member.document.readSince(Y.encodeStateVector(server));
      member.fromServer.push(Y.encodeStateAsUpdate(server, member.document.readJoinVector()));
      member.toServer.push(missing);
    },
    /** Until every message has arrived; `isInTurn`: a message of each editor after the other, else all of the first one first. */
    settle({ isInTurn = false } = {}): void {
      const exchange = (member: Member): boolean =>
        [deliver(member, "toServer"), deliver(member, "fromServer")].includes(true);
      const isBusy = (): boolean => (isInTurn ? members.map(exchange).includes(true) : members.some(exchange));
      for (let rest = maxMessages; isBusy(); rest--)
        if (rest === 0) throw new Error("The editors do not come to rest.");
    },
    texts: (): string[] => [readText(server), ...members.map(({ session }) => session.editor.store.getState().text)],
  };
}

/** A text field of a form, with a caret, as the prompt of an agent is. */
export function openField({ editor }: Session, toEdit: (text: string) => Edit) {
  const read = (): string => {
    const { document } = editor.store.getState();
    return getEditing().readField(toDocument(document), toEdit(""));
  };
  let text = read();
  let caret = text.length;
  const stop = editor.store.subscribe(() => {
    const changes = rebaseDraft({ base: text, text }, read());
    caret = getEditing().moveOffset(caret, changes, "own");
    text = applyChanges(text, changes);
  });
  const write = (next: string, nextCaret: number): void => {
    text = next;
    caret = nextCaret;
    const problem = editor.dispatch([toEdit(next)]);
    if (problem) throw new Error(problem.message);
  };
  return {
    get text(): string {
      return text;
    },
    get caret(): number {
      return caret;
    },
    moveTo(offset: number): void {
      caret = offset;
    },
    type(letters: string): void {
      write(text.slice(0, caret) + letters + text.slice(caret), caret + letters.length);
    },
    /** Selects a range and types or pastes over it. */
    replace(start: number, end: number, letters: string): void {
      write(text.slice(0, start) + letters + text.slice(end), start + letters.length);
    },
    deleteLeft(): void {
      if (caret > 0) write(text.slice(0, caret - 1) + text.slice(caret), caret - 1);
    },
    undo: editor.undo,
    redo: editor.redo,
    stop,
  };
}
