import "server-only";
import { passkey } from "@better-auth/passkey";
import { type BetterAuthOptions, betterAuth } from "better-auth";
import { prismaAdapter } from "better-auth/adapters/prisma";
import { genericOAuth, twoFactor } from "better-auth/plugins";
import { getOwnOrigin } from "../auth/team-mode";
import { type Db, getDb } from "../db";
import { getDatabaseLocation, getEnv } from "../env";
import { logger } from "../log/logger";
import { addressHeader } from "../net/client-address";
import { toRateLimits } from "./auth-endpoints";
import { oidcProvider, resetTokenReceiver, toAuthHooks } from "./auth-hooks";
import { readAuthSecret } from "./auth-secret";

const daySeconds = 86_400;
/** How long a session lasts, and a link to set a new password. */
const [sessionSeconds, resetSeconds] = [30 * daySeconds, daySeconds];

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
      sendResetPassword: async ({ user, token }) => resetTokenReceiver.getStore()?.(user, token),
    },
    session: { modelName: "userSession", expiresIn: sessionSeconds, disableSessionRefresh: true },
    verification: { storeIdentifier: "hashed" },
    account: { encryptOAuthTokens: true, accountLinking: { enabled: true } },
    socialProviders: listSocialProviders(),
    plugins: [
      twoFactor({ issuer: "Swarmloom" }),
      passkey({ rpName: "Swarmloom", rpID: new URL(origin).hostname }),
      genericOAuth({ config: listOidcProviders() }),
    ],
    ...toProtection(origin),
    ...toAuthHooks(db, requestReset),
  });
}

async function requestReset(email: string): Promise<void> {
  const { api } = await getAuth();
  await api.requestPasswordReset({ body: { email } });
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
      customRules: toRateLimits(60),
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
    (_, token) => {
      received = token;
    },
    () => auth.api.requestPasswordReset({ body: { email } }),
  );
  return received;
}
