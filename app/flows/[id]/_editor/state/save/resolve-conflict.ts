import { loadPart } from "@/app/_ui/loading/load-part";
import type { Session } from "../session";

/** Merges changes that do not overlap; otherwise, and for restored changes, opens the merge view. */
export async function resolveConflict({ autosave, editor, view, notify }: Session): Promise<void> {
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
  notify.info("This flow was also changed elsewhere. Both changes were merged; undo removes theirs.");
}
