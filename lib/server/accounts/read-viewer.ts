import "server-only";
import { AppError } from "../app-error";
import { readKeySecret, requireKeyViewer } from "../auth/api-keys";
import { assertLocal, requireLocalViewer } from "../auth/local";
import { assertOwnAddress } from "../auth/own-address";
import { roleSchema } from "../auth/permissions";
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
export async function loadViewer(db: Db, { id, name }: { id: string; name: string }): Promise<Viewer> {
  const [memberships, flowMemberships] = await Promise.all([
    db.membership.findMany({ where: { userId: id }, select: { teamId: true, role: true }, orderBy: { teamId: "asc" } }),
    db.flowMembership.findMany({
      where: { userId: id },
      select: { flowId: true, role: true, flow: { select: { teamId: true } } },
    }),
  ]);
  const roles = new Map(memberships.map(({ teamId, role }) => [teamId, roleSchema.parse(role)]));
  const flowRoles = flowMemberships
    .map(({ flowId, role, flow: { teamId } }) => ({ flowId, teamId, role: roleSchema.parse(role) }))
    .filter(({ teamId }) => roles.has(teamId));
  return { id, name, roles, flowRoles, scopes: null };
}
