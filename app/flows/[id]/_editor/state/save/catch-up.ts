import { loadPart } from "@/app/_ui/loading/load-part";
import type { Session } from "../session";

/** Shows what was saved elsewhere. It is no step of the history: undo reverts what this user did. */
export async function catchUp({ autosave, editor }: Pick<Session, "autosave" | "editor">): Promise<void> {
  const theirs = await autosave.findNewer();
  if (!theirs) return;
  const found = autosave.store.getState();
  const { diffTexts } = await loadPart(() => import("@/lib/core/live/diff-texts"));
  // What was edited or opened meanwhile is newer.
  if (autosave.store.getState() !== found) return;
  autosave.apply({ type: "caught-up", theirs });
  editor.receive(diffTexts(editor.store.getState().text, theirs.source), theirs.layout);
}
