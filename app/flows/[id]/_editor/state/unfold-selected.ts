import { findFoldsAround } from "@/lib/core/flow/edit";
import { isNoteKey } from "@/lib/core/flow/note";
import type { Editor } from "./editor/editor";

/** Unfolds what contains a selected node, until the returned function is called. */
export const unfoldSelected = ({ store, dispatch }: Editor): (() => void) =>
  store.subscribe(({ layout, selection }, before) => {
    if (selection === before.selection || !layout.folded) return;
    const folds = selection.flatMap((key) => (isNoteKey(key) ? [] : findFoldsAround(layout, key)));
    if (folds.length > 0) dispatch([{ type: "set-folded", keys: [...new Set(folds)], folded: false }]);
  });
