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

/** The address to print at start. */
export const toStartAddress = (url: string, token: StartToken | null): string =>
  token === null ? url : `${url}/?${tokenParameter}=${toPrintedToken(token)}`;

/** The address to print at start that makes the first account. The token is after the hash, which browsers send to no server. */
export const toSignUpAddress = (url: string, token: StartToken): string =>
  `${url}/sign-up#token=${toPrintedToken(token)}`;

/** A token that was made, but not one of the environment: logs may keep what is printed. */
const toPrintedToken = ({ source, value }: StartToken): string => (source === "made" ? value : "<SWARMLOOM_TOKEN>");

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

/** What is stored of a secret that has at least 192 random bits: no slower function makes it harder to guess. */
export const hashSecret = (secret: string): string => createHash("sha256").update(secret).digest("hex");

/** What a request shows as `Authorization: Bearer`; null: nothing. */
export const readBearer = (headers: Headers): string | null =>
  /^Bearer +(.+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? null;

/** Whether a request shows the token: as `Authorization: Bearer`, or by the cookie of a browser that has shown it. */
export function showsToken(headers: Headers, token: string): boolean {
  const bearer = readBearer(headers);
  if (bearer !== null) return isSameSecret(bearer, token);
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
