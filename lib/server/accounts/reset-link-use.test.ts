import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { requireKeyViewer } from "../auth/api-keys";
import { listHeldPeriods, storeResetLink } from "../auth/reset-link-rows";
import { narrowToTeam, type Viewer } from "../auth/viewer";
import type { Db } from "../db";
import * as env from "../env";
import { createFlow } from "../flows/commands";
import { createKey } from "../keys/keys";
import { decodeMail } from "../mail/testing/decode-mail";
import { type MailServer, startMailServer } from "../mail/testing/mail-server";
import { createSchedule } from "../schedules/commands";
import { createFlowLink } from "../share-links/share-links";
import { startServices } from "../start";
import { setMemberRole } from "../teams/commands";
import { acceptInvitation, createInvitation } from "../teams/invitations";
import { codeOf, insertTeamOf, insertUser } from "../teams/testing/test-team";
import { createWebhook } from "../webhooks/commands";
import { loadViewer } from "./read-viewer";
import { mailLeftBehind, recordResetLinkUse } from "./reset-link-use";

let db: Db;
let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
  db = await startServices();
});
afterAll(async () => {
  await globalThis.swarmloomServices?.endRuns();
  await server.close();
});

const insertTeam = () => insertTeamOf(db, { ben: "admin", cai: "admin", dan: "editor", ann: "viewer" });
let team: Awaited<ReturnType<typeof insertTeam>>;
let ben: Viewer;
beforeEach(async () => {
  const usual = env.getEnv();
  const settings = { SWARMLOOM_URL: "https://flows.example.org", SWARMLOOM_SMTP_URL: server.url };
  vi.spyOn(env, "getEnv").mockReturnValue({ ...usual, ...settings });
  server.mails.length = 0;
  team = await insertTeam();
  ben = narrowToTeam(await team.viewerOf("ben"), team.id);
});
afterEach(() => vi.restoreAllMocks());

/** Ben's password is set with a link of another member, or with a mailed one. Resolves with the mail that Ben receives. */
async function setPassword(by: "owner" | "ben" | "mail", at = new Date()): Promise<string> {
  const token = randomUUID();
  const maker = by === "mail" ? null : { teamId: team.id, userId: team.userOf(by).id };
  await storeResetLink(db, { userId: ben.id, token, maker });
  const sent = server.mails.length;
  const use = await recordResetLinkUse(db, token, at);
  if (use) await mailLeftBehind(use);
  return server.mails
    .slice(sent)
    .map(({ text }) => decodeMail(text))
    .join();
}

const source = "name: Reports\nagents:\n  a: { model: demo:a }\nswarm: { type: workflow, flow: a }\n";
const times = {
  cron: "0 9 * * *",
  timeZone: "UTC",
  input: "x",
  missed: "skip",
  overlap: false,
  enabled: true,
} as const;

async function makeAll(viewer: Viewer, name: string): Promise<string> {
  const { id: flow } = await createFlow(viewer, { source: source.replace("Reports", `${name} flow`) });
  const key = await createKey(viewer, { name: `${name} key`, scopes: ["team:manage", "flows:read", "flows:write"] });
  const setting = { flow, inputPath: "", enabled: true };
  await createWebhook(viewer, { ...setting, name: `${name} webhook` });
  await createWebhook(await requireKeyViewer(key.secret), { ...setting, name: `${name} webhook of a key` });
  await createSchedule(viewer, { flow, name: `${name} schedule`, ...times });
  await createFlowLink(viewer, flow, {});
  return key.secret;
}

test("a new password ends API keys that were made under one that another member had set, and tells what goes on", async () => {
  const own = await makeAll(ben, "early");
  const others = await makeAll(narrowToTeam(await team.viewerOf("cai"), team.id), "foreign");
  expect(await setPassword("owner", new Date(Date.now() + 1))).toBe("");
  await expect.poll(() => Date.now()).toBeGreaterThan((await findLastUse()).getTime());
  const held = await makeAll(ben, "held");
  const made = await createKey(await requireKeyViewer(held), { name: "made with it", scopes: ["flows:read"] });
  const mail = await setPassword("mail");
  for (const secret of [own, others]) expect(await codeOf(requireKeyViewer(secret))).toBe("done");
  for (const secret of [held, made.secret]) expect(await codeOf(requireKeyViewer(secret))).toBe("unauthorized");
  const names = ["webhook", "webhook of a key", "schedule"];
  for (const name of [...names, "key"]) expect(mail).toContain(`“held ${name}”`);
  expect(mail).toContain("share link to the flow “held flow”");
  expect(mail).not.toMatch(/early|foreign|Passkeys/);
  const revoked = { teamId: team.id, action: "key.revoked" };
  const entries = await db.auditEvent.findMany({ where: revoked, select: { objectName: true, actorId: true } });
  expect(entries.map(({ objectName }) => objectName).sort()).toEqual(["held key", "made with it"]);
  expect(entries[0]?.actorId).toBe("server");
});

