import "server-only";
import { serverActor } from "../audit/record-audit";
import { toResetIdentifier, withdrawResetLinks } from "../auth/reset-link-rows";
import { getLinkOrigin } from "../auth/team-mode";
import type { Db } from "../db";
import { endKey } from "../keys/keys";
import { quoteName } from "../mail/quote-name";
import { sendMail } from "../mail/send-mail";
import { listCreationsSince, listMakersSince, type MemberCreation } from "../teams/member-creations";
import { endAccessGivenSince, type GivenAccess } from "./given-access";

/** What the use of a link for a new password led to. */
export interface ResetLinkUse {
  /** The address of the account. */
  email: string;
  /** What another member, who could sign in as the user until now, may have left; null: there was none. */
  leftBehind: LeftBehind | null;
}

interface LeftBehind extends GivenAccess {
  /** Passkeys and one-time codes that were removed. */
  removedCredentials: number;
  /** Names of the API keys that were revoked. */
  revokedKeys: string[];
  /** Share links, webhooks and schedules, which still work. */
  creations: MemberCreation[];
}

/**
 * Keeps with which link the password of an account was set. All links of the account that were not used are void. A mailed
 * link proves the address. Where the password before was set with a link that another member made, passkeys, one-time codes
 * and API keys that were added since then end, and invitations and links for other members that were made since then: the holder
 * of that link may have added them. A link that the account made for itself since then changes nothing: that holder may have
 * made it. Null: there is no such link.
 */
export async function recordResetLinkUse(db: Db, token: string, now = new Date()): Promise<ResetLinkUse | null> {
  const identifier = toResetIdentifier(token);
  const link = await db.resetLink.findUnique({ where: { identifier }, select: { user: true, createdById: true } });
  if (!link) return null;
  const { id: userId, email } = link.user;
  return db.$transaction(async (tx) => {
    const since = await findDistrustStart(tx, userId);
    const leftBehind = since === null ? null : await endWhatWasAdded(tx, userId, since);
    await tx.resetLink.update({ where: { identifier }, data: { usedAt: now } });
    if (link.createdById === null) await tx.user.update({ where: { id: userId }, data: { emailVerified: true } });
    await withdrawResetLinks(tx, { userId });
    // Links that members made stay: what their makers did as this user counts as theirs for ever.
    await tx.resetLink.deleteMany({ where: { userId, createdById: null, identifier: { not: identifier } } });
    await tx.resetLink.updateMany({
      where: { userId, replacedAt: null, identifier: { not: identifier } },
      data: { replacedAt: now },
    });
    return { email, leftBehind };
  });
}

type ResetDb = Parameters<Parameters<Db["$transaction"]>[0]>[0];

/**
 * The first time that a link of another member was used in the unbroken row of such links, and links of the user, before now.
 * A mailed link interrupts the row, also when its own row is gone: what it replaced has the time of its use.
 */
async function findDistrustStart(db: Pick<Db, "resetLink">, userId: string): Promise<Date | null> {
  const links = await db.resetLink.findMany({
    where: { userId, usedAt: { not: null } },
    select: { createdById: true, usedAt: true, replacedAt: true },
  });
  const byReplacement = new Map(links.map((link) => [link.replacedAt?.getTime(), link]));
  let since: Date | null = null;
  let link = byReplacement.get(undefined);
  while (link?.usedAt && link.createdById !== null) {
    byReplacement.delete(link.replacedAt?.getTime());
    if (link.createdById !== userId) since = link.usedAt;
    link = byReplacement.get(link.usedAt.getTime());
  }
  return since;
}

/** Ends the passkeys, one-time codes and API keys of an account, and the access that it gave, that were added since a moment. */
async function endWhatWasAdded(tx: ResetDb, userId: string, since: Date): Promise<LeftBehind> {
  const makers = await listMakersSince(tx, userId, since);
  const creations = await listCreationsSince(tx, makers, since);
  const given = await endAccessGivenSince(tx, { userId, makers, since });
  const where = { userId, createdAt: { gte: since } };
  const [passkeys, codes] = [await tx.passkey.deleteMany({ where }), await tx.twoFactor.deleteMany({ where })];
  if (codes.count > 0) await tx.user.update({ where: { id: userId }, data: { twoFactorEnabled: false } });
  const keys = await tx.apiKey.findMany({
    where: { createdById: userId, createdAt: { gte: since }, revokedAt: null },
    select: { id: true, teamId: true, name: true },
  });
  for (const key of keys) await endKey(tx, serverActor, key);
  return {
    removedCredentials: passkeys.count + codes.count,
    revokedKeys: keys.map(({ name }) => name),
    creations,
    ...given,
  };
}

/** Tells the user of an account what another member may have left in it. */
export async function mailLeftBehind({ email, leftBehind }: ResetLinkUse): Promise<void> {
  if (leftBehind === null) return;
  const findings = printFindings(leftBehind);
  if (findings.length === 0) return;
  const opening = `A new password was set for your account at ${getLinkOrigin()}. The password before it was set with a link that someone else made. Whoever had that link could sign in as you since then.`;
  const text = [opening, ...findings].join("\n\n");
  await sendMail({ to: email, subject: "What was added to your Swarmloom account", text });
}

function printFindings({ removedCredentials, revokedKeys, withdrawn, used, creations }: LeftBehind): string[] {
  const credentials =
    "Passkeys and one-time codes that were added since then were removed. Add yours again on your account page.";
  return [
    ...(removedCredentials > 0 ? [credentials] : []),
    ...printList("API keys that were made since then were revoked:", revokedKeys.map(quoteName)),
    ...printList("Invitations and links for other members that were made since then were withdrawn:", withdrawn),
    ...printList("Others got access with your account since then. Tell the Owner of the team:", used),
    ...printList(
      "These were made with your account since then, and still work. Delete what you did not make:",
      creations.map(printCreation),
    ),
  ];
}

const maxLines = 50;

/** A heading with its lines, or nothing where there are none. */
function printList(heading: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const rest = lines.length - maxLines;
  const shown = lines.slice(0, maxLines).map((line) => `- ${line}`);
  return [[heading, ...shown, ...(rest > 0 ? [`- and ${rest} more`] : [])].join("\n")];
}

const printCreation = ({ type, name, runId }: MemberCreation): string =>
  type === "link"
    ? `share link to ${runId === null ? "the flow" : "a run of the flow"} ${quoteName(name)}`
    : `${type} ${quoteName(name)}`;
