import { useEffect } from "react";
import type { Session } from "../session";
import { hasUnsaved } from "./autosave";

/** While something is unsaved: the browser asks before the page closes, and a last save goes out when it does. */
export function useLeaveGuard({ autosave }: Session): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (hasUnsaved(autosave.store.getState())) event.preventDefault();
    };
    const flush = (): void => autosave.flushOnLeave();
    window.addEventListener("beforeunload", ask);
    window.addEventListener("pagehide", flush);
    return () => {
      window.removeEventListener("beforeunload", ask);
      window.removeEventListener("pagehide", flush);
    };
  }, [autosave]);
}
