import "server-only";
import { isAtLeast, type Role, roleSchema } from "../auth/permissions";
import { withdrawResetLinks } from "../auth/reset-link-rows";
import { localViewer } from "../auth/viewer";
import type { Db } from "../db";

type GrantDb = Pick<Db, "apiKey" | "invitation" | "membership" | "resetLink" | "user" | "verification">;

/** Ids of the API keys of a team that a viewer made, also those made with such keys. */
export async function listKeyIdsOf(db: Pick<Db, "apiKey">, teamId: string, viewerId: string): Promise<string[]> {
  const keys = await db.apiKey.findMany({ where: { teamId }, select: { id: true, createdById: true } });
  const ids = new Set<string>();
  let makers = new Set([viewerId]);
  while (makers.size > 0) {
    const made = keys.filter(({ id, createdById }) => makers.has(createdById) && !ids.has(id));
    for (const { id } of made) ids.add(id);
    makers = new Set(made.map(({ id }) => `key:${id}`));
  }
  return [...ids];
}

/**
 * Withdraws what a member made with powers that end, and what others made for the member: invitations that the new role does
 * not allow, by hand or with an API key, and links for new passwords; and invitations for who leaves. `role`: the new one; null: the member leaves.
 */
export async function withdrawGrants(
  db: GrantDb,
  { teamId, userId, role }: { teamId: string; userId: string; role: Role | null },
): Promise<void> {
  const makers = [userId, ...(await listKeyIdsOf(db, teamId, userId)).map((id) => `key:${id}`)];
  const invitations = await db.invitation.findMany({
    where: { teamId, createdById: { in: makers }, acceptedAt: null },
    select: { id: true, role: true },
  });
  const refused = invitations.filter((invitation) => !mayInviteAs(role, roleSchema.parse(invitation.role)));
  await db.invitation.deleteMany({ where: { id: { in: refused.map(({ id }) => id) }, acceptedAt: null } });
  if (role === null) await withdrawInvitationsFor(db, { teamId, userId });
  await withdrawResetLinks(db, { teamId, createdById: userId });
  await withdrawMadeLinks(db, userId);
}

async function withdrawInvitationsFor(db: GrantDb, { teamId, userId }: { teamId: string; userId: string }) {
  const user = await db.user.findUnique({ where: { id: userId }, select: { email: true } });
  if (user) await db.invitation.deleteMany({ where: { teamId, email: user.email, acceptedAt: null } });
}

/** Withdraws the links for a new password that members made for a user, who is now in another team or role. */
export const withdrawMadeLinks = (db: Pick<Db, "resetLink" | "verification">, userId: string): Promise<void> =>
  withdrawResetLinks(db, { userId, createdById: { not: null } });

const mayInviteAs = (role: Role | null, invited: Role): boolean =>
  role !== null && isAtLeast(role, "admin") && isAtLeast(role, invited);

/** Whether the maker of an invitation may still give its role: a member of the team, or what an unrevoked key stands for. */
export async function isStillGranted(
  db: Pick<Db, "apiKey" | "membership">,
  { teamId, createdById, role }: { teamId: string; createdById: string; role: string },
): Promise<boolean> {
  if (createdById === localViewer.id) return true;
  const keyId = /^key:(.*)$/.exec(createdById)?.[1];
  if (keyId !== undefined) {
    const key = await db.apiKey.findUnique({ where: { id: keyId } });
    return key !== null && key.revokedAt === null && isStillGranted(db, { ...key, role });
  }
  const key = { teamId_userId: { teamId, userId: createdById } };
  const maker = await db.membership.findUnique({ where: key, select: { role: true } });
  return mayInviteAs(maker && roleSchema.parse(maker.role), roleSchema.parse(role));
}
