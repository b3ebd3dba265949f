import { useEffect, useState, useSyncExternalStore } from "react";
import { isConnectionLost } from "../../state/access/is-connection-lost";
import { useLive } from "../../state/session-context";
import type { ConnectionState } from "./save-style";

/** How long the return of the connection is shown, in milliseconds. */
const shownReturnMs = 4_000;

function watchNetwork(onChange: () => void): () => void {
  window.addEventListener("online", onChange);
  window.addEventListener("offline", onChange);
  return () => {
    window.removeEventListener("online", onChange);
    window.removeEventListener("offline", onChange);
  };
}

/** How the browser and the server are connected. */
export function useConnection(): ConnectionState {
  const isOnline = useSyncExternalStore(
    watchNetwork,
    () => navigator.onLine,
    () => true,
  );
  const isLost = useLive(isConnectionLost);
  const current = isOnline ? (isLost ? "reconnecting" : "online") : "offline";
  const [previous, setPrevious] = useState(current);
  const [isReturned, setReturned] = useState(false);
  if (current !== previous) {
    setPrevious(current);
    setReturned(current === "online");
  }
  useEffect(() => {
    if (!isReturned) return;
    const timer = setTimeout(() => setReturned(false), shownReturnMs);
    return () => clearTimeout(timer);
  }, [isReturned]);
  return current === "online" && isReturned ? "reconnected" : current;
}
