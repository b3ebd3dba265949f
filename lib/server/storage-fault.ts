import "server-only";

declare global {
  /** Global because the bundles of a process share one database. */
  var swarmloomStorageFault: Error | null | undefined;
}

/** The error with which the database refused the last write; null when it accepted the write. */
export const getStorageFault = (): Error | null => globalThis.swarmloomStorageFault ?? null;

export const setStorageFault = (fault: Error | null): void => {
  globalThis.swarmloomStorageFault = fault;
};
