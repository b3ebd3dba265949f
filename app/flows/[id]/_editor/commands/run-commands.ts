import { runBlockersOf } from "@/lib/core/flow/problem";
import type { Session } from "../state/session";
import { inGroup } from "./editor-command";

export const runCommands = inGroup("Run", [
  {
    id: "run",
    title: "Run this flow",
    chords: { editor: ["Ctrl Enter"] },
    disabledIn: "dialog",
    words: "start execute",
    run: startRun,
  },
  {
    id: "close-run",
    title: "Close the run",
    run: ({ view }) => view.setState({ run: null }),
    when: ({ view }) => view.getState().run !== null,
  },
]);

function startRun(session: Session): void {
  if (!session.view.getState().preparing) void requestRun(session);
}

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
