import "server-only";
import { randomBytes, randomUUID } from "node:crypto";
import { AppError } from "../app-error";
import { recordAudit } from "../audit/record-audit";
import { takeAttempt } from "../auth/attempts";
import { isAtLeast, type Role, roleSchema } from "../auth/permissions";
import { getLinkOrigin } from "../auth/team-mode";
import { hashSecret } from "../auth/token";
import { narrowToTeam, requireTeam, roleNames, type Viewer } from "../auth/viewer";
import { type Db, getDb, inOneState } from "../db";
import { quoteName } from "../mail/quote-name";
import { isMailConfigured, sendMail } from "../mail/send-mail";
import { assertMayInvite, assertMayManageRole } from "./member-rules";
import { isStillGranted, withdrawMadeLinks } from "./withdraw-grants";

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
/** Not kept for an account of another address. */
const isClaimedByNoOther = (address: string) => ({ OR: [{ claimedBy: null }, { claimedBy: address }] });
const toAddress = (email: string): string => email.trim().toLowerCase();

/**
 * Makes a link with which a person joins a team, and mails it where there is an address and mail is configured. Throws
 * AppError: `not_found`, `forbidden` for a role above the viewer's, `conflict` too many, or no address for links, `rate_limited` too many mails.
 */
export async function createInvitation(
  viewer: Viewer,
  teamId: string,
  { email = null, role }: { email?: string | null | undefined; role: Role },
): Promise<{ id: string; url: string; token: string; isMailed: boolean }> {
  const manager = narrowToTeam(viewer, teamId);
  requireTeam(manager, "team:manage");
  assertMayInvite(manager, teamId, role);
  const origin = getLinkOrigin();
  const db = await getDb();
  const now = new Date();
  if ((await db.invitation.count({ where: { teamId, ...isOpen(now) } })) >= mostOpen)
    throw new AppError("conflict", `A team has at most ${mostOpen} open invitations. Withdraw some first.`);
  const [id, token] = [randomUUID(), randomBytes(24).toString("base64url")];
  const creator = { createdById: viewer.id, createdBy: viewer.name, createdAt: now };
  const expiresAt = new Date(now.getTime() + invitationDays * dayMs);
  const address = email?.trim().toLowerCase() || null;
  if (address !== null) await takeMail(db, teamId, address);
  await db.$transaction(async (tx) => {
    await tx.invitation.create({
      data: { id, teamId, role, email: address, tokenHash: hashSecret(token), expiresAt, ...creator },
    });
    const object = { type: "member", id, name: address ?? "the holder of a link" } as const;
    await recordAudit(tx, viewer, { teamId, action: "member.invited", object, detail: { role } });
  });
  const url = `${origin}/invitations/${token}`;
  const isMailed = address !== null && (await mailInvitation(db, viewer, { teamId, role, email: address, url }));
  return { id, url, token, isMailed };
}

/** Mails with invitations: of a team in an hour, and to one address in a day, from whatever teams. */
const [maxMailsOfTeam, maxMailsToAddress] = [30, 3];

/** Throws AppError `rate_limited` when a team, or all of them to an address, have mailed as many invitations as they may. */
async function takeMail(db: Db, teamId: string, email: string): Promise<void> {
  if (!isMailConfigured()) return;
  const ofAddress = { key: `invitation to ${hashSecret(email)}`, max: maxMailsToAddress, periodMs: dayMs };
  const ofTeam = { key: `invitations of ${teamId}`, max: maxMailsOfTeam, periodMs: dayMs / 24 };
  const waitMs = (await takeAttempt(db, ofTeam)) ?? (await takeAttempt(db, ofAddress));
  if (waitMs === null) return;
  const message = `At most ${maxMailsOfTeam} invitations are mailed in an hour, and ${maxMailsToAddress} a day to one address. Invite without an address, and send the link yourself.`;
  throw new AppError("rate_limited", message, undefined, Math.ceil(waitMs / 1000));
}

async function mailInvitation(
  db: Db,
  viewer: Viewer,
  { teamId, role, email, url }: { teamId: string; role: Role; email: string; url: string },
): Promise<boolean> {
  const team = await db.team.findUnique({ where: { id: teamId }, select: { name: true } });
  const text = `${quoteName(viewer.name)} invites you to the team ${quoteName(team?.name ?? "")} on Swarmloom at ${getLinkOrigin()}, as ${roleNames[role]}.\n\nJoin within ${invitationDays} days:\n${url}\n\nIf you do not know them, nothing has to be done.`;
  return sendMail({ to: email, subject: "Join a team on Swarmloom", text });
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
  const where = { id, teamId, acceptedAt: null };
  const invitation = await db.invitation.findFirst({ where, select: { role: true } });
  // Of an API key: a person withdraws whatever the team has.
  if (invitation && viewer.scopes !== null) assertMayManageRole(viewer, teamId, roleSchema.parse(invitation.role));
  const { count } = await db.invitation.deleteMany({ where });
  if (count === 0) throw new AppError("not_found", "There is no such invitation. It may have been used.");
  const object = { type: "member", id, name: "a person" } as const;
  await recordAudit(db, viewer, { teamId, action: "invitation.withdrawn", object });
}

