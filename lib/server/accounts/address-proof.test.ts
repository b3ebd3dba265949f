import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { localTeamId, localViewer } from "../auth/viewer";
import type { Db } from "../db";
import * as env from "../env";
import { decodeMail } from "../mail/testing/decode-mail";
import { type MailServer, startMailServer } from "../mail/testing/mail-server";
import { startServices } from "../start";
import { createInvitation } from "../teams/invitations";
import { proofHeader } from "./address-proof";
import { cookieOf, postToAuth, signIn, signUp, testPassword, testUrl, viewerOfCookie } from "./testing/auth-requests";

let db: Db;
let server: MailServer;
const startToken = "a-start-token-of-enough-characters";
const setEnv = (variables: Partial<env.Env>): void => {
  vi.restoreAllMocks();
  const settings = { SWARMLOOM_URL: testUrl, SWARMLOOM_TOKEN: startToken, SWARMLOOM_SMTP_URL: server.url };
  vi.spyOn(env, "getEnv").mockReturnValue({ ...env.getEnv(), ...settings, ...variables });
};
beforeAll(async () => {
  server = await startMailServer();
  db = await startServices();
  setEnv({});
  await signUp("First", startToken);
});
afterAll(async () => {
  await globalThis.swarmloomServices?.endRuns();
  await server.close();
});
beforeEach(async () => {
  setEnv({ SWARMLOOM_OPEN_SIGN_UP: "1" });
  server.mails.length = 0;
  await db.rateLimit.deleteMany();
  await db.attemptCount.deleteMany();
});
afterEach(() => vi.restoreAllMocks());

/** The text of the next mail. */
async function receiveMail(): Promise<string> {
  await expect.poll(() => server.mails.length, { timeout: 20_000 }).toBeGreaterThan(0);
  return decodeMail(server.mails.shift()?.text ?? "");
}
const proofOf = (mail: string): string => /[#&]proof=([\w.-]+)/.exec(mail)?.[1] ?? "";
const requestProof = async (email: string): Promise<string> => {
  expect((await postToAuth("sign-up/email", { email })).status).toBe(200);
  return proofOf(await receiveMail());
};
const signUpWith = (email: string, proof: string, headers = {}): Promise<Response> =>
  postToAuth("sign-up/email", { name: "Ed", email, password: testPassword }, { [proofHeader]: proof, ...headers });
const findUser = (email: string) => db.user.findUnique({ where: { email } });

describe("where the server sends mail", () => {
  test("no one gets an account for an address whose mail they do not receive", async () => {
    const response = await signUp("Victim");
    expect([response.status, cookieOf(response)]).toEqual([200, ""]);
    expect(await findUser("victim@example.org")).toBeNull();
    expect((await signIn("victim@example.org")).status).toBe(401);
    const proof = proofOf(await receiveMail());
    const theirs = await postToAuth(
      "sign-up/email",
      { name: "Real", email: "victim@example.org", password: "the password of the owner" },
      { [proofHeader]: proof },
    );
    expect((await viewerOfCookie(cookieOf(theirs))).name).toBe("Real");
    expect((await findUser("victim@example.org"))?.emailVerified).toBe(true);
    expect((await signIn("victim@example.org")).status).toBe(401);
  });

  afterEach(async () => {
    // Mails are sent after the answers: those of one test must not reach the next one.
    await new Promise((resolve) => setTimeout(resolve, 500));
    server.mails.length = 0;
  });

  test("a proof is for its address, and no other text is one", async () => {
    const proof = await requestProof("ed@example.org");
    expect(proof).not.toBe("");
    for (const wrong of [`${proof}x`, "", "null", proof.split(".").slice(0, 2).join(".")])
      expect(cookieOf(await signUpWith("ed@example.org", wrong))).toBe("");
    expect(cookieOf(await signUpWith("other@example.org", proof))).toBe("");
    expect(await db.user.count({ where: { email: { in: ["ed@example.org", "other@example.org"] } } })).toBe(0);
    expect(cookieOf(await signUpWith("Ed@example.org", proof))).not.toBe("");
  });

  test("the answer does not tell whether an address has an account; a mail does", async () => {
    const [known, unknown] = [await signUp("First"), await signUp("Unknown")];
    expect(await known.text()).toBe(await unknown.text());
    expect([await receiveMail(), await receiveMail()].filter((mail) => proofOf(mail) !== "")).toHaveLength(1);
  });

  test("at most three mails an hour go to an address, and one client causes twenty", async () => {
    for (let count = 0; count < 3; count++) await requestProof("often@example.org");
    const find = vi.spyOn(db.attemptCount, "findUnique");
    await postToAuth("sign-up/email", { email: "often@example.org" });
    await vi.waitFor(() => expect(find).toHaveBeenCalledTimes(1));
    await Promise.all(find.mock.results.map(({ value }) => value));
    for (let count = 4; count < 20; count++) await requestProof(`many${count}@example.org`);
    find.mockClear();
    await postToAuth("sign-up/email", { email: "one-more@example.org" });
    await vi.waitFor(() => expect(find).toHaveBeenCalledTimes(1));
    await Promise.all(find.mock.results.map(({ value }) => value));
    // A mail of the test before may have come late.
    expect(server.mails.filter(({ text }) => /^To: (?:often|one-more)@/m.test(text))).toEqual([]);
  });

  test("an invitation needs the proof, too; its link leads back to the invitation", async () => {
    setEnv({});
    const { token } = await createInvitation(localViewer, localTeamId, { role: "viewer" });
    const bearer = { authorization: `Bearer ${token}` };
    expect(cookieOf(await signUp("Guest", token))).toBe("");
    const mail = await receiveMail();
    expect(mail).toContain(`${testUrl}/invitations/${token}#proof=`);
    expect(cookieOf(await signUpWith("guest@example.org", proofOf(mail), bearer))).not.toBe("");
    expect((await postToAuth("sign-up/email", { email: "guest2@example.org" })).status).toBe(403);
  });

  test("the operator needs no mail, and accounts from before go on", async () => {
    expect(cookieOf(await signUp("Operator", startToken))).not.toBe("");
    expect((await findUser("first@example.org"))?.emailVerified).toBe(false);
    expect((await signIn("first@example.org")).status).toBe(200);
  });

  test("a password that is set by a mailed link proves the address", async () => {
    await postToAuth("request-password-reset", { email: "first@example.org" });
    const token = /reset-password\?token=([\w-]+)/.exec(await receiveMail())?.[1] ?? "";
    await postToAuth("reset-password", { newPassword: testPassword, token });
    expect((await findUser("first@example.org"))?.emailVerified).toBe(true);
  });
});

test("where it sends none, an account is created at once and proves nothing", async () => {
  setEnv({ SWARMLOOM_SMTP_URL: undefined, SWARMLOOM_OPEN_SIGN_UP: "1" });
  expect(cookieOf(await signUp("Unproved"))).not.toBe("");
  expect((await findUser("unproved@example.org"))?.emailVerified).toBe(false);
  expect((await postToAuth("sign-up/email", { email: "no-password@example.org" })).status).toBe(400);
});
