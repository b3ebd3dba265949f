import "server-only";
import type { Viewer } from "../auth/viewer";
import { getDb } from "../db";
import { getEnv } from "../env";
import { getAuth, listOidcProviders, listSocialProviders } from "./auth";
import { oidcProvider } from "./auth-hooks";

/** With which accounts of elsewhere people sign in here. */
export function listSignInOffers(): { github: boolean; oidc: string | null } {
  const hasOidc = listOidcProviders().length > 0;
  return { github: "github" in listSocialProviders(), oidc: hasOidc ? getEnv().SWARMLOOM_OIDC_NAME : null };
}

/** Who is signed in, as the bar of every page shows it; null: not a person with an account. */
export async function findAccountHead({ id }: Viewer): Promise<{ name: string; email: string } | null> {
  const db = await getDb();
  return db.user.findUnique({ where: { id }, select: { name: true, email: true } });
}

/** Times in milliseconds since the epoch. */
export interface AccountDetail {
  name: string;
  email: string;
  /** Whether it can sign in with a password, and with which accounts of elsewhere. */
  hasPassword: boolean;
  linked: string[];
  hasTwoFactor: boolean;
  passkeys: { id: string; name: string; createdAt: number | null }[];
  /** Browsers in which the person is signed in, the present one first. */
  sessions: { id: string; userAgent: string; startedAt: number; isPresent: boolean }[];
}

/** The account of the viewer, without anything secret. `headers`: of the request, which names the present session. */
export async function getAccount(viewer: Viewer, headers: Headers): Promise<AccountDetail> {
  const [db, { api }] = await Promise.all([getDb(), getAuth()]);
  const [user, present] = await Promise.all([
    db.user.findUniqueOrThrow({
      where: { id: viewer.id },
      select: {
        name: true,
        email: true,
        twoFactorEnabled: true,
        accounts: { select: { providerId: true } },
        passkeys: { select: { id: true, name: true, createdAt: true }, orderBy: [{ createdAt: "asc" }, { id: "asc" }] },
        sessions: {
          where: { expiresAt: { gt: new Date() } },
          select: { id: true, userAgent: true, createdAt: true },
          orderBy: [{ createdAt: "desc" }, { id: "asc" }],
          take: 50,
        },
      },
    }),
    api.getSession({ headers }),
  ]);
  const providers = user.accounts.map(({ providerId }) => providerId);
  const sessions = user.sessions.map(({ id, userAgent, createdAt }) => ({
    id,
    userAgent: userAgent ?? "",
    startedAt: createdAt.getTime(),
    isPresent: id === present?.session.id,
  }));
  return {
    name: user.name,
    email: user.email,
    hasPassword: providers.includes("credential"),
    linked: providers.filter((provider) => provider !== "credential").map(toProviderName),
    hasTwoFactor: user.twoFactorEnabled === true,
    passkeys: user.passkeys.map(({ id, name, createdAt }) => ({
      id,
      name: name || "Passkey",
      createdAt: createdAt?.getTime() ?? null,
    })),
    sessions: sessions.toSorted((a, b) => Number(b.isPresent) - Number(a.isPresent)),
  };
}

const toProviderName = (provider: string): string =>
  provider === oidcProvider ? getEnv().SWARMLOOM_OIDC_NAME : provider === "github" ? "GitHub" : provider;
