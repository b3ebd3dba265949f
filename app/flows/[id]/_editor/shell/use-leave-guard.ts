import { useEffect } from "react";
import { hasUnsaved } from "../state/save/autosave";
import type { Session } from "../state/session";

export function useLeaveGuard({ autosave, drafts }: Session): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (hasUnsaved(autosave.store.getState()) || drafts.store.getState().count > 0) event.preventDefault();
    };
    const flush = (): void => autosave.flushOnLeave();
    // Before the listeners that store the state of the editor.
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
