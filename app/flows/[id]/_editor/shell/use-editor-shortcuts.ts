import { useEffect } from "react";
import { findCommand, isEnabled } from "../commands/registry";
import type { Session } from "../state/session";

export function useEditorShortcuts(session: Session): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const command = event.defaultPrevented ? null : findCommand(event, "editor");
      if (
        !command ||
        isBehindDialog(event.target, session) ||
        !isEnabled(command, session) ||
        (command.disabledIn === "text-field" && isTextField(event.target))
      )
        return;
      // Also of what is not run: the browser undoes in a field that had the focus before.
      event.preventDefault();
      const isAsked = command.disabledIn === "text-field" && session.view.getState().dialog !== null;
      if (!isAsked && !(command.disabledIn === "dialog" && isInDialog(event.target))) command.run(session);
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [session]);
}

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="dialog"]') !== null;

// A dialog that someone else's change opened has the focus a moment later: what is typed meanwhile is meant for a field.
const isBehindDialog = (target: EventTarget | null, { view }: Session): boolean =>
  view.getState().dialog !== null && !isInDialog(target);

const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
