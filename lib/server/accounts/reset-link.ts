import "server-only";
import { AppError } from "../app-error";
import { recordAudit } from "../audit/record-audit";
import { isAtLeast, type Role, roleSchema } from "../auth/permissions";
import { storeResetLink, toResetIdentifier } from "../auth/reset-link-rows";
import { getLinkOrigin } from "../auth/team-mode";
import { narrowToTeam, requireTeam, type Viewer } from "../auth/viewer";
import { getDb, inOneState } from "../db";
import { logger } from "../log/logger";
import { quoteName } from "../mail/quote-name";
import { sendMail } from "../mail/send-mail";
import { makeResetToken } from "./auth";
import { toResetUrl } from "./auth-hooks";

const noSuchMember = () => new AppError("not_found", "The team has no such member.");

/**
 * A link with which a member sets a new password within a day; the member is told by mail. Whoever has it can sign in as the
 * member: only people make it, for members whose every team they manage, with a role at least as high. Throws AppError:
 * `not_found`, `forbidden`, `conflict` where no address for links is known.
 */
export async function createResetLink(viewer: Viewer, teamId: string, userId: string): Promise<{ url: string }> {
  requireTeam(narrowToTeam(viewer, teamId), "team:manage");
  if (viewer.scopes !== null)
    throw new AppError("forbidden", "API keys make no links for new passwords. An Admin makes them in Settings.");
  const origin = getLinkOrigin();
  const db = await getDb();
  const member = await db.membership.findUnique({
    where: { teamId_userId: { teamId, userId } },
    select: { user: { select: { name: true, email: true, memberships: { select: { teamId: true, role: true } } } } },
  });
  if (!member) throw noSuchMember();
  const { name, email, memberships } = member.user;
  assertManaged(memberships, viewer.roles);
  const token = await makeResetToken(email);
  if (token === null) throw noSuchMember();
  try {
    await inOneState(db, async (tx) => {
      // Since the check above, the member or the viewer may have joined or left teams, and have other roles.
      const present = await tx.membership.findMany({ where: { userId } });
      if (!present.some((membership) => membership.teamId === teamId)) throw noSuchMember();
      const own = await tx.membership.findMany({ where: { userId: viewer.id } });
      assertManaged(present, new Map(own.map((membership) => [membership.teamId, roleSchema.parse(membership.role)])));
      await storeResetLink(tx, { userId, token, maker: { teamId, userId: viewer.id } });
      const object = { type: "member", id: userId, name } as const;
      await recordAudit(tx, viewer, { teamId, action: "member.reset", object });
    });
  } catch (error) {
    await db.verification.deleteMany({ where: { identifier: toResetIdentifier(token) } });
    throw error;
  }
  logger.info({ team: teamId, by: viewer.id, user: userId }, "a link to set a new password was made");
  await mailNotice(viewer, email);
  return { url: toResetUrl(token, origin) };
}

/** Throws AppError `forbidden` unless roles by team are at least Admin, and at least the member's, in each team of a member. */
function assertManaged(
  memberships: readonly { teamId: string; role: string }[],
  roles: ReadonlyMap<string, Role>,
): void {
  const isManaged = memberships.every(({ teamId, role }) => {
    const rank = roles.get(teamId);
    return rank !== undefined && isAtLeast(rank, "admin") && isAtLeast(rank, roleSchema.parse(role));
  });
  if (!isManaged)
    throw new AppError(
      "forbidden",
      "This person is also in teams, or in a role, that you do not manage. Another Admin can make the link.",
    );
}

async function mailNotice(viewer: Viewer, email: string): Promise<void> {
  const text = `${quoteName(viewer.name)} made a link with which a new password for your account at ${getLinkOrigin()} can be set within a day.\n\nIf you did not ask for it, tell another Admin of your team, and change your password on your account page: that makes the link void.`;
  await sendMail({ to: email, subject: "A link for a new password of your Swarmloom account", text });
}
