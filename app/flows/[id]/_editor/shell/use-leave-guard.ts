import { useEffect } from "react";
import { hasUnsaved } from "../state/save/autosave";
import type { Session } from "../state/session";

/**
 * Open drafts are committed when the page closes. While something is unsaved the browser asks first, and a last save is
 * sent when it closes all the same.
 */
export function useLeaveGuard({ autosave, drafts }: Session): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (hasUnsaved(autosave.store.getState()) || drafts.store.getState().count > 0) event.preventDefault();
    };
    const flush = (): void => autosave.flushOnLeave();
    // Before the listeners that keep what the editor holds, here and in this browser's store.
    const capturePhase = { capture: true };
    window.addEventListener("beforeunload", drafts.commitAll, capturePhase);
    window.addEventListener("pagehide", drafts.commitAll, capturePhase);
    window.addEventListener("beforeunload", ask);
    window.addEventListener("pagehide", flush);
    return () => {
      window.removeEventListener("beforeunload", drafts.commitAll, capturePhase);
      window.removeEventListener("pagehide", drafts.commitAll, capturePhase);
      window.removeEventListener("beforeunload", ask);
      window.removeEventListener("pagehide", flush);
    };
  }, [autosave, drafts]);
}
