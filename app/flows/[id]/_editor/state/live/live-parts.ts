import * as Y from "yjs";
import { composeChanges } from "@/lib/core/flow/rebase/compose-changes";
import { toWordChanges } from "@/lib/core/flow/rebase/diff-tokens";
import type { TextChange } from "@/lib/core/flow/text-range";
import { listAuthors, signDocument } from "@/lib/core/live/authors";
import { diffTexts } from "@/lib/core/live/diff-texts";
import { toContentDigest, toDigest } from "@/lib/core/live/document-digest";
import { findNearest } from "@/lib/core/live/find-nearest";
import {
  type DocumentChange,
  type FlowContent,
  followText,
  readLayout,
  readText,
  readWholeText,
  watchDocument,
  writeLayout,
} from "@/lib/core/live/live-document";
import { findLost, findOwnBefore, findTaken, type LostText, type OwnText } from "@/lib/core/live/lost-texts";
import { addOwnClient } from "@/lib/core/live/own-clients";
import { type OwnClient, OwnWriting } from "@/lib/core/live/own-writing";
import { listPossibleTexts } from "@/lib/core/live/possible-texts";
import { noteRestoredVersion } from "@/lib/core/live/restored-versions";
import { findRivals } from "@/lib/core/live/rivals";
import { bringsNotes } from "@/lib/core/live/structure-versions";
import { isInText } from "@/lib/core/live/written-parts";
import { type SettledStructure, settleStructure } from "@/lib/core/settle/settle-structure";
import type { FlowReading } from "@/lib/core/source/read/source-document";
import { toDocument } from "../editing/editing";
import { type EditorState, readAtOnceLength } from "../editor/editor";
import type { SharedCopy } from "../save/shared-copy";
import type { Session } from "../session";
import { type Absence, watchAbsence } from "./absence";
import { askAboutTwins, tellOfGiven } from "./ask-about-twins";
import { readAttention } from "./attention";
import { dropLost } from "./drop-lost";
import { createEmptyingHold } from "./emptying-hold";
import type { SideTexts } from "./find-twin";
import { mergeReturned } from "./merge-into";
import { type Collisions, joinAfterMerge, settleReceived } from "./settle-received";
import { tellOfStructure } from "./structure/tell-of-structure";
import { type NextText, writeNext } from "./write-next";

/** The origins of changes: the server's, and this editor's. */
const [fromServer, fromEditor] = [Symbol("server"), Symbol("editor")];

const emptyVector = new Uint8Array([0]);

export type LiveDocument = ReturnType<typeof openLiveDocument>;

export interface LiveDocumentOptions {
  lineage: string;
  /** Everything the server has. */
  update: Uint8Array;
  /** Receives what this editor changes. */
  send(update: Uint8Array): void;
  /** Receives what the document holds after each change. */
  onChange?(content: FlowContent): void;
  /** The id of the document; missing: a random one. */
  client?: number;
  /** The id of the document of the last visit, with which this one goes on. */
  earlierClient?: number;
  /** What that one, and those before it, wrote; missing: nothing that the server lacks. */
  earlierWriting?: readonly OwnClient[] | undefined;
}

