import * as Y from "yjs";
import { rebaseChanges } from "@/lib/core/flow/rebase/rebase-changes";
import { rebaseLayout } from "@/lib/core/flow/rebase/rebase-layout";
import { applyChanges } from "@/lib/core/flow/text-change";
import { diffTexts } from "@/lib/core/live/diff-texts";
import {
  type FlowContent,
  followText,
  readLayout,
  readText,
  watchDocument,
  writeLayout,
  writeText,
} from "@/lib/core/live/live-document";
import type { Session } from "../session";

/** The origins of changes: the server's, and this editor's. */
const [fromServer, fromEditor] = [Symbol("server"), Symbol("editor")];

export type LiveDocument = ReturnType<typeof openLiveDocument>;

interface LiveDocumentOptions {
  lineage: string;
  /** Everything the server has. */
  update: Uint8Array;
  /** Receives what this editor changes. */
  send(update: Uint8Array): void;
}

/** The document of a session, in both directions: what the editor changes, and what others change. */
export function openLiveDocument({ editor, live }: Session, { lineage, update, send }: LiveDocumentOptions) {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, update, fromServer);
  const opened: FlowContent = { source: readText(doc), layout: readLayout(doc, editor.store.getState().layout) };
  let known = opened;
  let isBound = false;

  const stopDocument = watchDocument(doc, (change) => {
    const source = followText(known.source, change);
    known = { source, layout: change.layoutChanged ? readLayout(doc, known.layout) : known.layout };
    if (change.origin !== fromEditor && isBound) live.receive(() => editor.receive(change.changes, known.layout));
  });
  doc.on("update", (sent: Uint8Array, origin: unknown) => {
    if (origin === fromEditor) send(sent);
  });

  /** Makes the document what the editor shows. */
  const write = (): void => {
    const { text, layout, change } = editor.store.getState();
    if (text === known.source && layout === known.layout) return;
    const before = known;
    doc.transact(() => {
      if (text !== before.source)
        writeText(
          doc,
          before.source,
          change?.before === before.source ? change.changes : diffTexts(before.source, text),
        );
      writeLayout(doc, before.layout, layout);
    }, fromEditor);
    known = { source: known.source, layout };
    // Of a character that two people changed the document keeps no half.
    if (known.source !== text) live.receive(() => editor.receive(diffTexts(text, known.source), layout));
  };
  const stopEditor = editor.store.subscribe(() => {
    if (isBound && !live.isReceiving()) write();
  });

  return {
    lineage,
    opened,
    /** From now on each follows the other, first the document what the editor shows. */
    bind(): void {
      isBound = true;
      write();
    },
    apply: (received: Uint8Array): void => Y.applyUpdate(doc, received, fromServer),
    get vector(): Uint8Array {
      return Y.encodeStateVector(doc);
    },
    /** What a document with this state vector lacks. */
    readSince: (vector: Uint8Array): Uint8Array => Y.encodeStateAsUpdate(doc, vector),
    close(): void {
      stopDocument();
      stopEditor();
      doc.destroy();
    },
  };
}

/** `mine`, which began as `base`, with everything that leads from there to `theirs`: where both changed, both stay. */
export function mergeInto(base: FlowContent, mine: FlowContent, theirs: FlowContent): FlowContent {
  const over = diffTexts(base.source, theirs.source);
  const own = diffTexts(base.source, mine.source).filter(
    ({ from: start, to: end, insert }) =>
      !over.some((other) => other.from === start && other.to === end && other.insert === insert),
  );
  return {
    source: applyChanges(theirs.source, rebaseChanges(own, over)),
    layout: rebaseLayout(base.layout, mine.layout, theirs.layout),
  };
}

export { diffTexts };
