import { beforeAll, beforeEach, expect, test } from "vitest";
import { requireViewer } from "../accounts/read-viewer";
import { AppError } from "../app-error";
import { requireKeyViewer } from "../auth/api-keys";
import type { Permission, Role } from "../auth/permissions";
import { localTeamId, localViewer, mayInTeam, toTeamViewer, type Viewer } from "../auth/viewer";
import type { Db } from "../db";
import { createFlow } from "../flows/commands";
import { getFlow } from "../flows/queries";
import { startRun } from "../runs/commands";
import { listRuns } from "../runs/read/list-runs";
import { startServices } from "../start";
import { createKey, listKeys, revokeKey } from "./keys";

const stranger = toTeamViewer({ id: "eve", name: "Eve" }, { teamId: "elsewhere", role: "owner" });
const admin = toTeamViewer({ id: "ada", name: "Ada" }, { teamId: localTeamId, role: "admin" });
const editor = toTeamViewer({ id: "ed", name: "Ed" }, { teamId: localTeamId, role: "editor" });
const source = 'name: T\nagents:\n  a: { model: "demo:a" }\nswarm: { flow: a }\n';
let db: Db;

beforeAll(async () => {
  db = await startServices();
  await globalThis.swarmloomServices?.endRuns();
  await db.team.create({ data: { id: "elsewhere", name: "Elsewhere", createdAt: new Date() } });
  await addMember("ada", localTeamId, "admin");
  await addMember("eve", "elsewhere", "owner");
});
beforeEach(async () => {
  await db.apiKey.deleteMany();
});

async function addMember(id: string, teamId: string, role: Role): Promise<void> {
  const [createdAt, updatedAt] = [new Date(), new Date()];
  const user = { id, name: id, email: `${id}@example.org`, emailVerified: true };
  await db.user.create({ data: { ...user, createdAt, updatedAt } });
  await db.membership.create({ data: { teamId, userId: id, role, createdAt } });
}

const hour = 3_600_000;
const add = (scopes: Permission[], viewer: Viewer = admin, expiresAt?: string) =>
  createKey(viewer, { name: "CI", scopes, expiresAt });
const refusalOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => "accepted",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
const ask = (authorization: string, headers: Record<string, string> = {}) =>
  requireViewer(new Headers({ host: "127.0.0.1:3000", authorization, ...headers }));

test("a secret has 256 random bits, and only its hash and last four characters are stored", async () => {
  const { id, secret } = await add(["runs:read"]);
  expect(secret).toMatch(/^swl_[\w-]{43}$/);
  const row = await db.apiKey.findUniqueOrThrow({ where: { id } });
  expect(JSON.stringify(row)).not.toContain(secret.slice(4));
  expect(row).toMatchObject({ keyHash: expect.stringMatching(/^[\da-f]{64}$/), lastFour: secret.slice(-4) });
  expect((await add(["runs:read"])).secret).not.toBe(secret);
  expect(JSON.stringify(await listKeys(admin))).not.toContain(secret.slice(4, -4));
});

test("a request that shows a key is the key's: one team, its scopes, and no more", async () => {
  const { id, secret } = await add(["flows:read", "runs:write"]);
  const viewer = await ask(`Bearer ${secret}`);
  expect(viewer).toMatchObject({ id: `key:${id}`, name: "Key “CI”" });
  expect([...viewer.roles.keys()]).toEqual([localTeamId]);
  const may = (permission: Permission) => mayInTeam(viewer, localTeamId, permission);
  expect([may("flows:read"), may("runs:write")]).toEqual([true, true]);
  expect([may("flows:write"), may("team:manage"), may("team:own")]).toEqual([false, false, false]);
});

test("the scopes hold in queries and commands, and runs name the key", async () => {
  const flow = await createFlow(localViewer, { source });
  const reader = await requireKeyViewer((await add(["flows:read"])).secret);
  expect((await getFlow(reader, flow.id)).id).toBe(flow.id);
  expect(await refusalOf(startRun(reader, flow.id, { input: "x" }))).toBe("not_found");
  const runner = await requireKeyViewer((await add(["runs:read", "runs:write"])).secret);
  const { id } = await startRun(runner, flow.id, { input: "x" });
  expect((await listRuns(runner)).runs.find((run) => run.id === id)).toMatchObject({ startedBy: "Key “CI”" });
  const foreign = await requireKeyViewer((await add(["flows:read", "runs:write"], stranger)).secret);
  expect(await refusalOf(getFlow(foreign, flow.id))).toBe("not_found");
  expect(await refusalOf(startRun(foreign, flow.id, { input: "x" }))).toBe("not_found");
});

test("unknown, revoked and expired keys are refused", async () => {
  const { id, secret } = await add(["runs:read"]);
  expect(await refusalOf(ask(`Bearer ${secret}x`))).toBe("unauthorized");
  expect(await refusalOf(ask("Bearer swl_"))).toBe("unauthorized");
  expect(await refusalOf(ask("Bearer swl_x"))).toBe("unauthorized");
  expect(await refusalOf(ask(`bearer ${secret}`))).toBe("accepted");
  await revokeKey(admin, id);
  expect(await refusalOf(ask(`Bearer ${secret}`))).toBe("unauthorized");
  expect(await listKeys(admin)).toEqual([]);
  const expiring = await add(["runs:read"], admin, new Date(Date.now() + hour).toISOString());
  expect(await refusalOf(requireKeyViewer(expiring.secret, Date.now() + hour - 1000))).toBe("accepted");
  expect(await refusalOf(requireKeyViewer(expiring.secret, Date.now() + hour + 1000))).toBe("unauthorized");
  expect(await refusalOf(add(["runs:read"], admin, new Date(Date.now() - hour).toISOString()))).toBe("bad_request");
});

