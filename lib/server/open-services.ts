import "server-only";

/** What a process has running beside its requests, for whoever stops the process. */
export interface OpenServices {
  /** Ends the runs that this process drives; they say afterwards that they were interrupted. */
  endRuns(): Promise<void>;
  closeDatabase(): Promise<void>;
}

declare global {
  /** The start code is no part of the app's bundles, hence global. Undefined until the database is open. */
  var swarmloomServices: OpenServices | undefined;
}