/**
 * An invitation that can be used, and that its maker could still make: of a token, by this person; or any for a person's
 * address. Null: there is none.
 */
export async function findOpenInvitation(db: Db, { token, email }: { token?: string; email: string }) {
  const address = toAddress(email);
  const where =
    token === undefined
      ? { email: address }
      : { tokenHash: hashSecret(token), OR: [{ email: null }, { email: address }] };
  const rows = await db.invitation.findMany({
    where: { AND: [where, isOpen(new Date()), isClaimedByNoOther(address)] },
    include: { team: true },
  });
  for (const row of rows) if (await isStillGranted(db, row)) return row;
  return null;
}

/** Keeps an invitation for the account that is made with it. Returns whether it was not kept for another one. */
export async function claimInvitation(db: Db, id: string, email: string): Promise<boolean> {
  const address = toAddress(email);
  const { count } = await db.invitation.updateMany({
    where: { id, ...isOpen(new Date()), ...isClaimedByNoOther(address) },
    data: { claimedBy: address },
  });
  return count > 0;
}

/** What a person sees before accepting. */
export interface InvitationDescription {
  team: string;
  role: Role;
  invitedBy: string;
  expiresAt: number;
  isForOneAddress: boolean;
  /** Why the account cannot use it: it is for another address, of which only the beginning and the domain are shown. */
  refusal: { isFor: string } | null;
}

/** `email`: of the account that is signed in. Null: the link cannot be used, or not any more. Shows no whole address. */
export async function describeInvitation(token: string, email?: string): Promise<InvitationDescription | null> {
  const db = await getDb();
  const row = await db.invitation.findFirst({
    where: { tokenHash: hashSecret(token), ...isOpen(new Date()) },
    include: { team: { select: { name: true } } },
  });
  if (!row || !(await isStillGranted(db, row))) return null;
  const { team, role, createdBy: invitedBy, expiresAt } = row;
  return {
    team: team.name,
    role: roleSchema.parse(role),
    invitedBy,
    expiresAt: expiresAt.getTime(),
    isForOneAddress: row.email !== null,
    refusal: email === undefined ? null : findRefusal(row, email),
  };
}

/** The address that an invitation is for, where it is another one than that of an account. */
function findRefusal(
  { email, claimedBy }: { email: string | null; claimedBy: string | null },
  accountEmail: string,
): InvitationDescription["refusal"] {
  const other = [email, claimedBy].find((address) => address !== null && address !== toAddress(accountEmail));
  return other ? { isFor: maskAddress(other) } : null;
}

/** `ann@example.org` as `a…@example.org`. */
function maskAddress(address: string): string {
  const at = address.lastIndexOf("@");
  return `${Array.from(address)[0] ?? ""}…${at < 0 ? "" : address.slice(at)}`;
}

async function toOtherAddressError(token: string, email: string | undefined): Promise<AppError | null> {
  const refusal = (await describeInvitation(token, email))?.refusal;
  if (!refusal) return null;
  const message = `This invitation is for another e-mail address than yours (${refusal.isFor}). Sign out, and open it again with that one.`;
  return new AppError("not_found", message);
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
    "This invitation cannot be used: it was used, withdrawn or has expired. Ask for a new one.",
  );
  const user = await db.user.findUnique({ where: { id: viewer.id }, select: { id: true, email: true } });
  const invitation = user && (await findOpenInvitation(db, { token, email: user.email }));
  if (!invitation) throw (await toOtherAddressError(token, user?.email)) ?? noSuchInvitation;
  const { teamId, team } = invitation;
  const role = roleSchema.parse(invitation.role);
  const key = { teamId_userId: { teamId, userId: user.id } };
  // In one state with links for a new password, as `createTeam` is.
  const joined = await inOneState(db, async (tx) => {
    const now = new Date();
    const { count } = await tx.invitation.updateMany({
      where: { id: invitation.id, ...isOpen(now), ...isClaimedByNoOther(toAddress(user.email)) },
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
    await withdrawMadeLinks(tx, user.id);
    const object = { type: "member", id: invitation.id, name: invitation.createdBy } as const;
    await recordAudit(tx, viewer, { teamId, action: "member.joined", object, detail: { role } });
    return isHigher || !present ? role : roleSchema.parse(present.role);
  });
  return { team: { id: teamId, name: team.name, role: joined } };
}
