import { expect, it } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { seedDocument } from "@/lib/core/live/live-document";
import type { SaveAnswer } from "../save/autosave";
import { createSharedCopies } from "./shared-copies";

const toSnapshot = (source: string) => ({ source, layout: emptyLayout });
const request = { flowId: "f", snapshot: toSnapshot("name: mine\n"), baseRevision: "r1", allowEmpty: false };
const copy = { lineage: "l", state: Uint8Array.from(seedDocument(toSnapshot("name: kept\n"))), client: 1 };

/** Saves with a kept document while it cannot be joined. Returns whether it is still kept, and whether saves wait for it. */
async function saveBeside(answer: SaveAnswer): Promise<{ isKept: boolean; isHeld: boolean }> {
  let isHeld = false;
  const copies = createSharedCopies(() => {
    isHeld = true;
    return () => {
      isHeld = false;
    };
  });
  copies.keep(copy);
  expect(isHeld).toBe(true);
  await copies.watch({ save: async () => answer, current: async () => null }).save(request);
  return { isKept: copies.isKept(), isHeld };
}

it.each<[string, SaveAnswer]>([
  ["it was saved", { type: "succeeded", revision: "r2" }],
  ["the flow has it already", { type: "conflicted", theirs: { ...request.snapshot, revision: "r2" } }],
])("the document of the last visit is not joined once a request stored its text: %s", async (_, answer) => {
  expect(await saveBeside(answer)).toEqual({ isKept: false, isHeld: false });
});

it.each<[string, SaveAnswer]>([
  ["no answer", { type: "failed", message: "The server did not answer.", retryable: true }],
  ["the flow has another text", { type: "conflicted", theirs: { ...toSnapshot("name: theirs\n"), revision: "r2" } }],
])("it is kept where the text is not stored: %s", async (_, answer) => {
  expect(await saveBeside(answer)).toEqual({ isKept: true, isHeld: true });
});
