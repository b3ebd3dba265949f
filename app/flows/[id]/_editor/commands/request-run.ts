import { runBlockersOf } from "@/lib/core/flow/problem";
import type { Session } from "../state/session";

export async function requestRun({ editor, autosave, drafts, view, notify }: Session): Promise<void> {
  drafts.commitAll();
  if (runBlockersOf(editor.store.getState().problems).length > 0) {
    view.setState({ dialog: "blocked" });
    return;
  }
  view.setState({ dialog: null, preparing: true });
  const saved = await autosave.flush();
  view.setState({ preparing: false });
  if (saved) view.setState({ dialog: "run" });
  else notify.error("The flow could not be saved, and only saved flows can run. See the save state above.");
}
