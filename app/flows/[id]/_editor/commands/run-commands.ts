import type { Session } from "../state/session";
import type { EditorCommand } from "./editor-command";
import { requestRun } from "./request-run";

export const runCommands: readonly EditorCommand[] = [
  {
    id: "run",
    title: "Run this flow",
    group: "Run",
    chords: { editor: ["Ctrl Enter"] },
    disabledIn: "dialog",
    words: "start execute",
    run: startRun,
  },
  {
    id: "close-run",
    title: "Close the run",
    group: "Run",
    run: ({ view }) => view.setState({ run: null }),
    when: ({ view }) => view.getState().run !== null,
  },
];

function startRun(session: Session): void {
  if (!session.view.getState().preparing) void requestRun(session);
}
