import { randomUUID } from "node:crypto";
import { createServer, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { isSqlite } from "@/prisma/testing/test-stores";
import * as audit from "../audit/record-audit";
import { listHeldPeriods } from "../auth/reset-link-rows";
import { localTeamId, type Viewer } from "../auth/viewer";
import type { Db } from "../db";
import * as env from "../env";
import { type MailServer, startMailServer } from "../mail/testing/mail-server";
import { startServices } from "../start";
import { createTeam, removeMember, setMemberRole } from "../teams/commands";
import { acceptInvitation, createInvitation } from "../teams/invitations";
import * as auth from "./auth";
import { loadViewer } from "./read-viewer";
import { createResetLink } from "./reset-link";
import { cookieOf, postToAuth, signIn, signUp, testUrl as url } from "./testing/auth-requests";

let db: Db;
let server: MailServer;
const startToken = "a-start-token-of-enough-characters";
beforeAll(async () => {
  server = await startMailServer();
  db = await startServices();
});
afterAll(async () => {
  await globalThis.swarmloomServices?.endRuns();
  await server.close();
});
beforeEach(async () => {
  const usual = env.getEnv();
  const settings = { SWARMLOOM_URL: url, SWARMLOOM_TOKEN: startToken, SWARMLOOM_SMTP_URL: server.url };
  vi.spyOn(env, "getEnv").mockReturnValue({ ...usual, ...settings });
  server.mails.length = 0;
  await db.rateLimit.deleteMany();
});
afterEach(() => vi.restoreAllMocks());

const mailWait = { timeout: 20_000 };
const tokenOf = (text: string): string =>
  /reset-password\?token=([\w-]+)/.exec(text.replaceAll("=\r\n", "").replaceAll("=3D", "="))?.[1] ?? "";
let count = 0;

/** Two members of the first team, with passwords. */
async function insertPair(roles = ["admin", "editor"]) {
  const people = [];
  for (const role of roles) {
    const name = `${role}${count++}`;
    await signUp(name, startToken);
    const user = await db.user.findUniqueOrThrow({ where: { email: `${name}@example.org` } });
    await db.membership.deleteMany({ where: { userId: user.id } });
    await db.membership.create({ data: { teamId: localTeamId, userId: user.id, role, createdAt: new Date() } });
    people.push(user);
  }
  const [admin, member] = people;
  if (!admin || !member) throw new Error("expected two people");
  return { admin, member, viewerOf: (user: typeof admin): Promise<Viewer> => loadViewer(db, user) };
}

/** Members who may know the password of a user now. */
const listHolders = async (userId: string): Promise<string[]> =>
  (await listHeldPeriods(db, userId)).flatMap(({ makerId, until }) => (until === null ? [makerId] : []));

const setPassword = async (token: string): Promise<number> =>
  (await postToAuth("reset-password", { newPassword: "another long password", token })).status;
const requestMail = async (email: string): Promise<string> => {
  const sent = server.mails.length;
  await postToAuth("request-password-reset", { email });
  await expect.poll(() => server.mails.length, mailWait).toBeGreaterThan(sent);
  return tokenOf(server.mails.at(-1)?.text ?? "");
};

describe("a link for a new password", () => {
  test("is in no row and so in no backup, and its making is mailed to the member", async () => {
    const { admin, member, viewerOf } = await insertPair();
    const mailed = await requestMail(member.email);
    const made = tokenOf((await createResetLink(await viewerOf(admin), localTeamId, member.id)).url);
    const rows = JSON.stringify([await db.verification.findMany(), await db.resetLink.findMany()]);
    for (const token of [mailed, made]) {
      expect(token).toMatch(/^\w{24}$/);
      expect(rows).not.toContain(token);
    }
    const notice = server.mails.at(-1);
    expect(notice?.to).toEqual([member.email]);
    expect(notice?.text).toContain(admin.name);
    expect(tokenOf(notice?.text ?? "")).toBe("");
  });

  test("is mailed three times an hour to one account", async () => {
    const { member } = await insertPair();
    for (let index = 0; index < 3; index++) await requestMail(member.email);
    await db.rateLimit.deleteMany();
    const find = vi.spyOn(db.attemptCount, "findUnique");
    await postToAuth("request-password-reset", { email: member.email });
    // The fourth was counted and refused.
    await vi.waitFor(() => expect(find).toHaveBeenCalled(), mailWait);
    await Promise.all(find.mock.results.map(({ value }) => value));
    expect(server.mails).toHaveLength(3);
  });

  test("is answered before it is mailed, in the same words where there is no account", async () => {
    const { member } = await insertPair();
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const address = silent.address();
    const port = typeof address === "object" ? address?.port : 0;
    const usual = env.getEnv();
    vi.spyOn(env, "getEnv").mockReturnValue({ ...usual, SWARMLOOM_SMTP_URL: `smtp://127.0.0.1:${port}` });
    const order: string[] = [];
    const connected = new Promise<Socket>((resolve) => silent.once("connection", resolve));
    void connected.then(() => order.push("mail server reached"));
    const answers = [];
    for (const email of [member.email, "nobody@example.org"]) {
      const response = await postToAuth("request-password-reset", { email });
      order.push("answered");
      answers.push(`${response.status} ${await response.text()}`);
    }
    (await connected).destroy();
    silent.close();
    expect(order[0]).toBe("answered");
    expect(answers[0]).toMatch(/^200 /);
    expect(answers[1]).toBe(answers[0]);
  });

  test("takes the place of the one before, and is the last one that can be used", async () => {
    const { admin, member, viewerOf } = await insertPair();
    const first = await requestMail(member.email);
    const second = await requestMail(member.email);
    expect(await setPassword(first)).toBe(400);
    const third = tokenOf((await createResetLink(await viewerOf(admin), localTeamId, member.id)).url);
    expect(await setPassword(second)).toBe(400);
    // Everyone can request a mail: that leaves what an Admin made.
    const fourth = await requestMail(member.email);
    expect(await setPassword(third)).toBe(200);
    expect(await setPassword(fourth)).toBe(400);
    expect(await setPassword(third)).toBe(400);
  });

  test("is void once its maker is removed or demoted", async () => {
    const { admin, member, viewerOf } = await insertPair();
    const { admin: other } = await insertPair(["owner", "viewer"]);
    const chief = await viewerOf(other);
    const demoted = tokenOf((await createResetLink(await viewerOf(admin), localTeamId, member.id)).url);
    await setMemberRole(chief, localTeamId, admin.id, "editor");
    expect(await setPassword(demoted)).toBe(400);
    await setMemberRole(chief, localTeamId, admin.id, "admin");
    const removed = tokenOf((await createResetLink(await viewerOf(admin), localTeamId, member.id)).url);
    await removeMember(chief, localTeamId, admin.id);
    expect(await setPassword(removed)).toBe(400);
  });

  test("is void once its member gets another role, leaves, or is in another team", async () => {
    const { admin, member, viewerOf } = await insertPair();
    const { admin: other } = await insertPair(["owner", "viewer"]);
    const [maker, chief] = [await viewerOf(admin), await viewerOf(other)];
    const makeToken = async () => tokenOf((await createResetLink(maker, localTeamId, member.id)).url);
    const promoted = await makeToken();
    await setMemberRole(chief, localTeamId, member.id, "admin");
    expect(await setPassword(promoted)).toBe(400);
    const joined = await makeToken();
    await createTeam(await viewerOf(member), "Own");
    expect(await setPassword(joined)).toBe(400);
    await db.team.deleteMany({ where: { name: "Own" } });
    const removed = await makeToken();
    await removeMember(chief, localTeamId, member.id);
    expect(await setPassword(removed)).toBe(400);
  });

  test("is taken from the body of a request only, and its use is recorded wherever its token was", async () => {
    const { admin, member, viewerOf } = await insertPair();
    const makeToken = async () => tokenOf((await createResetLink(await viewerOf(admin), localTeamId, member.id)).url);
    const newPassword = "another long password";
    const inAddress = await makeToken();
    expect((await postToAuth(`reset-password?token=${inAddress}`, { newPassword })).status).toBe(400);
    expect(await listHolders(member.id)).toEqual([]);
    const { api } = await auth.getAuth();
    await api.resetPassword({ body: { newPassword }, query: { token: inAddress } });
    expect(await listHolders(member.id)).toEqual([admin.id]);
    await db.resetLink.deleteMany();
    expect(await setPassword(await requestMail(member.email))).toBe(200);
    expect(await listHolders(member.id)).toEqual([]);
    await api.resetPassword({ body: { newPassword, token: await makeToken() }, query: { token: inAddress } });
    expect(await listHolders(member.id)).toEqual([admin.id]);
  });

  test("is not made for a member who is in another team by then", async () => {
    const { admin, member, viewerOf } = await insertPair();
    const [maker, joining] = [await viewerOf(admin), await viewerOf(member)];
    const { makeResetToken } = auth;
    vi.spyOn(auth, "makeResetToken").mockImplementationOnce(async (email) => {
      const token = await makeResetToken(email);
      await createTeam(joining, "Own");
      return token;
    });
    await expect(createResetLink(maker, localTeamId, member.id)).rejects.toMatchObject({ code: "forbidden" });
    expect(await db.resetLink.count({ where: { userId: member.id } })).toBe(0);
    await db.team.deleteMany({ where: { name: "Own" } });
  });

  test.each(["editor", "viewer", null])("is not made by an Admin who has the role %s by then", async (role) => {
    const { admin, member, viewerOf } = await insertPair();
    const maker = await viewerOf(admin);
    const { makeResetToken } = auth;
    vi.spyOn(auth, "makeResetToken").mockImplementationOnce(async (email) => {
      const token = await makeResetToken(email);
      await db.membership.deleteMany({ where: { userId: admin.id } });
      if (role !== null)
        await db.membership.create({
          data: { teamId: localTeamId, userId: admin.id, role, createdAt: new Date() },
        });
      return token;
    });
    await expect(createResetLink(maker, localTeamId, member.id)).rejects.toMatchObject({ code: "forbidden" });
    expect(await db.resetLink.count({ where: { userId: member.id } })).toBe(0);
  });

  test.each(["mail", "another Admin's link"])(
    "lets no passkey or one-time code survive that its holder added: the owner sets the password by %s",
    async (way) => {
      const { admin, member, viewerOf } = await insertPair();
      const makeToken = async () => tokenOf((await createResetLink(await viewerOf(admin), localTeamId, member.id)).url);
      const userId = member.id;
      await insertPasskey(userId, "own");
      expect(await setPassword(await makeToken())).toBe(200);
      const session = cookieOf(await signIn(member.email, "another long password"));
      const enabled = await postToAuth("two-factor/enable", { password: "another long password" }, { cookie: session });
      expect(enabled.status).toBe(200);
      await db.user.update({ where: { id: userId }, data: { twoFactorEnabled: true } });
      await insertPasskey(userId, "the holder's");
      expect(await setPassword(way === "mail" ? await requestMail(member.email) : await makeToken())).toBe(200);
      expect(await db.passkey.findMany({ where: { userId }, select: { name: true } })).toEqual([{ name: "own" }]);
      expect(await db.twoFactor.count({ where: { userId } })).toBe(0);
      expect((await db.user.findUniqueOrThrow({ where: { id: userId } })).twoFactorEnabled).toBe(false);
      await expect
        .poll(
          () => server.mails.some(({ to, text }) => to.includes(member.email) && text.includes("were removed")),
          mailWait,
        )
        .toBe(true);
    },
  );

  test("leaves passkeys and one-time codes where the password before was the owner's", async () => {
    const { member } = await insertPair();
    for (let count = 0; count < 2; count++) {
      await insertPasskey(member.id, `own ${count}`);
      expect(await setPassword(await requestMail(member.email))).toBe(200);
    }
    expect(await db.passkey.count({ where: { userId: member.id } })).toBe(2);
  });

  test("is not left by a member who creates a team, or joins one, in the same moment", async () => {
    const { admin, member, viewerOf } = await insertPair();
    const { admin: other } = await insertPair(["owner", "viewer"]);
    const [maker, joining, chief] = [await viewerOf(admin), await viewerOf(member), await viewerOf(other)];
    const elsewhere = await createTeam(chief, "Elsewhere");
    const { token } = await createInvitation(await viewerOf(other), elsewhere.id, { role: "viewer" });
    for (const join of [() => createTeam(joining, "Own"), () => acceptInvitation(joining, token)]) {
      const joined = await joinDuring(join, () => createResetLink(maker, localTeamId, member.id));
      expect(joined).toBe(true);
      expect(await db.resetLink.count({ where: { userId: member.id, usedAt: null } })).toBe(0);
      await db.team.deleteMany({ where: { name: "Own" } });
    }
    await db.team.deleteMany({ where: { name: "Elsewhere" } });
  });
});

/** Lets `join` happen while the transaction of `makeLink` is open. Resolves with whether it succeeded. */
async function joinDuring(join: () => Promise<unknown>, makeLink: () => Promise<unknown>): Promise<boolean> {
  let joined = Promise.resolve(false);
  const { recordAudit } = audit;
  vi.spyOn(audit, "recordAudit").mockImplementationOnce(async (...args) => {
    joined = join().then(() => true);
    // SQLite lets one transaction write at a time: there it waits for this one.
    if (!isSqlite) await joined.catch(() => {});
    return recordAudit(...args);
  });
  await makeLink().catch(() => {});
  return joined;
}

const insertPasskey = (userId: string, name: string) =>
  db.passkey.create({
    data: {
      id: randomUUID(),
      ...{ userId, name, publicKey: "k", credentialID: randomUUID(), counter: 0, deviceType: "d", backedUp: false },
      createdAt: new Date(),
    },
  });
