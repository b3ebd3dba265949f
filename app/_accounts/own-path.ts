import type { Route } from "next";

/**
 * Whether an address is a path of this server: one slash, then neither a slash nor a backslash, which browsers read as one,
 * nor anything that they leave out of an address before they read it.
 */
export const isOwnPath = (path: string): path is Route =>
  /^\/(?![/\\])[^\\\s\p{Cc}]*$/u.test(path) && new URL(path, "http://own.invalid").origin === "http://own.invalid";

/** Where a visitor goes after signing in: where it wanted to go, if that is on this server; else the flows. */
export const toOwnPath = (next: string | string[] | undefined): Route =>
  typeof next === "string" && isOwnPath(next) ? next : "/";
