import "server-only";
import { APIError } from "better-auth/api";
import { forgetAttempts, takeAttempt } from "../auth/attempts";
import { hashSecret } from "../auth/token";
import type { Db } from "../db";

/** Passwords that may be tried for one account, from wherever they come. */
const [maxPasswords, periodMs] = [10, 15 * 60_000];

const toKey = (email: string): string => `password ${hashSecret(email.trim().toLowerCase())}`;

/** Counts a password that is tried for an e-mail address. Throws APIError 429 when too many were. */
export async function takePasswordAttempt(db: Db, email: string): Promise<void> {
  const waitMs = await takeAttempt(db, { key: toKey(email), max: maxPasswords, periodMs });
  if (waitMs === null) return;
  throw new APIError("TOO_MANY_REQUESTS", {
    code: "TOO_MANY_FAILURES",
    message: `Too many wrong passwords. Try again in ${Math.ceil(waitMs / 60_000)} minutes, or set a new password.`,
  });
}

/** Forgets the wrong passwords of an account: the right one was entered, or a new one was set. */
export const forgetPasswordAttempts = (db: Db, email: string): Promise<void> => forgetAttempts(db, toKey(email));
