import type { Offer } from "@/lib/core/check/offer";
import { emptyLayout, type Layout } from "@/lib/core/flow/edit";
import { readSource } from "@/lib/core/source/read-source";
import { loadEditing } from "../editing/editing";
import { createEditor, type Editor } from "../editor/editor";

await loadEditing();

interface Known {
  layout?: Layout;
  offer?: Offer;
  onNotice?(message: string): void;
}

/** An editor of this text, in which everything is loaded. */
export const openEditor = (text: string, { layout = emptyLayout, offer = {}, onNotice }: Known = {}): Editor =>
  createEditor(readSource(text, offer), layout, offer, onNotice);
