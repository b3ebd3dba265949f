import "server-only";
import { isIP } from "node:net";
import { AppError } from "../app-error";
import { getEnv } from "../env";
import { isLoopbackHost } from "./loopback";

/**
 * The checks of every request where people sign in: it asks for a name of this server, which a page of another site cannot
 * make a browser do (DNS rebinding), and no page of another site has sent it. Throws AppError `forbidden`.
 */
export function assertOwnAddress(headers: Headers): void {
  const host = (headers.get("host") ?? "").toLowerCase();
  if (!isOwnHost(host))
    throw new AppError(
      "forbidden",
      `This server does not answer to the name "${host.slice(0, 100)}". Its operator sets its address in SWARMLOOM_URL.`,
    );
  const origin = headers.get("origin");
  if (origin !== null && !isOwnOrigin(origin, host))
    throw new AppError("forbidden", "The request came from another site's page.");
  const site = headers.get("sec-fetch-site");
  if ((site === "cross-site" || site === "same-site") && headers.get("sec-fetch-mode") !== "navigate")
    throw new AppError("forbidden", "The request came from another site's page.");
}

/** Loopback names for programs of this machine, e.g. health checks: no other name can be made to lead to them. */
function isOwnHost(host: string): boolean {
  const { SWARMLOOM_URL: url, HOST } = getEnv();
  if (isLoopbackHost(host)) return true;
  if (url !== undefined) return host === new URL(url).host;
  const name = /^(?:\[(.*)\]|([^:]*))(?::\d+)?$/.exec(host);
  const [, address6 = "", plainName = ""] = name ?? [];
  // An address is no name, and cannot be made to lead elsewhere.
  return isIP(address6 || plainName) !== 0 || plainName === HOST.toLowerCase();
}

function isOwnOrigin(origin: string, host: string): boolean {
  const { SWARMLOOM_URL: url } = getEnv();
  if (url !== undefined && !isLoopbackHost(host)) return origin === url;
  return URL.canParse(origin) && new URL(origin).host === host;
}