test("a new password ends nothing where the one before was the user's own", async () => {
  for (const by of ["mail", "ben", "mail"] as const) {
    const secret = await makeAll(ben, "own");
    expect(await setPassword(by)).toBe("");
    expect(await codeOf(requireKeyViewer(secret))).toBe("done");
  }
});

test("a link that the user's account made for itself leaves the distrust in the one before it", async () => {
  await setPassword("owner", new Date(Date.now() + 1));
  await expect.poll(() => Date.now()).toBeGreaterThan((await findLastUse()).getTime());
  const first = await makeAll(ben, "first");
  await setPassword("ben");
  expect(await codeOf(requireKeyViewer(first))).toBe("unauthorized");
  const second = await makeAll(ben, "second");
  await setPassword("ben");
  const third = await makeAll(ben, "third");
  expect(await setPassword("mail")).toContain("“third key”");
  for (const secret of [second, third]) expect(await codeOf(requireKeyViewer(secret))).toBe("unauthorized");
  const own = await makeAll(ben, "own");
  for (const by of ["ben", "owner"] as const) expect(await setPassword(by)).toBe("");
  expect(await codeOf(requireKeyViewer(own))).toBe("done");
});

async function invite(viewer: Viewer) {
  const { token } = await createInvitation(viewer, team.id, { role: "editor" });
  return async () => {
    const guest = await insertUser(db, "Guest");
    return codeOf(acceptInvitation(await loadViewer(db, guest), token));
  };
}

async function makeLinkFor(name: "cai" | "dan", makerId: string): Promise<string> {
  const token = randomUUID();
  await storeResetLink(db, { userId: team.userOf(name).id, token, maker: { teamId: team.id, userId: makerId } });
  return token;
}

test("a new password withdraws invitations and links for other members that were made under one that another member had set", async () => {
  const kept = await invite(ben);
  await setPassword("owner", new Date(Date.now() + 1));
  await expect.poll(() => Date.now()).toBeGreaterThan((await findLastUse()).getTime());
  const key = await createKey(ben, { name: "held key", scopes: ["team:manage"] });
  const ended = [await invite(ben), await invite(await requireKeyViewer(key.secret))];
  const accepted = await invite(ben);
  await setMemberRole(ben, team.id, team.userOf("ann").id, "admin");
  expect(await accepted()).toBe("done");
  const link = await makeLinkFor("cai", ben.id);
  const own = await makeLinkFor("dan", team.userOf("owner").id);
  const mail = await setPassword("mail");
  for (const accept of ended) expect(await accept()).toBe("not_found");
  expect(await kept()).toBe("done");
  expect(await recordResetLinkUse(db, link)).toBeNull();
  expect(await recordResetLinkUse(db, own)).not.toBeNull();
  expect(mail.split("- invitation to the team “Weavers” as Editor")).toHaveLength(3);
  expect(mail).toContain("link for a new password of “cai”");
  expect(mail).toContain("“Guest” joined the team “Weavers” as Editor");
  expect(mail).toContain("“ann” got another role");
  expect(mail).not.toContain("dan");
  const withdrawn = { teamId: team.id, action: "invitation.withdrawn" };
  expect(await db.auditEvent.findMany({ where: withdrawn, select: { actorId: true } })).toEqual([
    { actorId: "server" },
    { actorId: "server" },
  ]);
});

test("a new password tells for whom a link was used that was made under one that another member had set", async () => {
  await setPassword("owner", new Date(Date.now() + 1));
  await expect.poll(() => Date.now()).toBeGreaterThan((await findLastUse()).getTime());
  await recordResetLinkUse(db, await makeLinkFor("cai", ben.id));
  expect(await setPassword("mail")).toContain("“cai” has a password that was set with a link");
});

test("links of members are kept after they were replaced, mailed ones are not", async () => {
  for (const by of ["owner", "mail", "mail", "owner", "mail"] as const) await setPassword(by);
  const rows = await db.resetLink.findMany({ where: { userId: ben.id }, select: { createdById: true } });
  const owner = team.userOf("owner").id;
  expect(rows.map(({ createdById }) => createdById ?? "").sort()).toEqual(["", owner, owner].sort());
  for (const { until } of await listHeldPeriods(db, ben.id)) expect(until).toBeInstanceOf(Date);
});

async function findLastUse(): Promise<Date> {
  const link = await db.resetLink.findFirst({ where: { userId: ben.id }, orderBy: { usedAt: "desc" } });
  return link?.usedAt ?? new Date(0);
}
