import type { StoreApi } from "zustand/vanilla";
import { loadPart } from "@/app/_ui/loading/load-part";
import type { Editor } from "../editor/editor";
import type { EditorViewState } from "../view";
import type { Autosave } from "./autosave-driver";

interface ConflictOptions {
  autosave: Autosave;
  editor: Editor;
  view: StoreApi<EditorViewState>;
  onNotice(message: string): void;
}

/** Merges changes that do not overlap; otherwise, and for restored changes, opens the merge view. */
export async function resolveConflict({ autosave, editor, view, onNotice }: ConflictOptions): Promise<void> {
  const { mergeVersions } = await loadPart(() => import("./merge-versions"));
  const { phase, stored, theirs, review } = autosave.store.getState();
  if (phase !== "conflict" || !theirs) return;
  const { text, layout } = editor.store.getState();
  const merged = mergeVersions(stored, { source: text, layout }, theirs);
  if (merged.conflicts > 0 || merged.suspicious || review) {
    view.setState({ dialog: "conflict" });
    return;
  }
  editor.replace(merged.text, merged.layout);
  autosave.apply({ type: "kept-mine" });
  onNotice("This flow was also changed elsewhere. Both changes were merged; undo removes theirs.");
}
