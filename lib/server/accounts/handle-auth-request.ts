import "server-only";
import { AppError } from "../app-error";
import { assertOwnAddress } from "../auth/own-address";
import { getOwnOrigin, isTeamMode } from "../auth/team-mode";
import { startServices } from "../start";
import { getAuth } from "./auth";
import { isUsedEndpoint } from "./auth-endpoints";

/** Answers a request to sign up, in or out and the like, where people have accounts. Throws AppError: `not_found` elsewhere, `forbidden`. */
export async function handleAuthRequest(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const endpoint = pathname.replace(/^\/api\/auth\//, "");
  if (!isTeamMode() || !isUsedEndpoint(endpoint))
    throw new AppError("not_found", `The API has no address ${pathname.slice(0, 200)}.`);
  const headers = new Headers(request.headers);
  assertOwnAddress(headers);
  // Programs send none. What browsers send was compared above.
  if (!headers.has("origin")) headers.set("origin", getOwnOrigin());
  await startServices();
  const { handler } = await getAuth();
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  // Next names the host that it listens on, not the one that users have in their addresses.
  // No endpoint needs a query beside a body; some take from it what the rules here read in the body.
  const url = `${getOwnOrigin()}${pathname}${hasBody ? "" : search}`;
  const { method } = request;
  return handler(new Request(url, { method, headers, ...(hasBody && { body: await request.text() }) }));
}
