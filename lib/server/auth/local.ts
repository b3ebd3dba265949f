import "server-only";
import { AppError } from "../app-error";
import { localViewer, type Viewer } from "./viewer";

const loopbackNames = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Whether a `Host` header, or the host of an address to listen on, names this machine and no other. */
export const isLoopbackHost = (host: string): boolean => loopbackNames.has(host.toLowerCase().replace(/:\d+$/, ""));

/**
 * Local mode: whoever reaches the loopback address is the one viewer. Requests that a foreign page could have sent
 * (another `Origin`, a cross-site fetch) or that came through a foreign name (DNS rebinding) are refused.
 */
export function requireViewer(headers: Headers): Viewer {
  const host = headers.get("host") ?? "";
  if (!isLoopbackHost(host))
    throw new AppError(
      "forbidden",
      `Without accounts this server answers to loopback names only, not to "${host.slice(0, 100)}". Open http://127.0.0.1 instead.`,
    );
  const origin = headers.get("origin");
  if (origin !== null && hostOf(origin) !== host.toLowerCase())
    throw new AppError("forbidden", "The request came from another site's page.");
  if (headers.get("sec-fetch-site") === "cross-site" && headers.get("sec-fetch-mode") !== "navigate")
    throw new AppError("forbidden", "The request came from another site's page.");
  return localViewer;
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
