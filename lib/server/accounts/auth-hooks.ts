import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import type { BetterAuthOptions, GenericEndpointContext } from "better-auth";
import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { z } from "zod";
import { takeAttempt } from "../auth/attempts";
import { storeResetLink, withdrawResetLinks } from "../auth/reset-link-rows";
import { getLinkOrigin } from "../auth/team-mode";
import { readBearer } from "../auth/token";
import { type Db, toReason } from "../db";
import { tellAccessChanged } from "../flows/tell-rooms";
import { logger } from "../log/logger";
import { sendMail } from "../mail/send-mail";
import { addressHeader } from "../net/client-address";
import { assertAccountFields, assertPasskeyName, toAccountName } from "./account-name";
import { mailProof, provesAddress } from "./address-proof";
import { findEndpoint } from "./auth-endpoints";
import { assertCodeIsNew } from "./one-time-codes";
import { forgetPasswordAttempts, takePasswordAttempt } from "./password-throttle";
import { assertRecentSignIn, endOtherSessions } from "./recent-sign-in";
import { mailLeftBehind, recordResetLinkUse } from "./reset-link-use";
import { admitSignUp, findSignUpRefusal, joinFirstTeam, needsProof } from "./sign-up-rules";

/** The provider of OpenID Connect, in addresses and in the table of accounts. */
export const oidcProvider = "oidc";

type ResetTokenReceiver = (user: { id: string; email: string }, token: string) => Promise<void> | void;

/** Receives the token of a requested link for a new password. Without one the request is answered before it is handled. */
export const resetTokenReceiver = new AsyncLocalStorage<ResetTokenReceiver>();

/** The address where a person sets a new password. */
export const toResetUrl = (token: string, origin = getLinkOrigin()): string =>
  `${origin}/reset-password?token=${token}`;

/** Mails of one account with a link for a new password, in an hour. */
const maxResetMails = 3;

async function mailResetToken(db: Db, user: { id: string; email: string }, token: string): Promise<void> {
  const limit = { key: `reset mail ${user.id}`, max: maxResetMails, periodMs: 3_600_000 };
  if ((await takeAttempt(db, limit)) !== null) return;
  await storeResetLink(db, { userId: user.id, token, maker: null });
  const text = `Someone asked for a new password for your account at ${getLinkOrigin()}.\n\nSet it here within a day:\n${toResetUrl(token)}\n\nIf it was not you, nothing has to be done.`;
  await sendMail({ to: user.email, subject: "A new password for Swarmloom", text });
}

const toEmail = (body: { email?: unknown } | undefined): string => String(body?.email ?? "");

/** Who may sign up, how wrong passwords are slowed down, and what follows from a change of an account. */
export const toAuthHooks = (db: Db, requestReset: (email: string) => Promise<unknown>) =>
  ({
    user: {
      validateUserInfo: async ({ user, source }, context) => {
        if (source.action !== "create-user") return undefined;
        const email = String(user.email ?? "");
        const refusal = await admitSignUp(db, {
          email,
          isEmailVerified: user.emailVerified === true || (await hasProof(context, email)),
          bearer: context.headers ? readBearer(context.headers) : null,
          isVouchedFor: source.oauth?.providerId === oidcProvider,
        });
        return refusal === null ? undefined : { error: refusal };
      },
    },
    hooks: {
      before: createAuthMiddleware(async (context) => {
        const { path, body } = context;
        if (path === "/sign-in/email") await takePasswordAttempt(db, toEmail(body));
        if (path === "/sign-up/email") return answerSignUp(db, context);
        if (path === "/update-user") assertAccountFields(body ?? {});
        if (findEndpoint(path).namesPasskey) assertPasskeyName(body ?? {});
        if (path === "/two-factor/verify-totp") await assertCodeIsNew(db, context);
        await assertRecentSignIn(context);
        if (findEndpoint(path).asksForPassword) await takeOwnPasswordAttempt(db, context);
        if (path === "/request-password-reset") return answerResetRequest(db, body, requestReset);
        return undefined;
      }),
      after: createAuthMiddleware(async (context) => {
        if (!(context.context.returned instanceof APIError)) await followUp(db, context);
      }),
    },
    databaseHooks: {
      user: {
        create: {
          before: async (user, context) => {
            const isProved = context !== null && (await hasProof(context, user.email));
            const name = toAccountName(user.name, user.email);
            return { data: { ...user, name, image: null, emailVerified: user.emailVerified || isProved } };
          },
          after: (user, context) => joinFirstTeam(db, user, context?.headers ? readBearer(context.headers) : null),
        },
      },
    },
  }) satisfies BetterAuthOptions;

