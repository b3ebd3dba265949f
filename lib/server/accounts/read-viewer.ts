import "server-only";
import { AppError } from "../app-error";
import { readKeySecret, requireKeyViewer } from "../auth/api-keys";
import { loadRoles } from "../auth/load-roles";
import { assertLocal, requireLocalViewer } from "../auth/local";
import { assertOwnAddress } from "../auth/own-address";
import { isTeamMode } from "../auth/team-mode";
import type { Viewer } from "../auth/viewer";
import { type Db, getDb } from "../db";
import { startServices } from "../start";

/** The user making a request, or the API key. Throws AppError: `forbidden` for a request from elsewhere, `unauthorized` for an unknown user. */
export async function requireViewer(headers: Headers): Promise<Viewer> {
  const secret = readKeySecret(headers);
  if (secret === null && !isTeamMode()) return requireLocalViewer(headers);
  if (isTeamMode()) assertOwnAddress(headers);
  else assertLocal(headers);
  if (secret !== null) {
    await startServices();
    return requireKeyViewer(secret);
  }
  const viewer = await findSignedInViewer(headers);
  if (!viewer)
    throw new AppError("unauthorized", "Sign in first. Programs send an API key as `Authorization: Bearer`.");
  return viewer;
}

/** The user who is signed in; null: no one is. */
export async function findSignedInViewer(headers: Headers): Promise<Viewer | null> {
  if (!headers.has("cookie")) return null;
  await startServices();
  const { getAuth } = await import("./auth");
  const { api } = await getAuth();
  const session = await api.getSession({ headers });
  return session && loadViewer(await getDb(), session.user);
}

/** A person with the roles that hold now. */
export const loadViewer = async (db: Db, { id, name }: { id: string; name: string }): Promise<Viewer> => ({
  id,
  name,
  ...(await loadRoles(db, id)),
  scopes: null,
});
