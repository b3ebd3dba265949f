import "server-only";
import { AppError } from "../app-error";
import { getEnv } from "../env";
import { findForeignForwarding } from "./forwarded";
import { isLoopbackHost } from "./loopback";
import { showsToken } from "./token";
import { localViewer, type Viewer } from "./viewer";

/**
 * Local mode: the user of this machine is the one viewer. Requests are refused that came through a foreign name (DNS
 * rebinding) or a proxy, that another site's page or another server of this machine could have made a browser send, and,
 * where a token is set, that do not show it. Throws AppError `forbidden` or `unauthorized`.
 */
export function requireLocalViewer(headers: Headers): Viewer {
  assertLocal(headers);
  const { SWARMLOOM_TOKEN: token } = getEnv();
  if (token !== undefined && !showsToken(headers, token))
    throw new AppError(
      "unauthorized",
      "This server expects its token: browsers open the address that was printed when it started, programs send `Authorization: Bearer <token>`. It is in the file `token` of the data folder.",
    );
  return localViewer;
}

/** The checks of `requireLocalViewer` but the token. Throws AppError `forbidden`. */
export function assertLocal(headers: Headers): void {
  const host = headers.get("host") ?? "";
  if (!isLoopbackHost(host))
    throw new AppError(
      "forbidden",
      `Without accounts this server answers to loopback names only, not to "${host.slice(0, 100)}". Open http://127.0.0.1 instead.`,
    );
  const forwarding = findForeignForwarding(headers);
  if (forwarding !== null)
    throw new AppError(
      "forbidden",
      `Without accounts this server answers this machine only, and the request was forwarded from elsewhere (${forwarding}). Connect to it directly, e.g. through \`ssh -L\`.`,
    );
  const origin = headers.get("origin");
  if (origin !== null && hostOf(origin) !== host.toLowerCase())
    throw new AppError("forbidden", "The request came from another site's page.");
  const site = headers.get("sec-fetch-site");
  if ((site === "cross-site" || site === "same-site") && headers.get("sec-fetch-mode") !== "navigate")
    throw new AppError("forbidden", "The request came from another site's page.");
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
