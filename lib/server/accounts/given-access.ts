import "server-only";
import { recordAudit, serverActor } from "../audit/record-audit";
import { roleSchema } from "../auth/permissions";
import { withdrawResetLinks } from "../auth/reset-link-rows";
import { roleNames } from "../auth/viewer";
import type { Db } from "../db";
import { quoteName } from "../mail/quote-name";

type GivenDb = Pick<Db, "auditEvent" | "invitation" | "membership" | "resetLink" | "user" | "verification">;

/** Access that an account gave to others, one line each, as a mail lists it. */
export interface GivenAccess {
  /** Invitations and links for new passwords that were withdrawn. */
  withdrawn: string[];
  /** Access that others have by now: a new role, a place in a team, or the password of an account. */
  used: string[];
}

/** An account since a moment. `makers`: the account, and the API keys that were made with it since then. */
interface Giver {
  userId: string;
  makers: readonly string[];
  since: Date;
}

const maxRoleChanges = 200;

/** Withdraws the open invitations, and the links for new passwords of other members, that an account made since a moment. */
export async function endAccessGivenSince(tx: GivenDb, { userId, makers, since }: Giver): Promise<GivenAccess> {
  const where = { createdById: { in: [...makers] }, createdAt: { gte: since } };
  const ofOthers = { createdById: userId, userId: { not: userId }, createdAt: { gte: since } };
  const invitations = await tx.invitation.findMany({ where, include: { team: true } });
  const links = await tx.resetLink.findMany({ where: ofOthers, include: { user: true } });
  const changes = await listRoleChanges(tx, { userId, makers, since });
  const open = invitations.filter(({ acceptedAt }) => acceptedAt === null);
  await tx.invitation.deleteMany({ where: { ...where, acceptedAt: null } });
  for (const { id, teamId } of open) {
    const object = { type: "member", id, name: "a person" } as const;
    await recordAudit(tx, serverActor, { teamId, action: "invitation.withdrawn", object });
  }
  await withdrawResetLinks(tx, ofOthers);
  const names = await listUserNames(tx, invitations);
  return {
    withdrawn: [
      ...open.map((invitation) => `invitation to ${printPlace(invitation)}`),
      ...links.filter(({ usedAt }) => usedAt === null).map(({ user }) => `link for a new password of ${toName(user)}`),
    ],
    used: [
      ...invitations.flatMap((invitation) =>
        invitation.acceptedAt === null
          ? []
          : [`${quoteName(names.get(invitation.acceptedBy ?? "") ?? "")} joined ${printPlace(invitation)}`],
      ),
      ...links
        .filter(({ usedAt, replacedAt }) => usedAt !== null && replacedAt === null)
        .map(({ user }) => `${toName(user)} has a password that was set with a link`),
      ...changes.map(({ objectName }) => `${quoteName(objectName)} got another role`),
    ],
  };
}

async function listRoleChanges(tx: GivenDb, { userId, makers, since }: Giver) {
  const teams = await tx.membership.findMany({ where: { userId }, select: { teamId: true } });
  return tx.auditEvent.findMany({
    where: {
      teamId: { in: teams.map(({ teamId }) => teamId) },
      at: { gte: since },
      actorId: { in: [...makers] },
      action: "member.changed",
    },
    select: { objectName: true },
    take: maxRoleChanges,
  });
}

const toName = ({ name }: { name: string }): string => quoteName(name);

const printPlace = ({ team, role }: { team: { name: string }; role: string }): string =>
  `the team ${quoteName(team.name)} as ${roleNames[roleSchema.parse(role)]}`;

async function listUserNames(
  tx: GivenDb,
  invitations: readonly { acceptedBy: string | null }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = invitations.flatMap(({ acceptedBy }) => (acceptedBy === null ? [] : [acceptedBy]));
  const users = await tx.user.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } });
  return new Map(users.map(({ id, name }) => [id, name]));
}