/** The document of a session, in both directions: what the editor changes, and what others change. */
export function openLiveDocument(session: Session, options: LiveDocumentOptions) {
  const { lineage, onChange } = options;
  const { editor, live } = session;
  const doc = createDocument(options);
  const own = new OwnWriting(doc, listEarlier(doc, options));
  const opened: FlowContent = { source: readText(doc), layout: readLayout(doc, editor.store.getState().layout) };
  let [known, isBound, wasAlone] = [opened, false, true];

  const stopDocument = watchDocument(doc, (change) => {
    known = followContent(doc, known, change);
    const isShown = settling.collect(change.changes) || change.origin === fromEditor;
    if (!isShown && isBound && !hold.isOn()) live.receive(() => editor.receive(change.changes, known.layout));
    onChange?.(known);
  });
  const absence = watchAbsence(session, doc, options.earlierClient !== undefined);
  const settling = createSettling(session, doc, { readKnown: () => known, absence });

  /** Makes the document what the editor shows. */
  const write = (previous?: FlowReading): void => {
    if (isReadNext(editor.store.getState(), known) || hold.keepsBack()) return;
    const state = editor.store.getState();
    const { text, layout } = state;
    if (text === known.source && layout === known.layout) return;
    writeState(doc, known, { state, previous, author: live.store.getState().self?.name, wasAlone });
    known = { source: known.source, layout };
    // Of a character that two people changed the document keeps no half.
    if (known.source !== text) live.receive(() => editor.receive(diffTexts(text, known.source), layout));
  };
  const writeAndJoin = (): void => {
    write();
    if (!hold.isOn()) settling.join();
  };
  const hold = createEmptyingHold(session, { readShared: () => known, onEnd: writeAndJoin });
  const stopEditor = editor.store.subscribe((_, { document }) => {
    if (isBound && !live.isReceiving()) write(document);
  });

  return {
    lineage,
    opened,
    own,
    /** From now on each follows the other, first the document what the editor shows. `emptied`: before a question is answered. */
    bind(emptied?: FlowContent): void {
      isBound = true;
      editor.setTogether(true);
      if (emptied) hold.begin(emptied);
      writeAndJoin();
      wasAlone = false;
    },
    apply: (received: Uint8Array): void =>
      isBound && !hold.isOn() ? settling.apply(received) : Y.applyUpdate(doc, received, fromServer),
    ...createOwnAppliers(doc, { settling, send: options.send }),
    ...createReaders(doc, { lineage, own, asksForAll: absence.asksForAll, isHeld: hold.isOn }),
    close(): void {
      for (const stop of [stopDocument, stopEditor, absence.stop, hold.stop]) stop();
      editor.setTogether(false);
      doc.destroy();
    },
  };
}

interface ApplierOptions extends Pick<LiveDocumentOptions, "send"> {
  settling: ReturnType<typeof createSettling>;
}

/** For what this user did in another document with the same lineage, and what the others are told. */
const createOwnAppliers = (doc: Y.Doc, { settling, send }: ApplierOptions) => ({
  applyOwn: settling.apply,
  noteRestored: (version: string): void => doc.transact(() => noteRestoredVersion(doc, version), fromEditor),
  /** Deletes what was deleted in it. What was written in it stays unknown. */
  deleteAsIn(copy: SharedCopy): void {
    const update = readDeletions(doc, copy);
    if (!update) return;
    settling.apply(update);
    send(update);
  },
});

/** Null: nothing of the text was deleted in it, or it has something else. */
function readDeletions(doc: Y.Doc, { state }: SharedCopy): Uint8Array | null {
  const update = Y.diffUpdate(state, Y.encodeStateVector(doc));
  const merged = readWholeText(Y.mergeUpdates([Y.encodeStateAsUpdate(doc), update]));
  const changes = merged === null ? [] : diffTexts(readText(doc), merged);
  return changes.length > 0 && changes.every(({ insert }) => insert === "") ? update : null;
}

interface ReaderOptions {
  lineage: string;
  own: OwnWriting;
  /** Whether the server is asked for all that it has. */
  asksForAll(): boolean;
  /** Whether what the editor shows is not for the others. */
  isHeld(): boolean;
}

const createReaders = (doc: Y.Doc, { lineage, own, asksForAll, isHeld }: ReaderOptions) => ({
  readVector: (): Uint8Array => Y.encodeStateVector(doc),
  /** What the document has for certain: the server sends the rest. */
  readJoinVector: (): Uint8Array => (asksForAll() ? emptyVector : own.readVector()),
  readAuthors: (): string[] => listAuthors(doc),
  digest: (): number => toDigest(doc),
  contentDigest: (): number => toContentDigest(doc),
  /** For a copy in the browser. Null: what the editor shows is not for the others, or there is too much. */
  readCopy: (): SharedCopy | null => (isHeld() ? null : toSharedCopy(doc, lineage, own)),
  /** What a document with this state vector lacks. */
  readSince: (vector: Uint8Array): Uint8Array => Y.encodeStateAsUpdate(doc, vector),
});