test("without accounts a key opens nothing from elsewhere", async () => {
  const { secret } = await add(["runs:read"]);
  expect(await refusalOf(ask(`Bearer ${secret}`, { "x-forwarded-for": "203.0.113.9" }))).toBe("forbidden");
  expect(await refusalOf(ask(`Bearer ${secret}`, { host: "rebound.example" }))).toBe("forbidden");
});

test("only managers make keys, with what they have themselves", async () => {
  expect(await refusalOf(add(["runs:read"], editor))).toBe("forbidden");
  expect(await refusalOf(listKeys(editor))).toBe("forbidden");
  expect(await refusalOf(add(["team:own"]))).toBe("forbidden");
  const owner = await requireKeyViewer((await add(["team:own", "team:manage"], localViewer)).secret);
  expect(mayInTeam(owner, localTeamId, "team:own")).toBe(true);
  const manager = await requireKeyViewer((await add(["team:manage", "runs:read"])).secret);
  expect(await refusalOf(add(["runs:read"], manager))).toBe("accepted");
  expect(await refusalOf(add(["runs:write"], manager))).toBe("forbidden");
});

test("a key of a foreign team, an unknown one and too low a role look alike", async () => {
  const { id, secret } = await add(["runs:read"]);
  expect(await refusalOf(revokeKey(stranger, id))).toBe("not_found");
  expect(await refusalOf(revokeKey(editor, id))).toBe("not_found");
  expect(await refusalOf(revokeKey(admin, "none"))).toBe("not_found");
  expect(await listKeys(stranger)).toEqual([]);
  expect(await refusalOf(ask(`Bearer ${secret}`))).toBe("accepted");
});

test("a key can do no more than its creator can now, also one that was made with a key", async () => {
  await addMember("bob", localTeamId, "admin");
  const bob = toTeamViewer({ id: "bob", name: "Bob" }, { teamId: localTeamId, role: "admin" });
  const first = await add(["team:manage", "flows:read", "flows:write"], bob);
  const second = await add(["flows:read", "flows:write"], await requireKeyViewer(first.secret));
  const where = { teamId_userId: { teamId: localTeamId, userId: "bob" } };
  const may = async (permission: Permission) =>
    Promise.all(
      [first, second].map(async ({ secret }) => mayInTeam(await requireKeyViewer(secret), localTeamId, permission)),
    );
  expect(await may("flows:write")).toEqual([true, true]);
  await db.membership.update({ where, data: { role: "viewer" } });
  expect(await may("flows:write")).toEqual([false, false]);
  expect(await may("flows:read")).toEqual([true, true]);
  await db.membership.delete({ where });
  for (const { secret } of [first, second]) expect(await refusalOf(requireKeyViewer(secret))).toBe("unauthorized");
});

test("keys that were made with a key end with it, also those made with these", async () => {
  const first = await add(["team:manage", "runs:read"]);
  const second = await add(["team:manage", "runs:read"], await requireKeyViewer(first.secret));
  const third = await add(["runs:read"], await requireKeyViewer(second.secret));
  const other = await add(["runs:read"]);
  await revokeKey(admin, first.id);
  for (const { secret } of [first, second, third])
    expect(await refusalOf(requireKeyViewer(secret))).toBe("unauthorized");
  expect(await refusalOf(requireKeyViewer(other.secret))).toBe("accepted");
  expect((await listKeys(admin)).map(({ id }) => id)).toEqual([other.id]);
});

test("a key outlives neither the expiry nor the earlier revocation of the one that it was made with", async () => {
  const expiring = await add(["team:manage", "runs:read"], admin, new Date(Date.now() + hour).toISOString());
  const made = await add(["runs:read"], await requireKeyViewer(expiring.secret));
  expect(await refusalOf(requireKeyViewer(made.secret, Date.now() + hour + 1000))).toBe("unauthorized");
  // As the revocations of earlier releases have left it.
  await db.apiKey.update({ where: { id: expiring.id }, data: { revokedAt: new Date() } });
  expect(await refusalOf(requireKeyViewer(made.secret))).toBe("unauthorized");
});

test("the last use is written at most once a minute", async () => {
  const { id, secret } = await add(["runs:read"]);
  const now = Date.now();
  const lastUse = async () => (await db.apiKey.findUniqueOrThrow({ where: { id } })).lastUsedAt?.getTime();
  expect(await lastUse()).toBeUndefined();
  await requireKeyViewer(secret, now);
  await expect.poll(lastUse).toBe(now);
  await requireKeyViewer(secret, now + 59_000);
  await requireKeyViewer(secret, now + 61_000);
  await expect.poll(lastUse).toBe(now + 61_000);
  await requireKeyViewer(secret, now + 120_000);
  await requireKeyViewer(secret, now + 121_000);
  await expect.poll(lastUse).toBe(now + 121_000);
});

test("making and revoking a key is in the audit log, without the secret", async () => {
  await db.auditEvent.deleteMany();
  const { id, secret } = await add(["runs:read"]);
  await revokeKey(admin, id);
  const events = await db.auditEvent.findMany({ orderBy: { at: "asc" } });
  expect(events.map(({ action, objectId, actorId }) => [action, objectId, actorId])).toEqual([
    ["key.created", id, "ada"],
    ["key.revoked", id, "ada"],
  ]);
  expect(JSON.stringify(events)).not.toContain(secret.slice(4, -4));
});
