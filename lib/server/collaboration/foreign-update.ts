import "server-only";
import * as Y from "yjs";
import { rebaseLayout } from "@/lib/core/flow/rebase/rebase-layout";
import { rebaseTexts } from "@/lib/core/flow/rebase/rebase-texts";
import { diffTexts } from "@/lib/core/live/diff-texts";
import { type FlowContent, readLayout, readText, writeLayout, writeText } from "@/lib/core/live/live-document";

/** What leads from `base` to `head`, as an update of the document, which has changed since `base`; null: nothing. */
export function toForeignUpdate(doc: Y.Doc, base: FlowContent, head: FlowContent): Uint8Array | null {
  const copy = new Y.Doc();
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc));
  const [source, layout] = [readText(copy), readLayout(copy, base.layout)];
  const updates: Uint8Array[] = [];
  copy.on("update", (update: Uint8Array) => updates.push(update));
  copy.transact(() => {
    if (head.source !== source)
      writeText(
        copy,
        source,
        rebaseTexts(base.source, head.source, source, { diff: diffTexts, side: "foreign" }).changes,
      );
    writeLayout(copy, layout, rebaseLayout(base.layout, head.layout, layout));
  });
  return updates[0] ?? null;
}
