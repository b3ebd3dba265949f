import "server-only";
import type { DatabaseError } from "./db";

declare global {
  var swarmloomStorageFault: DatabaseError | null | undefined;
}

/** Why the database did not take the last write; null while it takes them. One for all bundles of a process. */
export const getStorageFault = (): DatabaseError | null => globalThis.swarmloomStorageFault ?? null;

export const setStorageFault = (fault: DatabaseError | null): void => {
  globalThis.swarmloomStorageFault = fault;
};
