import "server-only";
import { isSameSecret } from "../auth/token";
import { localTeamId } from "../auth/viewer";
import { type Db, inOneState } from "../db";
import { getEnv } from "../env";
import { findOpenInvitation } from "../teams/invitations";
import { insertTeam } from "../teams/team-rows";

/** What a person has to show to get an account. */
export interface SignUpRequest {
  /** As it was entered, or as the provider has verified it. */
  email: string;
  isEmailVerified: boolean;
  /** The token of an invitation or of the server, as `Authorization: Bearer`. */
  bearer: string | null;
  /** Whether the operator's own provider of OpenID Connect vouches for the person. */
  isVouchedFor: boolean;
}

/** Why an account may not be made, in a sentence for the person; null: it may. */
export async function findSignUpRefusal(db: Db, request: SignUpRequest): Promise<string | null> {
  const { bearer, email, isEmailVerified, isVouchedFor } = request;
  if (showsStartToken(bearer)) return null;
  if (!(await hasAccounts(db)))
    return "Nobody has an account here yet. The first one is made with the address that the server printed when it started.";
  if (getEnv().SWARMLOOM_OPEN_SIGN_UP === "1" || isVouchedFor) return null;
  if (bearer !== null && (await findOpenInvitation(db, { token: bearer, email }))) return null;
  if (isEmailVerified && (await findOpenInvitation(db, { email }))) return null;
  return "An account here needs an invitation. Ask an Admin of the team for one.";
}

function showsStartToken(bearer: string | null): boolean {
  const { SWARMLOOM_TOKEN: token } = getEnv();
  return bearer !== null && token !== undefined && isSameSecret(bearer, token);
}

/** Whether there is an account. */
export const hasAccounts = async (db: Db): Promise<boolean> =>
  (await db.user.findFirst({ select: { id: true } })) !== null;

/**
 * Gives a new account its team: the team of local mode, with all that was made there, while no one owns it; else one of its
 * own, unless it was made to accept an invitation.
 */
export async function joinFirstTeam(
  db: Db,
  user: { id: string; name: string; email: string },
  bearer: string | null,
): Promise<void> {
  const now = new Date();
  const ownsLocalTeam = await inOneState(db, async (tx) => {
    if ((await tx.membership.findFirst({ where: { teamId: localTeamId } })) !== null) return false;
    await tx.membership.create({ data: { teamId: localTeamId, userId: user.id, role: "owner", createdAt: now } });
    return true;
  });
  if (ownsLocalTeam) return;
  const { email } = user;
  if (bearer !== null && (await findOpenInvitation(db, { token: bearer, email }))) return;
  if (await findOpenInvitation(db, { email })) return;
  await insertTeam(db, { name: `${user.name}’s team`, ownerId: user.id });
}
