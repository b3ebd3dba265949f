import "server-only";
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { getDataFolder, getEnv, setToken } from "../env";

/** The parameter of an address with which a browser shows the token, once. */
export const tokenParameter = "token";

/** The token that this start demands, and where it came from. */
export interface StartToken {
  value: string;
  source: "made" | "environment";
}

/**
 * Settles the token of a starting server, before anything else reads the environment: `SWARMLOOM_TOKEN`, else a new one when
 * `make` is set, else none. Local programs find it in `token` of the data folder, which only this user may read.
 */
export function prepareToken({ make }: { make: boolean }): StartToken | null {
  const configured = getEnv().SWARMLOOM_TOKEN;
  const value = configured ?? (make ? randomBytes(32).toString("base64url") : null);
  writeTokenFile(value);
  if (value === null) return null;
  setToken(value);
  return { value, source: configured === undefined ? "made" : "environment" };
}

/** The address to print at start. It holds a token that was made, but not one of the environment: logs may keep what is printed. */
export function toStartAddress(url: string, token: StartToken | null): string {
  if (token === null) return url;
  return `${url}/?${tokenParameter}=${token.source === "made" ? token.value : "<SWARMLOOM_TOKEN>"}`;
}

function writeTokenFile(token: string | null): void {
  const folder = getDataFolder();
  const file = path.join(folder, "token");
  rmSync(file, { force: true });
  if (token === null) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(file, `${token}\n`, { mode: 0o600, flag: "wx" });
}

/** Whether two secrets are equal, in a time that tells nothing of either. */
export function isSameSecret(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** Whether a request shows the token: as `Authorization: Bearer`, or by the cookie of a browser that has shown it. */
export function showsToken(headers: Headers, token: string): boolean {
  const bearer = /^Bearer +(.+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  if (bearer !== undefined) return isSameSecret(bearer, token);
  const cookie = readCookie(headers, cookieName(headers));
  return cookie !== undefined && isSameSecret(cookie, deriveCookie(token));
}

/** The cookie of a browser that has shown the token. It ends with the browser's session, and cannot be turned into the token. */
export const toSessionCookie = (headers: Headers, token: string): string =>
  `${cookieName(headers)}=${deriveCookie(token)}; Path=/; HttpOnly; SameSite=Strict`;

const deriveCookie = (token: string): string =>
  createHmac("sha256", token).update("swarmloom session cookie").digest("base64url");

/** Browsers share cookies between the ports of a host: each server has its own name. */
const cookieName = (headers: Headers): string =>
  `swarmloom-session-${/:(\d+)$/.exec(headers.get("host") ?? "")?.[1] ?? "80"}`;

function readCookie(headers: Headers, name: string): string | undefined {
  const pairs = (headers.get("cookie") ?? "").split(/;\s*/);
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
