import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import { passkey } from "@better-auth/passkey";
import { type BetterAuthOptions, betterAuth } from "better-auth";
import { prismaAdapter } from "better-auth/adapters/prisma";
import { APIError, createAuthMiddleware } from "better-auth/api";
import { genericOAuth, twoFactor } from "better-auth/plugins";
import { getOwnOrigin } from "../auth/team-mode";
import { readBearer } from "../auth/token";
import { type Db, getDb } from "../db";
import { getDatabaseLocation, getEnv } from "../env";
import { logger } from "../log/logger";
import { sendMail } from "../mail/send-mail";
import { addressHeader } from "../net/client-address";
import { readAuthSecret } from "./auth-secret";
import { assertNotThrottled, recordSignIn } from "./sign-in-throttle";
import { findSignUpRefusal, joinFirstTeam } from "./sign-up-rules";

const daySeconds = 86_400;
/** How long a session lasts, and a link to set a new password. */
const [sessionSeconds, resetSeconds] = [30 * daySeconds, daySeconds];

/** The provider of OpenID Connect, in addresses and in the table of accounts. */
export const oidcProvider = "oidc";

/** Receives the token of a link for a new password, where an administrator asked for it: then it is not mailed. */
const resetTokenReceiver = new AsyncLocalStorage<(token: string) => void>();

function makeAuth(db: Db, secret: string) {
  const env = getEnv();
  const origin = getOwnOrigin();
  return betterAuth({
    appName: "Swarmloom",
    baseURL: origin,
    basePath: "/api/auth",
    secret,
    database: prismaAdapter(db, { provider: getDatabaseLocation().type }),
    // Where no address is set, the gate has compared Origin with Host.
    trustedOrigins: (request) => {
      const requested = request?.headers.get("origin");
      return env.SWARMLOOM_URL === undefined && requested ? [requested] : [];
    },
    telemetry: { enabled: false },
    logger: { log: (level, message) => logger[level === "error" ? "error" : "debug"](`accounts: ${message}`) },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: 10,
      maxPasswordLength: 200,
      resetPasswordTokenExpiresIn: resetSeconds,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, token }) => handOutResetToken(user.email, token),
    },
    session: { modelName: "userSession", expiresIn: sessionSeconds, disableSessionRefresh: true },
    account: { encryptOAuthTokens: true, accountLinking: { enabled: true } },
    socialProviders: listSocialProviders(),
    plugins: [
      twoFactor({ issuer: "Swarmloom" }),
      passkey({ rpName: "Swarmloom", rpID: new URL(origin).hostname }),
      genericOAuth({ config: listOidcProviders() }),
    ],
    ...toProtection(origin),
    ...toSignUpHooks(db),
  });
}

async function handOutResetToken(email: string, token: string): Promise<void> {
  const receive = resetTokenReceiver.getStore();
  if (receive) return receive(token);
  const text = `Someone asked for a new password for your account at ${getOwnOrigin()}.\n\nSet it here within a day:\n${toResetUrl(token)}\n\nIf it was not you, nothing has to be done.`;
  await sendMail({ to: email, subject: "A new password for Swarmloom", text });
}

/** How often someone may try, and what cookies are bound to. */
function toProtection(origin: string) {
  const isSecure = origin.startsWith("https:");
  return {
    rateLimit: {
      enabled: true,
      storage: "database",
      window: 60,
      max: 200,
      customRules: {
        "/sign-in/*": { window: 60, max: 40 },
        "/sign-up/*": { window: 60, max: 120 },
        "/request-password-reset": { window: 60, max: 5 },
        "/two-factor/*": { window: 60, max: 20 },
        "/get-session": false,
      },
    },
    advanced: {
      cookiePrefix: isSecure ? "__Host-swarmloom" : "swarmloom",
      // The prefix above says more than the one that this would add.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isSecure, sameSite: "lax", httpOnly: true, path: "/" },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: { generateId: () => crypto.randomUUID() },
    },
  } satisfies BetterAuthOptions;
}

/** Who may sign up, which team that leads to, and how wrong passwords are slowed down. */
const toSignUpHooks = (db: Db) =>
  ({
    user: {
      validateUserInfo: async ({ user, source }, { headers }) => {
        if (source.action !== "create-user") return undefined;
        const refusal = await findSignUpRefusal(db, {
          email: String(user.email ?? ""),
          isEmailVerified: user.emailVerified === true,
          bearer: headers ? readBearer(headers) : null,
          isVouchedFor: source.oauth?.providerId === oidcProvider,
        });
        return refusal === null ? undefined : { error: refusal };
      },
    },
    hooks: {
      before: createAuthMiddleware(async ({ path, body, headers }) => {
        if (path === "/sign-in/email") assertNotThrottled(String(body?.email ?? ""));
        if (path !== "/sign-up/email") return;
        // Before anything that tells which addresses have accounts.
        const request = { email: String(body?.email ?? ""), isEmailVerified: false, isVouchedFor: false };
        const refusal = await findSignUpRefusal(db, { ...request, bearer: headers ? readBearer(headers) : null });
        if (refusal !== null) throw new APIError("FORBIDDEN", { code: "SIGN_UP_REFUSED", message: refusal });
      }),
      after: createAuthMiddleware(async ({ path, body, context }) => {
        if (path === "/sign-in/email")
          recordSignIn(String(body?.email ?? ""), { succeeded: !(context.returned instanceof APIError) });
      }),
    },
    databaseHooks: {
      user: {
        create: {
          after: (user, context) => joinFirstTeam(db, user, context?.headers ? readBearer(context.headers) : null),
        },
      },
    },
  }) satisfies BetterAuthOptions;

/** Signing in with accounts of GitHub, where it is configured. */
export function listSocialProviders() {
  const { SWARMLOOM_GITHUB_CLIENT_ID: clientId, SWARMLOOM_GITHUB_CLIENT_SECRET: clientSecret = "" } = getEnv();
  return clientId === undefined ? {} : { github: { clientId, clientSecret } };
}

/** The provider of OpenID Connect, where one is configured. */
export function listOidcProviders() {
  const { SWARMLOOM_OIDC_ISSUER: issuer, SWARMLOOM_OIDC_CLIENT_ID: clientId, ...env } = getEnv();
  if (issuer === undefined || clientId === undefined) return [];
  return [
    {
      providerId: oidcProvider,
      discoveryUrl: `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
      requireIdTokenVerification: true,
      clientId,
      clientSecret: env.SWARMLOOM_OIDC_CLIENT_SECRET,
      scopes: ["openid", "email", "profile"],
      pkce: true,
    },
  ];
}

/** The address where a person sets a new password. */
export const toResetUrl = (token: string): string => `${getOwnOrigin()}/reset-password?token=${token}`;

export type Auth = ReturnType<typeof makeAuth>;

let opened: { db: Db; auth: Promise<Auth> } | undefined;

/** The accounts of this installation. Throws AppError `unavailable`, and what a failed start of the services threw. */
export async function getAuth(): Promise<Auth> {
  const db = await getDb();
  if (opened?.db !== db) opened = { db, auth: readAuthSecret(db).then((secret) => makeAuth(db, secret)) };
  opened.auth.catch(() => {
    opened = undefined;
  });
  return opened.auth;
}

/** A token with which the person of an e-mail address sets a new password within a day, instead of a mail. */
export async function makeResetToken(email: string): Promise<string | null> {
  const auth = await getAuth();
  let received: string | null = null;
  await resetTokenReceiver.run(
    (token) => {
      received = token;
    },
    () => auth.api.requestPasswordReset({ body: { email } }),
  );
  return received;
}
