import { createOTP } from "@better-auth/utils/otp";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { takeAttempt } from "../auth/attempts";
import { localTeamId } from "../auth/viewer";
import type { Db } from "../db";
import * as env from "../env";
import { startServices } from "../start";
import { acceptInvitation, createInvitation } from "../teams/invitations";
import { getAuth } from "./auth";
import {
  cookieOf,
  testPassword as password,
  postToAuth,
  signIn,
  signUp,
  testUrl as url,
  viewerOfCookie,
} from "./testing/auth-requests";

let db: Db;
const startToken = "a-start-token-of-enough-characters";
beforeAll(async () => {
  db = await startServices();
});
afterAll(() => globalThis.swarmloomServices?.endRuns());
beforeEach(async () => {
  const usual = env.getEnv();
  vi.spyOn(env, "getEnv").mockReturnValue({ ...usual, SWARMLOOM_URL: url, SWARMLOOM_TOKEN: startToken });
  await db.rateLimit.deleteMany();
});
afterEach(() => vi.restoreAllMocks());

let count = 0;
/** A new account, signed in. */
async function insertAccount() {
  const name = `Person${count++}`;
  const response = await signUp(name, startToken);
  expect(response.status).toBe(200);
  return { name, email: `${name.toLowerCase()}@example.org`, cookie: cookieOf(response) };
}

const codeOf = async (response: Response): Promise<string> => {
  const body = await response.json();
  return typeof body?.code === "string" ? body.code : String(response.status);
};
const isSignedIn = (cookie: string): Promise<boolean> =>
  viewerOfCookie(cookie).then(
    () => true,
    () => false,
  );
const age = (email: string, minutes: number) =>
  db.userSession.updateMany({
    where: { user: { email } },
    data: { createdAt: new Date(Date.now() - minutes * 60_000) },
  });

describe("the time of a sign-in", () => {
  test("is that of one password, whether the address has an account or not", async () => {
    const { password: passwords } = await (await getAuth()).$context;
    const [hash, verify] = [vi.spyOn(passwords, "hash"), vi.spyOn(passwords, "verify")];
    const { email } = await insertAccount();
    hash.mockClear();
    expect((await signIn(email, "a wrong password")).status).toBe(401);
    expect([hash.mock.calls.length, verify.mock.calls.length]).toEqual([0, 1]);
    expect((await signIn("nobody@example.org", "a wrong password")).status).toBe(401);
    expect([hash.mock.calls.length, verify.mock.calls.length]).toEqual([1, 1]);
  });
});

describe("what an ended session has open", () => {
  test.each<[string, object]>([
    ["sign-out", {}],
    ["revoke-other-sessions", {}],
    ["change-password", { currentPassword: password, newPassword: "another long password" }],
  ])("is checked at once: %s", async (endpoint, body) => {
    const { email, cookie } = await insertAccount();
    const other = cookieOf(await signIn(email));
    const checked: boolean[][] = [];
    const nothing = () => {};
    globalThis.swarmloomRooms = {
      ...{ onSaved: nothing, onUpdated: nothing, onPresence: nothing, onMissed: nothing },
      onAccessChanged: async () => checked.push(await Promise.all([cookie, other].map(isSignedIn))),
    };
    expect((await postToAuth(endpoint, body, { cookie })).status).toBe(200);
    globalThis.swarmloomRooms = undefined;
    await expect.poll(() => checked).toEqual([endpoint === "sign-out" ? [false, true] : [true, false]]);
  });
});

