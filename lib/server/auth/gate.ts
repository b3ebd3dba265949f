import "server-only";
import { AppError, toErrorResponse } from "../app-error";
import { getEnv } from "../env";
import { assertAddressed } from "./addressed";
import { readKeySecret } from "./api-keys";
import { assertLocal } from "./local";
import { toRefusalPage } from "./refusal-page";
import { isTeamMode } from "./team-mode";
import { isSameSecret, tokenParameter, toSessionCookie } from "./token";

/** Whether an address is one of the API: it answers with data, never with a page. */
export const isApiPath = (pathname: string): boolean => /^\/api(\/|$)/.test(pathname);

/** Whether requests to an address are authorised by their signature, from wherever they come: those to webhooks. */
const isSignedPath = (pathname: string): boolean => /^\/api\/hooks\/[^/]+$/.test(pathname);

/** What the gate looks at. A whole `Request` takes longer to make than all that is done with it here. */
type RequestHead = Pick<Request, "method" | "url" | "headers">;

/**
 * The gate before every page and route: the answer to a request that goes no further, or null. Browsers that open an address
 * with the token get their cookie here. Pages and routes authorise again by themselves.
 */
export function answerAtGate(request: RequestHead): Response | null {
  const url = new URL(request.url);
  const isApi = isApiPath(url.pathname);
  try {
    assertDecodable(url.pathname);
    if (isSignedPath(url.pathname)) return null;
    const answer = isApi ? null : answerPageRequest(request, url);
    if (answer === null) admitAtGate(request.headers, { isApi });
    return answer;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return isApi ? toErrorResponse(error) : toRefusalPage(error);
  }
}

/** Who it is, pages and routes find out: that takes the database. */
function admitAtGate(headers: Headers, { isApi }: { isApi: boolean }): void {
  // The same for an API key.
  if (!isTeamMode() && isApi && readKeySecret(headers) !== null) assertLocal(headers);
  else assertAddressed(headers);
}

const answerPageRequest = ({ method, headers }: RequestHead, url: URL): Response | null =>
  method === "GET" || method === "HEAD" ? showToken(headers, url) : refuseMethod(method);

/** Takes the token of an address out of it: the answer sets the cookie and leads to the address without the token. */
function showToken(headers: Headers, url: URL): Response | null {
  const { SWARMLOOM_TOKEN: token } = getEnv();
  if (isTeamMode()) return null;
  const receivedToken = url.searchParams.get(tokenParameter);
  if (token === undefined || receivedToken === null) return null;
  assertLocal(headers);
  if (!isSameSecret(receivedToken, token))
    throw new AppError(
      "unauthorized",
      "The token in this address is not the one of this server. Open the address that was printed when the server was started last; the token is also in the file `token` of the data folder.",
    );
  url.searchParams.delete(tokenParameter);
  return new Response(null, {
    status: 303,
    headers: {
      // Below this host, whatever the path begins with.
      location: `/${url.pathname.replace(/^\/+/, "")}${url.search}`,
      "set-cookie": toSessionCookie(headers, token),
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    },
  });
}

function assertDecodable(pathname: string): void {
  try {
    decodeURIComponent(pathname);
  } catch {
    throw new AppError(
      "bad_request",
      `The address has a % that no two hexadecimal digits of UTF-8 follow: ${pathname.slice(0, 100)}. Write % itself as %25.`,
    );
  }
}

const refuseMethod = (method: string): Response =>
  new Response(`Pages are read with GET or HEAD, not with ${method}.\n`, {
    status: 405,
    headers: { allow: "GET, HEAD", "content-type": "text/plain; charset=utf-8" },
  });
