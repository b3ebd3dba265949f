import { useEffect } from "react";
import type { Session } from "./session";

/** Keys that work wherever the focus is. Undo leaves fields their own while somebody writes in them. */
export function useEditorShortcuts({ editor, view }: Session): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || !(event.ctrlKey || event.metaKey)) return;
      const key = event.key.toLowerCase();
      if (key === "enter") view.setState({ dialog: "run" });
      else if (key === "\\") view.setState(({ textOpen }) => ({ textOpen: !textOpen }));
      else if (isWriting(event.target)) return;
      else if (key === "z" && !event.shiftKey) editor.undo();
      else if (key === "y" || key === "z") editor.redo();
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [editor, view]);
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
