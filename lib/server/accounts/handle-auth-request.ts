import "server-only";
import { AppError } from "../app-error";
import { assertOwnAddress } from "../auth/own-address";
import { getOwnOrigin, isTeamMode } from "../auth/team-mode";
import { startServices } from "../start";
import { getAuth } from "./auth";

/** What of better-auth is used, below /api/auth; all else does not exist. Each authorises by its cookie, token or body. */
const authEndpoints = [
  "sign-up/email",
  "sign-in/email",
  "sign-in/social",
  "sign-out",
  "get-session",
  "list-sessions",
  "revoke-session",
  "revoke-other-sessions",
  "update-user",
  "change-password",
  "request-password-reset",
  "reset-password",
  "two-factor/enable",
  "two-factor/disable",
  "two-factor/verify-totp",
  "two-factor/verify-backup-code",
  "two-factor/generate-backup-codes",
  "passkey/generate-register-options",
  "passkey/verify-registration",
  "passkey/generate-authenticate-options",
  "passkey/verify-authentication",
  "passkey/list-user-passkeys",
  "passkey/delete-passkey",
  "passkey/update-passkey",
] as const;

const isUsed = (endpoint: string): boolean =>
  authEndpoints.some((used) => used === endpoint) || /^callback\/[\w-]{1,40}$/.test(endpoint);

/** Answers a request to sign up, in or out and the like, where people have accounts. Throws AppError: `not_found` elsewhere, `forbidden`. */
export async function handleAuthRequest(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const endpoint = pathname.replace(/^\/api\/auth\//, "");
  if (!isTeamMode() || !isUsed(endpoint))
    throw new AppError("not_found", `The API has no address ${pathname.slice(0, 200)}.`);
  const headers = new Headers(request.headers);
  assertOwnAddress(headers);
  // Programs send none. What browsers send was compared above.
  if (!headers.has("origin")) headers.set("origin", getOwnOrigin());
  await startServices();
  const { handler } = await getAuth();
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  // Next names the host that it listens on, not the one that users have in their addresses.
  const url = `${getOwnOrigin()}${pathname}${search}`;
  const { method } = request;
  return handler(new Request(url, { method, headers, ...(hasBody && { body: await request.text() }) }));
}