const followContent = (doc: Y.Doc, { source, layout }: FlowContent, change: DocumentChange): FlowContent => ({
  source: followText(source, change),
  layout: change.layoutChanged ? readLayout(doc, layout) : layout,
});

/** A copy is written twice a second. */
const maxCopiedItems = 30_000;

function toSharedCopy(doc: Y.Doc, lineage: string, own: OwnWriting): SharedCopy | null {
  let items = 0;
  for (const { length } of doc.store.clients.values()) items += length;
  if (items > maxCopiedItems) return null;
  const state = new Uint8Array(Y.encodeStateAsUpdate(doc));
  return { lineage, state, client: doc.clientID, own: own.list(), hasDeleted: own.hasDeleted };
}

function listEarlier(doc: Y.Doc, options: LiveDocumentOptions): readonly OwnClient[] {
  const { earlierClient: client, earlierWriting } = options;
  if (earlierWriting || client === undefined) return earlierWriting ?? [];
  const state = Y.getState(doc.store, client);
  return [{ client, sent: state, confirmed: state }];
}

/** Before a text is read it is not known whether anything is left of the flow. */
function isReadNext({ text, document }: EditorState, known: FlowContent): boolean {
  return document.text !== text && (text.length <= readAtOnceLength || text.length < known.source.length / 2);
}

function createDocument({ update, send, client, earlierClient, earlierWriting = [] }: LiveDocumentOptions): Y.Doc {
  const doc = new Y.Doc();
  if (client !== undefined) doc.clientID = client;
  if (earlierClient !== undefined) addOwnClient(doc, earlierClient);
  for (const earlier of earlierWriting) addOwnClient(doc, earlier.client);
  Y.applyUpdate(doc, update, fromServer);
  doc.on("update", (sent: Uint8Array, origin: unknown) => {
    if (origin === fromEditor) send(sent);
  });
  return doc;
}

interface WrittenState extends Pick<NextText, "wasAlone"> {
  state: EditorState;
  previous: FlowReading | undefined;
  author: string | undefined;
}

/** Makes a document, which holds `before`, what an editor shows. */
function writeState(doc: Y.Doc, before: FlowContent, { author, ...next }: WrittenState): void {
  doc.transact(() => {
    writeNext(doc, before.source, next);
    writeLayout(doc, before.layout, next.state.layout);
    signDocument(doc, author);
  }, fromEditor);
}

interface AppliedUpdate {
  transactions: readonly Y.Transaction[];
  /** What others took out of what this user wrote. */
  taken: readonly LostText[];
  /** What this user wrote in what others had deleted. */
  own: readonly OwnText[];
  /** What was known before: how much of each document. */
  known: ReadonlyMap<number, number>;
  /** Whether there may be something to settle; if not, nothing is lost. */
  isUnsettled: boolean;
}

interface SettlingOptions {
  /** What the document holds. */
  readKnown(): FlowContent;
  absence: Absence;
}

