import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Db } from "../db";
import * as env from "../env";
import { startServices } from "../start";
import { toAccountName } from "./account-name";
import { cookieOf, testPassword as password, postToAuth, signUp, testUrl as url } from "./testing/auth-requests";

let db: Db;
const startToken = "a-start-token-of-enough-characters";
beforeAll(async () => {
  db = await startServices();
});
afterAll(() => globalThis.swarmloomServices?.endRuns());
beforeEach(() => {
  const usual = env.getEnv();
  vi.spyOn(env, "getEnv").mockReturnValue({ ...usual, SWARMLOOM_URL: url, SWARMLOOM_TOKEN: startToken });
});
afterEach(() => vi.restoreAllMocks());

const bearer = { authorization: `Bearer ${startToken}` };
const refused = [
  "",
  " ",
  "x".repeat(101),
  "a\nb",
  "a\u0000b",
  "a\u2028b",
  "a\u202eb",
  "a\u2066b",
  "\u200b",
  "\ud800",
  "An\u200bn",
  "An\u00adn",
  "An\u{e0041}n",
  "An\u2060n",
  "An\ufe0fn",
  "An\u200dn",
  "\u3164",
  "\u2800",
  "An\u2800n",
  "An\u{effff}n",
  7,
  null,
];

test("names are 1 to 100 characters on one line, without control and bidirectional ones", async () => {
  const cookie = cookieOf(await signUp("Ann", startToken));
  for (const [index, name] of refused.entries()) {
    const body = { name, email: `refused${index}@example.org`, password };
    expect([name, (await postToAuth("sign-up/email", body, bearer)).status]).toEqual([name, 400]);
    expect([name, (await postToAuth("update-user", { name }, { cookie })).status]).toEqual([name, 400]);
  }
  expect(await db.user.count()).toBe(1);
  for (const name of ["李", "José María", "👩‍🚀".repeat(33), "Ḿ".repeat(100), "علی‌رضا", "❤️‍🔥 1️⃣"]) {
    expect([name, (await postToAuth("update-user", { name }, { cookie })).status]).toEqual([name, 200]);
    expect(await db.user.findFirst()).toMatchObject({ name });
  }
});

test("passkeys are named as accounts are", async () => {
  const signedUp = await signUp("Pat", startToken);
  const cookie = cookieOf(signedUp);
  const { id: userId } = await db.user.findFirstOrThrow({ where: { name: "Pat" } });
  await db.passkey.create({
    data: {
      ...{ id: "pat's", name: "laptop", publicKey: "k", userId, credentialID: "pat's", counter: 0 },
      ...{ deviceType: "singleDevice", backedUp: false },
    },
  });
  for (const name of refused) {
    for (const path of ["passkey/update-passkey", "passkey/verify-registration"]) {
      const response = await postToAuth(path, { id: "pat's", name, response: {} }, { cookie });
      expect([path, name, response.status]).toEqual([path, name, 400]);
      // Numbers and the like are refused by the library.
      if (typeof name === "string") expect(await response.json()).toMatchObject({ code: "INVALID_ACCOUNT" });
    }
  }
  expect((await postToAuth("passkey/update-passkey", { id: "pat's", name: "Pat’s 🔑" }, { cookie })).status).toBe(200);
  expect(await db.passkey.findMany({ select: { name: true } })).toEqual([{ name: "Pat’s 🔑" }]);
});

test("accounts have no pictures", async () => {
  const body = { name: "Pia", email: "pia@example.org", password, image: "https://example.org/p.png" };
  expect((await postToAuth("sign-up/email", body, bearer)).status).toBe(400);
  const cookie = cookieOf(await signUp("Pia", startToken));
  expect((await postToAuth("update-user", { image: "https://example.org/p.png" }, { cookie })).status).toBe(400);
  expect(await db.user.findFirst({ where: { image: { not: null } } })).toBeNull();
});

test("a name of a provider elsewhere is made such a name", () => {
  expect(toAccountName("Ann\u202e Lee\n", "ann@example.org")).toBe("Ann Lee");
  expect(toAccountName("x".repeat(5000), "ann@example.org")).toBe("x".repeat(100));
  expect(toAccountName("\u200b\n", "ann@example.org")).toBe("ann");
  expect(toAccountName("\u3164\u2800", "ann@example.org")).toBe("ann");
  expect(toAccountName("A\u{e0041}nn\u00ad 👩‍🚀", "ann@example.org")).toBe("Ann 👩‍🚀");
  expect(toAccountName("", "\u200b@example.org")).toBe("Someone");
});
