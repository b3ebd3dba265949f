import "server-only";
import { recordAudit, toTeamObject } from "../audit/record-audit";
import { isSameSecret } from "../auth/token";
import { localTeamId } from "../auth/viewer";
import { type Db, inOneState } from "../db";
import { getEnv } from "../env";
import { isMailConfigured } from "../mail/send-mail";
import { claimInvitation, describeInvitation, findOpenInvitation } from "../teams/invitations";
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
  if ((await findFreeAdmission(db, request)) !== null) return null;
  if (!(await hasAccounts(db))) return noAccounts;
  return (await findInvitation(db, request)) === null ? explainMissingInvitation(request) : null;
}

async function explainMissingInvitation({ bearer, email }: SignUpRequest): Promise<string> {
  const refusal = bearer === null ? null : (await describeInvitation(bearer, email))?.refusal;
  return refusal ? `This invitation is for another e-mail address: enter that one (${refusal.isFor}).` : noInvitation;
}

/**
 * Admits an account that is about to be made: the invitation that allows it is then for this account alone. Returns why it
 * may not be made; null: it may.
 */
export async function admitSignUp(db: Db, request: SignUpRequest): Promise<string | null> {
  if (needsProof(request)) return unprovedAddress;
  const refusal = await findSignUpRefusal(db, request);
  if (refusal !== null || (await findFreeAdmission(db, request)) !== null) return refusal;
  const invitation = await findInvitation(db, request);
  return invitation !== null && (await claimInvitation(db, invitation.id, request.email)) ? null : noInvitation;
}

/**
 * Whether an account needs a proof of its address first: where the server sends mail, unless the operator vouches for the
 * person. So no account holds the address of someone else.
 */
export const needsProof = ({
  bearer,
  isEmailVerified,
  isVouchedFor = false,
}: Pick<SignUpRequest, "bearer" | "isEmailVerified"> & { isVouchedFor?: boolean }): boolean =>
  isMailConfigured() && !isEmailVerified && !isVouchedFor && !showsStartToken(bearer);

/** Whether the address of an account is one whose mail its user receives: without mail people enter what they like. */
export const areAddressesProved = (): boolean => isMailConfigured();

const unprovedAddress = "Prove first that you receive the mail of this address.";
const noAccounts =
  "Nobody has an account here yet. The first one is made with the address that the server printed when it started.";
const noInvitation = "An account here needs an invitation. Ask an Admin of the team for one.";

/** What allows an account without an invitation; null: nothing does. */
async function findFreeAdmission(db: Db, { bearer, isVouchedFor }: SignUpRequest) {
  if (showsStartToken(bearer)) return "token";
  if (!(await hasAccounts(db))) return null;
  return getEnv().SWARMLOOM_OPEN_SIGN_UP === "1" || isVouchedFor ? "open" : null;
}

async function findInvitation(db: Db, { bearer, email, isEmailVerified }: SignUpRequest) {
  const shown = bearer === null ? null : await findOpenInvitation(db, { token: bearer, email });
  return shown ?? (isEmailVerified ? findOpenInvitation(db, { email }) : null);
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
    const object = toTeamObject(localTeamId);
    await recordAudit(tx, user, { teamId: localTeamId, action: "team.claimed", object });
    return true;
  });
  if (ownsLocalTeam) return;
  const { email } = user;
  if (bearer !== null && (await findOpenInvitation(db, { token: bearer, email }))) return;
  if (await findOpenInvitation(db, { email })) return;
  await db.$transaction((tx) => insertTeam(tx, { name: `${user.name}’s team`, owner: user }));
}
