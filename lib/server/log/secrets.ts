import "server-only";
import { listEnvironmentKeys, listEnvironmentSecrets } from "../env";

declare global {
  /** Keys that were entered in the app, and the secrets that seal them. Global because the bundles of a process share one log. */
  var swarmloomEnteredSecrets: readonly string[] | undefined;
}

const listEntered = (): readonly string[] => globalThis.swarmloomEnteredSecrets ?? [];

/** Adds secrets to those that no log, event or answer may contain. They stay for the life of the process: what was removed may still be repeated by a server. */
export function rememberSecrets(secrets: readonly string[]): void {
  const known = new Set([...listEntered(), ...secrets.filter((secret) => secret !== "")]);
  if (known.size > listEntered().length) globalThis.swarmloomEnteredSecrets = [...known];
}

/** Everything that no log line may contain. */
export const listSecrets = (): string[] => [...listEnvironmentSecrets(), ...listEntered()];

/** The keys of providers and of this server: what no event, answer or error may contain. */
export const listKeys = (): string[] => [...listEnvironmentKeys(), ...listEntered()];
