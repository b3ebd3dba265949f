import * as z from "zod/mini";
import { requestAccount } from "../request-account";

/** Where people can sign in with an account that they have elsewhere. */
export interface SignInOffers {
  github: boolean;
  /** The name of the provider of OpenID Connect; null: there is none. */
  oidc: string | null;
}

export const listProviders = ({ github, oidc }: SignInOffers): { id: string; name: string }[] => [
  ...(github ? [{ id: "github", name: "GitHub" }] : []),
  ...(oidc === null ? [] : [{ id: "oidc", name: oidc }]),
];

const signedInSchema = z.object({ twoFactorRedirect: z.optional(z.boolean()) });
const redirectSchema = z.object({ url: z.string() });

/** `code`: the second factor has to follow. Throws RequestError. */
export async function signInWithPassword(json: { email: string; password: string }): Promise<"done" | "code"> {
  const { twoFactorRedirect = false } = await requestAccount("sign-in/email", signedInSchema, { json });
  return twoFactorRedirect ? "code" : "done";
}

/** Leaves the page for a provider, which sends the user back to `next`, a path of this server. Throws RequestError. */
export async function signInAt(provider: string, next: string): Promise<void> {
  const json = { provider, callbackURL: next, errorCallbackURL: "/sign-in" };
  const { url } = await requestAccount("sign-in/social", redirectSchema, { json });
  window.location.assign(url);
}
