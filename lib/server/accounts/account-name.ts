import "server-only";
import { APIError } from "better-auth/api";
import { cutName, hasForbiddenCharacters, toDisplayName } from "@/lib/core/flow/list/display-name";

const maxNameLength = 100;
const maxEmailLength = 320;

/** The names and addresses that a request for an account has. Throws APIError 400. */
export function assertAccountFields(body: { name?: unknown; email?: unknown; image?: unknown }): void {
  if (body.image !== undefined) throw refuse("image", "expected none: accounts have no pictures");
  if (typeof body.email === "string" && body.email.length > maxEmailLength)
    throw refuse("email", `expected at most ${maxEmailLength} characters, found ${body.email.length}`);
  if (body.name !== undefined) assertName(body.name);
}

/** The name that a request gives a passkey: one as accounts have. Throws APIError 400. */
export function assertPasskeyName({ name }: { name?: unknown }): void {
  if (name !== undefined) assertName(name);
}

function assertName(name: unknown): void {
  if (typeof name !== "string") throw refuse("name", `expected a text, found ${typeof name}`);
  if (name.length > 2 * maxNameLength || Array.from(name).length > maxNameLength)
    throw refuse("name", `expected 1 to ${maxNameLength} characters, found more`);
  if (toDisplayName(name) === "") throw refuse("name", `expected 1 to ${maxNameLength} characters, found none`);
  if (hasForbiddenCharacters(name))
    throw refuse(
      "name",
      "expected one line without control characters, hidden characters and those that change the direction of text",
    );
}

const refuse = (field: string, problem: string): APIError =>
  new APIError("BAD_REQUEST", { code: "INVALID_ACCOUNT", message: `\`${field}\`: ${problem}.` });

/** A name as a provider elsewhere has it, made one that accounts here may have. */
export const toAccountName = (name: string, email: string): string =>
  cutName(toDisplayName(name) || toDisplayName(email.split("@")[0] ?? "") || "Someone", maxNameLength).trim();
