import "server-only";
import { randomBytes, randomUUID } from "node:crypto";
import { AppError } from "../app-error";
import { recordAudit } from "../audit/record-audit";
import { isAtLeast, type Role, roleSchema } from "../auth/permissions";
import { getOwnOrigin } from "../auth/team-mode";
import { hashSecret } from "../auth/token";
import { narrowToTeam, requireTeam, roleNames, type Viewer } from "../auth/viewer";
import { type Db, getDb } from "../db";
import { sendMail } from "../mail/send-mail";
import { requireRole } from "./member-rules";

const dayMs = 86_400_000;
/** How long an invitation can be used. */
export const invitationDays = 7;
/** Open invitations of a team. */
const mostOpen = 500;

/** Times in milliseconds since the epoch. The token is not among it: it is shown once. */
export interface InvitationDetail {
  id: string;
  role: Role;
  email: string | null;
  createdBy: string;
  expiresAt: number;
}

const isOpen = (now: Date) => ({ acceptedAt: null, expiresAt: { gt: now } });

/**
 * Makes a link with which a person joins a team, and mails it where there is an address and mail is configured. Throws
 * AppError: `not_found`, `forbidden` for a role above the viewer's, `conflict` too many.
 */
export async function createInvitation(
  viewer: Viewer,
  teamId: string,
  { email = null, role }: { email?: string | null | undefined; role: Role },
): Promise<{ id: string; url: string; token: string; isMailed: boolean }> {
  const manager = narrowToTeam(viewer, teamId);
  requireTeam(manager, "team:manage");
  requireRole(manager, teamId, role);
  const db = await getDb();
  const now = new Date();
  if ((await db.invitation.count({ where: { teamId, ...isOpen(now) } })) >= mostOpen)
    throw new AppError("conflict", `A team has at most ${mostOpen} open invitations. Withdraw some first.`);
  const [id, token] = [randomUUID(), randomBytes(24).toString("base64url")];
  const creator = { createdById: viewer.id, createdBy: viewer.name, createdAt: now };
  const expiresAt = new Date(now.getTime() + invitationDays * dayMs);
  const address = email?.trim().toLowerCase() || null;
  await db.$transaction(async (tx) => {
    await tx.invitation.create({
      data: { id, teamId, role, email: address, tokenHash: hashSecret(token), expiresAt, ...creator },
    });
    const object = { type: "member", id, name: address ?? "the holder of a link" } as const;
    await recordAudit(tx, viewer, { teamId, action: "member.invited", object, detail: { role } });
  });
  const url = `${getOwnOrigin()}/invitations/${token}`;
  const isMailed = address !== null && (await mailInvitation(db, viewer, { teamId, role, email: address, url }));
  return { id, url, token, isMailed };
}

async function mailInvitation(
  db: Db,
  viewer: Viewer,
  { teamId, role, email, url }: { teamId: string; role: Role; email: string; url: string },
): Promise<boolean> {
  const team = await db.team.findUnique({ where: { id: teamId }, select: { name: true } });
  const text = `${viewer.name} invites you to the team “${team?.name}” on Swarmloom, as ${roleNames[role]}.\n\nJoin within ${invitationDays} days:\n${url}`;
  return sendMail({ to: email, subject: `Join “${team?.name}” on Swarmloom`, text });
}

/** The open invitations of a team, the newest first. Throws AppError as `requireTeam` does. */
export async function listInvitations(viewer: Viewer): Promise<InvitationDetail[]> {
  const teamId = requireTeam(viewer, "team:manage");
  const db = await getDb();
  const rows = await db.invitation.findMany({
    where: { teamId, ...isOpen(new Date()) },
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
  });
  return rows.map(({ id, role, email, createdBy, expiresAt }) => ({
    id,
    role: roleSchema.parse(role),
    email,
    createdBy,
    expiresAt: expiresAt.getTime(),
  }));
}

/** Its link cannot be used any more. Throws AppError `not_found`. */
export async function withdrawInvitation(viewer: Viewer, teamId: string, id: string): Promise<void> {
  requireTeam(narrowToTeam(viewer, teamId), "team:manage");
  const db = await getDb();
  const { count } = await db.invitation.deleteMany({ where: { id, teamId, acceptedAt: null } });
  if (count === 0) throw new AppError("not_found", "There is no such invitation. It may have been used.");
  const object = { type: "member", id, name: "a person" } as const;
  await recordAudit(db, viewer, { teamId, action: "invitation.withdrawn", object });
}

/** An invitation that can be used: of a token, by this person; or any for a person's address. Null: there is none. */
export async function findOpenInvitation(db: Db, { token, email }: { token?: string; email: string }) {
  const address = email.trim().toLowerCase();
  const where =
    token === undefined
      ? { email: address }
      : { tokenHash: hashSecret(token), OR: [{ email: null }, { email: address }] };
  return db.invitation.findFirst({ where: { ...where, ...isOpen(new Date()) }, include: { team: true } });
}

/** What a person sees before accepting; null: the link cannot be used, or not any more. Shows no address. */
export async function describeInvitation(
  token: string,
): Promise<{ team: string; role: Role; invitedBy: string; expiresAt: number; isForOneAddress: boolean } | null> {
  const db = await getDb();
  const row = await db.invitation.findFirst({
    where: { tokenHash: hashSecret(token), ...isOpen(new Date()) },
    include: { team: { select: { name: true } } },
  });
  if (!row) return null;
  const { team, role, createdBy: invitedBy, expiresAt, email } = row;
  return {
    team: team.name,
    role: roleSchema.parse(role),
    invitedBy,
    expiresAt: expiresAt.getTime(),
    isForOneAddress: email !== null,
  };
}

/**
 * Takes the viewer into the team of an invitation, which cannot be used again; a member keeps the higher of both roles.
 * Throws AppError `not_found`: unknown, used, expired, or meant for another address.
 */
export async function acceptInvitation(
  viewer: Viewer,
  token: string,
): Promise<{ team: { id: string; name: string; role: Role } }> {
  const db = await getDb();
  const noSuchInvitation = new AppError(
    "not_found",
    "This invitation cannot be used: it was used, withdrawn or has expired, or it is for another e-mail address. Ask for a new one.",
  );
  const user = await db.user.findUnique({ where: { id: viewer.id }, select: { id: true, email: true } });
  const invitation = user && (await findOpenInvitation(db, { token, email: user.email }));
  if (!invitation) throw noSuchInvitation;
  const { teamId, team } = invitation;
  const role = roleSchema.parse(invitation.role);
  const key = { teamId_userId: { teamId, userId: user.id } };
  const joined = await db.$transaction(async (tx) => {
    const now = new Date();
    const { count } = await tx.invitation.updateMany({
      where: { id: invitation.id, ...isOpen(now) },
      data: { acceptedAt: now, acceptedBy: user.id },
    });
    if (count === 0) throw noSuchInvitation;
    const present = await tx.membership.findUnique({ where: key });
    const isHigher = !present || !isAtLeast(roleSchema.parse(present.role), role);
    await tx.membership.upsert({
      where: key,
      create: { teamId, userId: user.id, role, createdAt: now },
      update: isHigher ? { role } : {},
    });
    const object = { type: "member", id: invitation.id, name: invitation.createdBy } as const;
    await recordAudit(tx, viewer, { teamId, action: "member.joined", object, detail: { role } });
    return isHigher || !present ? role : roleSchema.parse(present.role);
  });
  return { team: { id: teamId, name: team.name, role: joined } };
}
