import { useEffect } from "react";
import { hasUnsaved } from "../state/save/autosave";
import type { Session } from "../state/session";

export function useLeaveGuard({ autosave, drafts }: Session): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (hasUnsaved(autosave.store.getState()) || drafts.store.getState().count > 0) event.preventDefault();
    };
    const flush = (): void => void autosave.flushOnLeave();
    const listeners = new AbortController();
    const { signal } = listeners;
    // Before the listeners that store the state of the editor.
    window.addEventListener("beforeunload", drafts.commitAll, { capture: true, signal });
    window.addEventListener("pagehide", drafts.commitAll, { capture: true, signal });
    window.addEventListener("beforeunload", ask, { signal });
    window.addEventListener("pagehide", flush, { signal });
    return () => listeners.abort();
  }, [autosave, drafts]);
}
