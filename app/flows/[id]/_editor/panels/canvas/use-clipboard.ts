import { useEffect } from "react";
import { copySelection, cutSelection, pasteText } from "../../commands/clipboard-commands";
import { isEditingLoaded, whenEditable } from "../../state/editing/editing";
import type { Session } from "../../state/session";

/** Only while the canvas has the focus; elsewhere the browser handles them. */
export function useClipboard(session: Session): void {
  useEffect(() => {
    const put = (take: (session: Session) => string | null) => (event: ClipboardEvent) => {
      if (!isOnCanvas() || !isEditingLoaded()) return;
      event.preventDefault();
      const text = take(session);
      if (text !== null) event.clipboardData?.setData("text/plain", text);
    };
    const paste = (event: ClipboardEvent): void => {
      if (!isOnCanvas()) return;
      event.preventDefault();
      const text = event.clipboardData?.getData("text/plain") ?? "";
      whenEditable(() => pasteText(session, text));
    };
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener("copy", put(copySelection), { signal });
    document.addEventListener("cut", put(cutSelection), { signal });
    document.addEventListener("paste", paste, { signal });
    return () => listening.abort();
  }, [session]);
}

const isOnCanvas = (): boolean => document.activeElement?.id === "flow-canvas";
