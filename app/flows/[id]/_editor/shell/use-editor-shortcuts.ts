import { useEffect } from "react";
import { readEditorKey } from "../commands/editor-keys";
import { mendProblem, walkProblems } from "../commands/problem-commands";
import { requestRun } from "../commands/request-run";
import type { Session } from "../state/session";

/** Keys that work wherever the focus is. Undo leaves fields their own while somebody writes in them. */
export function useEditorShortcuts(session: Session): void {
  useEffect(() => {
    const { editor, view } = session;
    const press = (event: KeyboardEvent): void => {
      const key = event.defaultPrevented ? null : readEditorKey(event);
      if (key === "next-problem") walkProblems(session, 1);
      else if (key === "previous-problem") walkProblems(session, -1);
      else if (key === "mend-problem") mendProblem(session);
      else if (key === "run") void startRun(event, session);
      else if (key === "text-pane") view.setState(({ textOpen }) => ({ textOpen: !textOpen }));
      else if (key === "palette" && !isInDialog(event.target)) view.setState({ surface: { type: "palette" } });
      else if (key === "undo" && !isWriting(event.target)) editor.undo();
      else if (key === "redo" && !isWriting(event.target)) editor.redo();
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [session]);
}

/** Not while a dialog is open: there Ctrl+Enter belongs to its form. */
async function startRun(event: KeyboardEvent, session: Session): Promise<void> {
  if (!isInDialog(event.target) && !session.view.getState().preparing) await requestRun(session);
}

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="dialog"]') !== null;

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
