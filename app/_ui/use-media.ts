import { useSyncExternalStore } from "react";

/** Whether a media query matches; null on the server. */
export function useMedia(query: string): boolean | null {
  return useSyncExternalStore(
    (onChange) => {
      const list = matchMedia(query);
      list.addEventListener("change", onChange);
      return () => list.removeEventListener("change", onChange);
    },
    () => matchMedia(query).matches,
    () => null,
  );
}
