import * as z from "zod/mini";
import { RequestError, toRequestError } from "../_ui/loading/fetch-json";

/** What a person can do about an error of better-auth, whose own words are for developers. */
const messages: Readonly<Record<string, string>> = {
  INVALID_EMAIL_OR_PASSWORD: "The e-mail address or the password is wrong.",
  INVALID_PASSWORD: "The password is wrong.",
  INVALID_EMAIL: "Enter an e-mail address such as ann@example.com.",
  PASSWORD_TOO_SHORT: "The password is too short: choose one of at least 10 characters.",
  PASSWORD_TOO_LONG: "The password is too long: choose one of at most 200 characters.",
  USER_ALREADY_EXISTS: "This e-mail address has an account. Sign in instead.",
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: "This e-mail address has an account. Sign in instead.",
  INVALID_CODE: "This code is wrong. Enter the one that your app shows now.",
  INVALID_BACKUP_CODE: "This backup code is wrong, or was used.",
  INVALID_TWO_FACTOR_COOKIE: "This took too long. Sign in again.",
  INVALID_TOKEN: "This link was used or has expired. Ask for a new one.",
  SESSION_NOT_FRESH: "You signed in more than 15 minutes ago. Confirm that it is you on the page of your account.",
  CODE_USED: "This code was entered already. Wait until your app shows the next one.",
  SESSION_EXPIRED: "You are signed out. Reload the page to sign in.",
};

/** What to enter, by the field of a request that better-auth found malformed (`[body.email] Invalid …`). */
const fieldMessages: Readonly<Record<string, string>> = {
  email: "Enter an e-mail address such as ann@example.com.",
  password: "Enter a password.",
  currentPassword: "Enter your current password.",
  newPassword: "Enter a password.",
  name: "Enter a name.",
  code: "Enter the code.",
};

const toFieldMessage = (message: string): string =>
  fieldMessages[/^\[body\.(\w+)\]/.exec(message)?.[1] ?? ""] ??
  "Something that you entered has an unexpected form. Check it, then try again.";

const problemSchema = z.object({ code: z.optional(z.string()), message: z.string() });

interface AccountRequest {
  /** Sent as JSON; missing: the request only reads. */
  json?: unknown;
  /** The token of an invitation or of the server. */
  bearer?: string | null;
  /** From a mailed link for a new account. */
  addressProof?: string | null;
}

/** Requests what is below /api/auth. Throws RequestError with a message for the person. */
export async function requestAccount<T>(
  endpoint: string,
  schema: { parse(value: unknown): T },
  { json, bearer = null, addressProof = null }: AccountRequest = {},
): Promise<T> {
  const headers = {
    ...(json !== undefined && { "content-type": "application/json" }),
    ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
    ...(addressProof !== null && { "x-swarmloom-address-proof": addressProof }),
  };
  const content = json === undefined ? {} : { method: "POST", body: JSON.stringify(json) };
  const response = await fetch(`/api/auth/${endpoint}`, { ...content, headers, cache: "no-store" }).catch(() => {
    throw new RequestError("network", "The server cannot be reached. Is it still running? Then try again.", 0);
  });
  const text = await response.text();
  if (!response.ok) throw toAccountError(response.status, text);
  return schema.parse(JSON.parse(text));
}

function toAccountError(status: number, text: string): RequestError {
  const problem = problemSchema.safeParse(parse(text));
  if (status === 429 && problem.data?.code === undefined)
    return new RequestError("rate_limited", "Too many attempts. Wait a minute, then try again.", status);
  if (!problem.success) return toRequestError(status, text);
  const { code = "unknown", message } = problem.data;
  const words = code === "VALIDATION_ERROR" ? toFieldMessage(message) : (messages[code] ?? message);
  return new RequestError(code, words, status);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** For answers of which nothing is used. */
export const anyAnswer = z.unknown();
