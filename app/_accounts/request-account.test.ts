import { afterEach, expect, it, vi } from "vitest";
import { anyAnswer, requestAccount } from "./request-account";

afterEach(() => vi.unstubAllGlobals());

/** The message that a form shows for an answer of better-auth. */
async function messageFor(status: number, body: object): Promise<string> {
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(body), { status }));
  return requestAccount("sign-in/email", anyAnswer, { json: {} }).then(
    () => "",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

it.each([
  ["[body.email] Invalid email address", "Enter an e-mail address such as ann@example.com."],
  ["[body.password] Invalid input: expected string, received undefined", "Enter a password."],
  ["[body.newPassword] Too small", "Enter a password."],
  ["[body.name] Invalid input", "Enter a name."],
  ["[body.code] Invalid input", "Enter the code."],
  ["[body.callbackURL] Invalid URL", "Something that you entered has an unexpected form. Check it, then try again."],
])("what the library finds wrong with a request has plain words: %s", async (message, expected) => {
  expect(await messageFor(400, { code: "VALIDATION_ERROR", message })).toBe(expected);
});

it("a known code has its own words, and another answer its message", async () => {
  expect(await messageFor(401, { code: "INVALID_EMAIL_OR_PASSWORD", message: "Invalid email or password" })).toBe(
    "The e-mail address or the password is wrong.",
  );
  expect(await messageFor(403, { code: "SIGN_UP_REFUSED", message: "An account here needs an invitation." })).toBe(
    "An account here needs an invitation.",
  );
});
