import "server-only";
import type { SealedKey } from "@/prisma/backup/inspect-database";
import { listSecretPlaces, type SecretPlace } from "../connections/secrets";

/** What opens the keys of a database, which is never in the database itself. */
export interface KeyNotice {
  /** Providers whose keys are in the database, sealed. */
  providers: string[];
  /** Where the secrets are that open them. */
  places: SecretPlace[];
  /** Providers whose keys no secret of this server opens. */
  unreadable: string[];
}

/** Looks for the secrets that open the keys. Reads no key, and makes no secret. */
export function toKeyNotice(keys: readonly SealedKey[]): KeyNotice {
  const places = listSecretPlaces().filter(({ id }) => keys.some(({ secretId }) => secretId === id));
  const known = new Set(places.map(({ id }) => id));
  const listProviders = (selected: readonly SealedKey[]): string[] => [
    ...new Set(selected.map(({ provider }) => provider)),
  ];
  return {
    providers: listProviders(keys),
    places,
    unreadable: listProviders(keys.filter(({ secretId }) => !known.has(secretId))),
  };
}