const hasProof = ({ headers, context }: Pick<GenericEndpointContext, "headers" | "context">, email: string) =>
  provesAddress(headers, email, context.secret);

const signUpSchema = z.object({ email: z.email() });

/**
 * The answer to a sign-up that has yet to prove its address, before its mail is sent: how long it takes does not depend on
 * whether there is an account. Undefined: the account may be created, or the body is refused anyway.
 */
async function answerSignUp(db: Db, context: GenericEndpointContext) {
  const { body, headers } = context;
  const bearer = headers ? readBearer(headers) : null;
  // Before anything that tells which addresses have accounts.
  const request = { email: toEmail(body), isEmailVerified: await hasProof(context, toEmail(body)), bearer };
  const refusal = await findSignUpRefusal(db, { ...request, isVouchedFor: false });
  if (refusal !== null) throw new APIError("FORBIDDEN", { code: "SIGN_UP_REFUSED", message: refusal });
  const { success: isSignUp } = signUpSchema.safeParse(body);
  if (!isSignUp || !needsProof(request)) return void assertAccountFields(body ?? {});
  const client = headers?.get(addressHeader) ?? "unknown";
  const { secret } = context.context;
  mailProof(db, { email: request.email, client, invitation: bearer, secret }).catch((error: unknown) =>
    logger.warn({ reason: toReason(error) }, "a link for a new account was not mailed"),
  );
  return { status: true, message: "A link to create the account is on its way to this address." };
}

async function takeOwnPasswordAttempt(db: Db, context: GenericEndpointContext): Promise<void> {
  const session = await getSessionFromCtx(context);
  if (session) await takePasswordAttempt(db, session.user.email);
}

const resetRequestSchema = z.object({ email: z.email() });

/**
 * The answer to a request for a link, before it is handled: how long it takes does not depend on whether there is an account.
 * Undefined for a body that is refused anyway.
 */
function answerResetRequest(db: Db, body: unknown, requestReset: (email: string) => Promise<unknown>) {
  const request = resetRequestSchema.safeParse(body);
  if (!request.success || resetTokenReceiver.getStore() !== undefined) return undefined;
  resetTokenReceiver
    .run(
      (user, token) => mailResetToken(db, user, token),
      () => requestReset(request.data.email),
    )
    .catch((error: unknown) => logger.warn({ reason: toReason(error) }, "a link for a new password was not mailed"));
  return { status: true, message: "If this address has an account, a mail with a link is on its way." };
}

async function followReset(db: Db, token: string): Promise<void> {
  const use = await recordResetLinkUse(db, token);
  if (use === null) return;
  await forgetPasswordAttempts(db, use.email);
  await mailLeftBehind(use);
}

/** The token that better-auth takes from a request for a new password: that of the body, else that of the address. */
const toUsedToken = ({ body, query }: GenericEndpointContext): string => String(body?.token || query?.token || "");

/** What follows from a request that succeeded. */
async function followUp(db: Db, context: GenericEndpointContext): Promise<void> {
  const { path, body } = context;
  const { session } = context.context;
  if (path === "/sign-in/email") await forgetPasswordAttempts(db, toEmail(body));
  if (path === "/reset-password") await followReset(db, toUsedToken(context));
  if (findEndpoint(path).asksForPassword && session) await forgetPasswordAttempts(db, session.user.email);
  if (path === "/two-factor/enable" && session)
    await db.twoFactor.updateMany({ where: { userId: session.user.id }, data: { createdAt: new Date() } });
  if (path === "/change-password" && session) await withdrawResetLinks(db, { userId: session.user.id });
  await endOtherSessions(db, context);
  const { endsSessions, endsOtherSessions } = findEndpoint(path);
  if (endsSessions || endsOtherSessions) tellAccessChanged();
}
