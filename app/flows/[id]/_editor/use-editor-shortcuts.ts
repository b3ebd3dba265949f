import { useEffect } from "react";
import { mendProblem, walkProblems } from "./problems/problem-commands";
import { requestRun } from "./run/request-run";
import type { Session } from "./session";

/** Keys that work wherever the focus is. Undo leaves fields their own while somebody writes in them. */
export function useEditorShortcuts(session: Session): void {
  useEffect(() => {
    const { editor, view } = session;
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey) return;
      const control = event.ctrlKey || event.metaKey;
      const key = event.key.toLowerCase();
      if (!control && key !== "f8") return;
      if (key === "f8") walkProblems(session, event.shiftKey ? -1 : 1);
      else if (key === ".") mendProblem(session);
      else if (key === "enter") void startRun(event, session);
      else if (key === "\\") view.setState(({ textOpen }) => ({ textOpen: !textOpen }));
      else if (key === "k" && !isInDialog(event.target)) view.setState({ surface: { type: "palette" } });
      else if (isWriting(event.target)) return;
      else if (key === "z" && !event.shiftKey) editor.undo();
      else if (key === "y" || key === "z") editor.redo();
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
