import "server-only";

/** Where a provider is asked, and with which key. */
export interface Connection {
  apiKey?: string | undefined;
  /** Up to and including the version, as the provider's SDK wants it. */
  baseUrl?: string | undefined;
  /** Milliseconds of silence after which a call fails; ten minutes when not given. */
  idleMs?: number | undefined;
}
