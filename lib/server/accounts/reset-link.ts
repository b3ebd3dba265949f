import "server-only";
import { AppError } from "../app-error";
import { recordAudit } from "../audit/record-audit";
import { isAtLeast, roleSchema } from "../auth/permissions";
import { narrowToTeam, requireTeam, type Viewer } from "../auth/viewer";
import { getDb } from "../db";
import { logger } from "../log/logger";
import { makeResetToken, toResetUrl } from "./auth";

/**
 * A link with which a member sets a new password within a day. Whoever has it can sign in as the member: only for members
 * whose every team the viewer manages, with a role at least as high. Throws AppError: `not_found`, `forbidden`.
 */
export async function createResetLink(viewer: Viewer, teamId: string, userId: string): Promise<{ url: string }> {
  requireTeam(narrowToTeam(viewer, teamId), "team:manage");
  const db = await getDb();
  const member = await db.membership.findUnique({
    where: { teamId_userId: { teamId, userId } },
    select: { user: { select: { name: true, email: true, memberships: { select: { teamId: true, role: true } } } } },
  });
  if (!member) throw new AppError("not_found", "The team has no such member.");
  const { name, email, memberships } = member.user;
  const isManaged = memberships.every((membership) => {
    const role = viewer.roles.get(membership.teamId);
    return role !== undefined && isAtLeast(role, "admin") && isAtLeast(role, roleSchema.parse(membership.role));
  });
  if (!isManaged)
    throw new AppError(
      "forbidden",
      "This person is also in teams, or in a role, that you do not manage. Another Admin can make the link.",
    );
  const token = await makeResetToken(email);
  if (token === null) throw new AppError("not_found", "The team has no such member.");
  const object = { type: "member", id: userId, name } as const;
  await recordAudit(db, viewer, { teamId, action: "member.reset", object });
  logger.info({ team: teamId, by: viewer.id, user: userId }, "a link to set a new password was made");
  return { url: toResetUrl(token) };
}
