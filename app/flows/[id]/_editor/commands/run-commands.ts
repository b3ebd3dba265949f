import { requestRun } from "../run/request-run";
import type { Session } from "../session";
import type { EditorCommand } from "./editor-command";

export const runCommands: readonly EditorCommand[] = [
  { id: "run", title: "Run this flow", group: "Run", keys: "Ctrl Enter", words: "start execute", run: startRun },
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