describe("attempts", () => {
  test("that are made at once are counted before they are made", async () => {
    const limit = { key: "parallel", max: 10, periodMs: 60_000 };
    const waits = await Promise.all(Array.from({ length: 40 }, () => takeAttempt(db, limit, 1_000_000)));
    expect(waits.filter((wait) => wait === null)).toHaveLength(10);
    expect(waits.filter((wait) => wait === 60_000)).toHaveLength(30);
    expect(await takeAttempt(db, limit, 1_060_000)).toBeNull();
    expect(await takeAttempt(db, { ...limit, max: 1 }, 1_060_001)).toBe(59_999);
  });

  test("of passwords are ten, also of 38 at once", async () => {
    const { email } = await insertAccount();
    const statuses = await Promise.all(
      Array.from({ length: 38 }, async (_, index) => (await signIn(email, `wrong password ${index}`)).status),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(28);
  }, 120_000);

  test("of the present password with a session that was taken over are counted, too", async () => {
    const { email, cookie } = await insertAccount();
    const statuses = [];
    for (let index = 0; index < 12; index++) {
      await db.rateLimit.deleteMany();
      const json = { currentPassword: `wrong password ${index}`, newPassword: "another long password" };
      statuses.push((await postToAuth("change-password", json, { cookie })).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429, 429]);
    expect((await signIn(email)).status).toBe(429);
  }, 120_000);
});

describe("an invitation", () => {
  test("makes one account, also when it is used several times at once", async () => {
    const owner = await insertAccount();
    const viewer = await viewerOfCookie(owner.cookie);
    await db.membership.upsert({
      where: { teamId_userId: { teamId: localTeamId, userId: viewer.id } },
      create: { teamId: localTeamId, userId: viewer.id, role: "owner", createdAt: new Date() },
      update: { role: "owner" },
    });
    const manager = await viewerOfCookie(owner.cookie);
    const { token } = await createInvitation(manager, localTeamId, { role: "viewer" });
    const names = ["Ina", "Ivo", "Ira", "Ilse", "Ike"];
    const responses = await Promise.all(names.map((name) => signUp(name, token)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 403, 403, 403, 403]);
    expect(
      await db.user.count({ where: { email: { in: names.map((name) => `${name.toLowerCase()}@example.org`) } } }),
    ).toBe(1);
    expect((await signUp("Later", token)).status).toBe(403);
    // It is for the account that was made with it.
    await expect(acceptInvitation(viewer, token)).rejects.toMatchObject({ code: "not_found" });
    const made = responses.find(({ status }) => status === 200);
    if (!made) throw new Error("expected an account");
    expect((await acceptInvitation(await viewerOfCookie(cookieOf(made)), token)).team.role).toBe("viewer");
  });
});

describe("a code of an app", () => {
  async function insertTwoFactor() {
    const account = await insertAccount();
    const enabled = await postToAuth("two-factor/enable", { password }, { cookie: account.cookie });
    const { totpURI } = await enabled.json();
    const secret = new TextDecoder().decode(fromBase32(new URL(totpURI).searchParams.get("secret") ?? ""));
    return { ...account, toCode: () => createOTP(secret, { period: 30, digits: 6 }).totp() };
  }

  test("signs in once, also when two browsers send it at once", async () => {
    const { email, cookie, toCode } = await insertTwoFactor();
    expect((await postToAuth("two-factor/verify-totp", { code: await toCode() }, { cookie })).status).toBe(200);
    await db.attemptCount.deleteMany({ where: { key: { startsWith: "code" } } });
    const cookies = [cookieOf(await signIn(email)), cookieOf(await signIn(email))];
    const code = await toCode();
    const responses = await Promise.all(
      cookies.map((challenge) => postToAuth("two-factor/verify-totp", { code }, { cookie: challenge })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    const third = cookieOf(await signIn(email));
    expect(await codeOf(await postToAuth("two-factor/verify-totp", { code }, { cookie: third }))).toBe("CODE_USED");
  });

  test("that turns the second factor on ends the other sessions", async () => {
    const { email, cookie, toCode } = await insertTwoFactor();
    const other = cookieOf(await signIn(email));
    const verified = await postToAuth("two-factor/verify-totp", { code: await toCode() }, { cookie });
    expect(verified.status).toBe(200);
    expect([await isSignedIn(other), await isSignedIn(cookieOf(verified))]).toEqual([false, true]);
  });
});

describe("what changes how an account is signed in to", () => {
  const newPassword = "another long password";
  const changes: [string, object][] = [
    ["change-password", { currentPassword: password, newPassword }],
    ["two-factor/enable", { password }],
    ["two-factor/disable", { password }],
    ["two-factor/generate-backup-codes", { password }],
    ["passkey/delete-passkey", { id: "none" }],
    ["passkey/verify-registration", { response: {} }],
  ];

  test.each(changes)("%s needs a sign-in of the last minutes", async (endpoint, json) => {
    const { email, cookie } = await insertAccount();
    await age(email, 16);
    expect(await codeOf(await postToAuth(endpoint, json, { cookie }))).toBe("SESSION_NOT_FRESH");
    const again = cookieOf(await signIn(email));
    expect(await codeOf(await postToAuth(endpoint, json, { cookie: again }))).not.toBe("SESSION_NOT_FRESH");
  });

  test("a new password ends the other sessions, whatever the request says", async () => {
    const { email, cookie } = await insertAccount();
    const other = cookieOf(await signIn(email));
    const json = { currentPassword: password, newPassword, revokeOtherSessions: false };
    expect((await postToAuth("change-password", json, { cookie })).status).toBe(200);
    expect([await isSignedIn(other), await isSignedIn(cookie)]).toEqual([false, true]);
  });

  test("a passkey that is deleted ends the other sessions", async () => {
    const { email, cookie } = await insertAccount();
    const other = cookieOf(await signIn(email));
    const { id: userId } = await db.user.findUniqueOrThrow({ where: { email } });
    await db.passkey.create({
      data: {
        ...{ id: userId, publicKey: "k", userId, credentialID: userId, counter: 0 },
        ...{ deviceType: "singleDevice", backedUp: false },
      },
    });
    expect((await postToAuth("passkey/delete-passkey", { id: userId }, { cookie })).status).toBe(200);
    expect([await isSignedIn(other), await isSignedIn(cookie)]).toEqual([false, true]);
  });
});

function fromBase32(text: string): Uint8Array {
  const bits = [...text]
    .map((digit) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(digit).toString(2).padStart(5, "0"))
    .join("");
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}