/** Applies updates and settles them: the editor receives the result. */
function createSettling(session: Session, doc: Y.Doc, { readKnown, absence }: SettlingOptions) {
  const { editor } = session;
  let collected: (readonly TextChange[])[] | null = null;
  /** `change` returns whether the structure may have to be settled; `previous`: what was read before. Returns what it lost. */
  const settle = (change: () => boolean, previous?: FlowReading): readonly LostText[] => {
    const before = readKnown();
    const parts: (readonly TextChange[])[] = [];
    collected = parts;
    let settled: SettledStructure | null = null;
    const failures: unknown[] = [];
    try {
      const isNoted = change();
      const shown = toDocument(previous ?? editor.store.getState().document);
      settled = isNoted ? settleStructure(doc, shown, fromEditor) : null;
    } catch (error) {
      failures.push(error);
    }
    collected = null;
    // In any case: what the document has and the editor does not show is deleted with the next change of the user.
    show(session, { before, after: readKnown(), parts });
    for (const error of failures) reportError(error);
    if (settled) tellOfStructure(session, settled);
    return settled?.lost ?? [];
  };
  /** The first time it was not known which of several names stays, nor what is in a section that could not be read. */
  const settleAgain = (previous: FlowReading): void =>
    dropLost(session, doc, { lost: settle(() => true, previous), seen: null });
  return {
    /** Returns whether the changes are those of an update that is being settled. */
    collect(changes: readonly TextChange[]): boolean {
      collected?.push(changes);
      return collected !== null;
    },
    /** Settles what this user and others did while apart. */
    join(): void {
      const { document } = editor.store.getState();
      const lost = settle(() => true);
      if (joinAfterMerge(session, doc, lost)) settleAgain(document);
    },
    apply(update: Uint8Array, knownSides?: SideTexts): void {
      const [{ document, layout }, attention] = [readTyped(session), readAttention(session)];
      let applied: AppliedUpdate = { transactions: [], taken: [], own: [], known: new Map(), isUnsettled: true };
      const structureLost = settle(() => {
        applied = applyUpdate(doc, update);
        return applied.isUnsettled;
      });
      // Afterwards: in the middle of the update the document calls no one about another change.
      const collisions: Collisions = {
        rivals: applied.transactions.flatMap(findRivals),
        known: applied.known,
        lost: [...applied.taken, ...structureLost, ...(applied.isUnsettled ? findLost(doc) : [])],
        // An agent that was added beside a deleted one is kept.
        seen: { document: toDocument(document), layout, own: applied.own.filter(({ part }) => !isInText(doc, [part])) },
        sides: knownSides ?? absence.readSides(update, document.text),
        attention,
      };
      if (settleReceived(session, doc, collisions)) settleAgain(document);
    },
  };
}

function readTyped({ editor }: Session): EditorState {
  const { document, text } = editor.store.getState();
  // What was typed is sent first: an update is a change of what both have.
  if (document.text !== text) editor.recheck();
  return editor.store.getState();
}

interface ShownChange {
  before: FlowContent;
  after: FlowContent;
  /** The changes that lead from one to the other, one after the other. */
  parts: readonly (readonly TextChange[])[];
}

function show({ editor, live }: Session, { before, after, parts }: ShownChange): void {
  const changes = toWordChanges(before.source, parts.reduce<TextChange[]>(composeChanges, []));
  if (changes.length > 0 || after.layout !== before.layout) live.receive(() => editor.receive(changes, after.layout));
}

function applyUpdate(doc: Y.Doc, received: Uint8Array): AppliedUpdate {
  const transactions: Y.Transaction[] = [];
  const taken: LostText[] = [];
  // Before the first transaction the document is what the user saw.
  let own: readonly OwnText[] | null = null;
  const collect = (transaction: Y.Transaction): void => {
    transactions.push(transaction);
    // Later the document has no text of it.
    taken.push(...findTaken(transaction));
    own ??= findOwnBefore(transaction);
  };
  doc.on("afterTransaction", collect);
  Y.applyUpdate(doc, received, fromServer);
  doc.off("afterTransaction", collect);
  // A field of what is kept in the place of a deleted entry may be written without a note.
  const isUnsettled = transactions.some(bringsNotes) || findLost(doc).length > 0;
  const known = transactions[0]?.beforeState ?? new Map<number, number>();
  return { transactions, taken, own: own ?? [], known, isUnsettled };
}

export { askAboutTwins, diffTexts, findNearest, listPossibleTexts, mergeReturned, readWholeText, tellOfGiven };
