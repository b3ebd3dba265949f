import "server-only";
import { signJWT, verifyJWT } from "better-auth/crypto";
import { z } from "zod";
import { takeAttempt } from "../auth/attempts";
import { getLinkOrigin } from "../auth/team-mode";
import { hashSecret } from "../auth/token";
import type { Db } from "../db";
import { sendMail } from "../mail/send-mail";

/** The header in which a sign-up has the proof that was mailed to its address. */
export const proofHeader = "x-swarmloom-address-proof";

/** How long a mailed link for a new account can be used. */
const proofSeconds = 86_400;
/** Mails for new accounts in an hour: to one address, and that one client causes. */
const [maxToAddress, maxOfClient, periodMs] = [3, 20, 3_600_000];

const proofSchema = z.object({ purpose: z.literal("sign-up"), email: z.string() });
const toAddress = (email: string): string => email.trim().toLowerCase();

/**
 * Whether a request shows that its sender receives the mail of an address. `secret`: that of the accounts.
 */
export async function provesAddress(headers: Headers | undefined, email: string, secret: string): Promise<boolean> {
  const proof = headers?.get(proofHeader) ?? null;
  if (proof === null) return false;
  const payload = proofSchema.safeParse(await verifyJWT(proof, secret));
  return payload.success && payload.data.email === toAddress(email);
}

/** A request for a new account; `invitation`: the token that allows it; null: everyone may create one. */
interface ProofRequest {
  email: string;
  client: string;
  invitation: string | null;
  secret: string;
}

/** Mails a link with which an account is created for the address; where it has one already, a mail that says so. */
export async function mailProof(db: Db, { email, client, invitation, secret }: ProofRequest): Promise<void> {
  const address = toAddress(email);
  const limits = [
    { key: `sign-up mails of ${client}`, max: maxOfClient, periodMs },
    { key: `sign-up mail to ${hashSecret(address)}`, max: maxToAddress, periodMs },
  ];
  for (const limit of limits) if ((await takeAttempt(db, limit)) !== null) return;
  const hasAccount = (await db.user.findUnique({ where: { email: address }, select: { id: true } })) !== null;
  await sendMail(hasAccount ? toKnownMail(address) : await toProofMail({ address, invitation, secret }));
}

const notYou = "If it was not you, nothing has to be done.";

const toKnownMail = (address: string) => ({
  to: address,
  subject: "Your Swarmloom account",
  text: `Someone wants to create an account for this address at ${getLinkOrigin()}. It has one already: sign in, or set a new password at ${getLinkOrigin()}/reset-password.\n\n${notYou}`,
});

async function toProofMail({
  address,
  invitation,
  secret,
}: {
  address: string;
  invitation: string | null;
  secret: string;
}) {
  const proof = await signJWT({ purpose: "sign-up", email: address }, secret, proofSeconds);
  const page = invitation === null ? "sign-up" : `invitations/${encodeURIComponent(invitation)}`;
  const url = `${getLinkOrigin()}/${page}#${new URLSearchParams({ proof, email: address })}`;
  return {
    to: address,
    subject: "Create your Swarmloom account",
    text: `Someone wants to create an account for this address at ${getLinkOrigin()}.\n\nChoose a name and a password here within a day:\n${url}\n\n${notYou}`,
  };
}
