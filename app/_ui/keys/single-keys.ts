import { useSyncExternalStore } from "react";

const storageKey = "swarmloom.single-keys";
const listeners = new Set<() => void>();

export const singleKeysAreOn = (): boolean => localStorage.getItem(storageKey) !== "off";

export function switchSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, "off");
  for (const listener of listeners) listener();
}

export const useSingleKeys = (): boolean => useSyncExternalStore(listen, singleKeysAreOn, () => true);

function listen(onChange: () => void): () => void {
  listeners.add(onChange);
  window.addEventListener("storage", onChange);
  return () => {
    listeners.delete(onChange);
    window.removeEventListener("storage", onChange);
  };
}
