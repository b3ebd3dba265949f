import "server-only";
import { AppError } from "../app-error";
import type { Viewer } from "../auth/viewer";
import { listOwnProviders, type OwnKeys } from "../connections/personal-keys";

interface OwnKeysRow {
  /** Providers, each in a line; empty: the team's connections alone. */
  ownKeys: string;
  startedById: string;
}

export const toOwnKeysColumn = (own: OwnKeys | null): string => own?.providers.join("\n") ?? "";

/** The keys of a person that a run uses; null: none. */
export const readOwnKeys = ({ ownKeys, startedById }: OwnKeysRow): OwnKeys | null =>
  ownKeys === "" ? null : { userId: startedById, providers: ownKeys.split("\n") };

/** Whether a viewer started a run with keys of their own: what the viewer makes of it uses them again, no one else does. */
export const usedOwnKeys = (viewer: Viewer, run: OwnKeysRow): boolean =>
  run.ownKeys !== "" && run.startedById === viewer.id;

/** The keys that the viewer can start a run with. Throws AppError `bad_request` where there are none. */
export function requireOwnKeys({ id: userId }: Viewer): OwnKeys {
  const providers = listOwnProviders(userId);
  if (providers.length > 0) return { userId, providers };
  throw new AppError("bad_request", "`ownKeys`: you have no keys of your own. Enter one on your account page.");
}
