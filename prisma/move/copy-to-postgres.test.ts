import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connectPostgres, connectSqlite, type PrismaClient } from "../client";
import { type Migration, migrateSqlite, readMigrations } from "../migrate";
import { migratePostgres } from "../migrate-postgres";
import { performOn, type TestDatabase } from "../testing/postgres-server";
import { createEmptyDatabase } from "../testing/test-database";
import { copyToPostgres, tables } from "./copy-to-postgres";

const read = (kind: string): Migration[] => readMigrations(path.join(import.meta.dirname, "../migrations", kind));
const migrations = { sqlite: read("sqlite"), postgresql: read("postgresql") };
const at = new Date("2026-03-01T12:00:00.123Z");

let folder = "";
let file = "";
let source: PrismaClient;
let database: TestDatabase;
beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-move-"));
  file = path.join(folder, "test.db");
  migrateSqlite(file, migrations.sqlite);
  source = await connectSqlite(file);
  database = await createEmptyDatabase();
});
afterEach(async () => {
  await source.$disconnect();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});
const copy = () => copyToPostgres({ file, url: database.url, migrations, folder });

const toRun = (id: string, simulated: boolean) => ({
  ...{ id, teamId: "t", flowId: "f", revisionId: "r", flowName: "F", input: "Größe \u{1F600}", messages: "[]" },
  ...{ output: "", usage: "{}", simulated, createdAt: at, cancelRequested: false, status: "SUCCESS", epoch: 3 },
  ...{ cost: 0.1 + 0.2, durationMs: 1234.5678, endedAt: simulated ? at : null },
});

async function fill(): Promise<void> {
  const times = { createdAt: at, updatedAt: at };
  await source.flow.create({ data: { id: "f", teamId: "t", name: "É", outline: "", agents: 0, errors: 0, ...times } });
  await source.revision.create({
    data: { id: "r", flowId: "f", hash: "", source: "a\\u0000", layout: "{}", createdAt: at },
  });
  await source.run.createMany({ data: [toRun("a", true), toRun("b", false)] });
  const node = { runId: "a", path: "p", kind: "agent", name: "n", status: "SUCCESS", startedAt: at, body: "{}" };
  await source.runNode.createMany({ data: [1, 2].map((nodeId) => ({ ...node, nodeId })) });
  const events = Array.from({ length: 1200 }, (_, index) => ({
    runId: "a",
    seq: index + 1,
    type: "x",
    at,
    body: "{}",
  }));
  await source.runEvent.createMany({ data: events });
  await source.runAnswer.create({ data: { runId: "a", question: 1, body: "{}", at } });
  await source.runMessage.create({ data: { runId: "a", number: 1, agent: "a", text: "Hurry.", by: "You", at } });
  await source.runPayload.create({ data: { runId: "a", nodeId: 1, field: "output", body: "x".repeat(5_000_000) } });
  const header = { endpoint: "https://x", headers: "{}", content: false, enabled: true, since: at, updatedAt: at };
  await source.traceExport.create({ data: { teamId: "t", ...header } });
  const owner = { createdById: "u", createdBy: "You", ...times };
  await source.schedule.create({
    data: {
      id: "s",
      teamId: "t",
      flowId: "f",
      name: "Daily",
      cron: "0 9 * * *",
      timeZone: "UTC",
      input: "x",
      missed: "once",
      overlap: false,
      enabled: true,
      nextAt: at,
      createdById: "u",
      createdBy: "U",
      createdAt: at,
      updatedAt: at,
    },
  });
  const sealed = { token: "k", sealedKey: "v1.x.y", secretId: "i", lastFour: "abcd", inputPath: "data.text" };
  await source.webhook.create({
    data: { id: "w", teamId: "t", flowId: "f", name: "Tickets", ...sealed, enabled: true, lastProblemAt: at, ...owner },
  });
  await source.retention.create({ data: { teamId: "t", enabled: true, days: 7, keep: 1, nextAt: at } });
  await source.connection.create({ data: { id: "c", teamId: "t", provider: "openai", ...owner } });
  await source.flowDocument.create({ data: { flowId: "f", lineage: "l", revisionId: "r", savedSeq: 1 } });
  await source.flowDocumentArchive.create({
    data: { id: "a", flowId: "f", createdAt: at, reason: "gaps", updates: "[]" },
  });
  const update = { body: "AAA=", createdAt: at, createdById: "u", createdBy: "U" };
  await source.flowUpdate.create({ data: { flowId: "f", seq: 2, ...update } });
  await fillAccounts();
}

async function fillAccounts(): Promise<void> {
  const times = { createdAt: at, updatedAt: at };
  await source.user.create({ data: { id: "u", name: "Ü", email: "u@example.org", emailVerified: true, ...times } });
  const ofUser = { id: "x", userId: "u" };
  await source.userSession.create({ data: { ...ofUser, token: "t", expiresAt: at, ...times } });
  await source.account.create({ data: { ...ofUser, accountId: "u", providerId: "credential", ...times } });
  await source.verification.create({ data: { id: "v", identifier: "i", value: "v", expiresAt: at, ...times } });
  await source.resetLink.create({
    data: { identifier: "i", userId: "u", teamId: "t", createdById: "a", createdAt: at, usedAt: at },
  });
  await source.twoFactor.create({ data: { ...ofUser, secret: "s", backupCodes: "b", verified: false } });
  const credential = { publicKey: "k", credentialID: "c", counter: 7, deviceType: "d", backedUp: false };
  await source.passkey.create({ data: { ...ofUser, ...credential } });
  const personal = { userId: "u", provider: "openai", sealedKey: "v1", secretId: "s", lastFour: "1234" };
  await source.personalKey.create({ data: { ...personal, createdAt: at, updatedAt: at } });
  await source.team.create({ data: { id: "t", name: "T", createdAt: at } });
  await source.deletedRunUsage.create({ data: { teamId: "t", day: at, runs: 3, cost: 0.5, tokens: 4e9 } });
  await source.membership.create({ data: { teamId: "t", userId: "u", role: "owner", createdAt: at } });
  await source.flowMembership.create({ data: { flowId: "f", userId: "u", role: "viewer" } });
  const invitation = { tokenHash: "h", expiresAt: at, createdById: "u", createdBy: "U", createdAt: at };
  await source.invitation.create({ data: { id: "i", teamId: "t", role: "editor", ...invitation } });
  await source.sealedSecret.create({ data: { name: "n", sealedKey: "v1.x.y", secretId: "i" } });
  const key = { teamId: "t", name: "CI", scopes: "runs:read", keyHash: "h", lastFour: "abcd", expiresAt: at };
  await source.apiKey.create({ data: { id: "k", ...key, createdById: "u", createdBy: "U", createdAt: at } });
  const actor = { actorId: "u", actorName: "Ü", action: "key.created" };
  const object = { objectType: "key", objectId: "k", objectName: "CI", detail: "{}", search: "ü ci" };
  await source.auditEvent.create({ data: { id: "e", teamId: "t", at, ...actor, ...object } });
  await source.teamSetting.create({ data: { teamId: "t", starterMayNotApprove: true } });
  const comment = { teamId: "t", flowId: "f", target: "flow", targetId: "", createdById: "u", createdBy: "U" };
  await source.comment.create({ data: { ...comment, id: "m", parentId: null, body: "\u{1F600}", createdAt: at } });
  await source.comment.create({ data: { ...comment, id: "a", parentId: "m", body: "A reply", createdAt: at } });
  const decision = { commentId: "m", userId: "u", userName: "Ü", decision: "approved", decidedAt: at };
  await source.reviewDecision.create({ data: decision });
  const notice = { userId: "u", teamId: "t", flowId: "f", commentId: "m", type: "mention", createdAt: at };
  await source.notification.create({ data: { ...notice, id: "o" } });
  const limits = { texts: "inputs", maxRuns: 1, maxRunCost: 0.5 };
  const link = { teamId: "t", flowId: "f", tokenHash: "l", ...limits, createdById: "u", createdBy: "U", createdAt: at };
  await source.shareLink.create({ data: { id: "l", ...link } });
}

/** Every row of every table. */
const readAll = async (db: PrismaClient) => ({
  Flow: await db.flow.findMany(),
  Revision: await db.revision.findMany(),
  Run: await db.run.findMany({ orderBy: { id: "asc" } }),
  RunNode: await db.runNode.findMany({ orderBy: { nodeId: "asc" } }),
  RunEvent: await db.runEvent.findMany({ orderBy: { seq: "asc" } }),
  RunAnswer: await db.runAnswer.findMany(),
  RunMessage: await db.runMessage.findMany(),
  RunPayload: await db.runPayload.findMany(),
  TraceExport: await db.traceExport.findMany(),
  Connection: await db.connection.findMany(),
  Retention: await db.retention.findMany(),
  Schedule: await db.schedule.findMany(),
  Webhook: await db.webhook.findMany(),
  User: await db.user.findMany(),
  UserSession: await db.userSession.findMany(),
  Account: await db.account.findMany(),
  Verification: await db.verification.findMany(),
  ResetLink: await db.resetLink.findMany(),
  TwoFactor: await db.twoFactor.findMany(),
  Passkey: await db.passkey.findMany(),
  PersonalKey: await db.personalKey.findMany(),
  Team: await db.team.findMany(),
  Membership: await db.membership.findMany(),
  FlowMembership: await db.flowMembership.findMany(),
  Invitation: await db.invitation.findMany(),
  SealedSecret: await db.sealedSecret.findMany(),
  ApiKey: await db.apiKey.findMany(),
  AuditEvent: await db.auditEvent.findMany(),
  TeamSetting: await db.teamSetting.findMany(),
  DeletedRunUsage: await db.deletedRunUsage.findMany(),
  Comment: await db.comment.findMany({ orderBy: { id: "asc" } }),
  ReviewDecision: await db.reviewDecision.findMany(),
  Notification: await db.notification.findMany(),
  ShareLink: await db.shareLink.findMany(),
  FlowDocument: await db.flowDocument.findMany(),
  FlowDocumentArchive: await db.flowDocumentArchive.findMany(),
  FlowUpdate: await db.flowUpdate.findMany(),
});

async function readTarget() {
  const target = await connectPostgres(database.url);
  const rows = await readAll(target);
  await target.$disconnect();
  return rows;
}

test("every row of every table arrives as it was", async () => {
  await fill();
  const rows = await readAll(source);
  expect(Object.keys(rows)).toEqual([...tables]);
  await source.$disconnect();
  const counts = Object.entries(rows).map(([table, { length }]) => [table, length] as const);
  expect([...(await copy())]).toEqual(counts);
  expect(counts.map(([, length]) => length)).toEqual([
    1,
    1,
    2,
    2,
    1200,
    ...Array<number>(25).fill(1),
    2,
    1,
    1,
    1,
    1,
    1,
    1,
  ]);
  expect(await readTarget()).toEqual(rows);
  expect(readdirSync(folder)).toEqual(["test.db"]);
});

test("no table of the schema is missing", async () => {
  await migratePostgres(database.url, migrations.postgresql);
  const target = await connectPostgres(database.url);
  const rows: unknown = await target.$queryRawUnsafe(
    `SELECT table_name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> '_prisma_migrations' ORDER BY 1`,
  );
  await target.$disconnect();
  expect(rows).toEqual(
    [...tables, "AttemptCount", "CallShare", "RateLimit", "Worker"].toSorted().map((table) => ({ table_name: table })),
  );
});

test("a target with rows is refused, and so is a source in use; nothing is changed", async () => {
  await fill();
  await expect(copy()).rejects.toThrow(/in use/);
  await source.$disconnect();
  await migratePostgres(database.url, migrations.postgresql);
  const flow = `('x', 't', 'X', '', 0, 0, now(), now())`;
  const columns = `"id", "teamId", "name", "outline", "agents", "errors", "createdAt", "updatedAt"`;
  await performOn(database.url, `INSERT INTO "Flow" (${columns}) VALUES ${flow}`);
  await expect(copy()).rejects.toMatchObject({ name: "BackupError", message: expect.stringContaining("not empty") });
  expect((await readTarget()).Flow.map(({ id }) => id)).toEqual(["x"]);
});

test("a copy that fails in the middle leaves nothing", async () => {
  await fill();
  await source.$disconnect();
  await migratePostgres(database.url, migrations.postgresql);
  await performOn(database.url, 'ALTER TABLE "Connection" ADD CHECK ("provider" <> \'openai\')');
  await expect(copy()).rejects.toThrow(/check constraint/);
  expect(Object.values(await readTarget()).map(({ length }) => length)).toEqual(tables.map(() => 0));
});

test("an installation of an earlier version is brought up to date on the way, and stays as it is", async () => {
  await source.$disconnect();
  rmSync(file);
  migrateSqlite(file, migrations.sqlite.slice(0, 7));
  await copy();
  expect(migrateSqlite(file, migrations.sqlite)).toHaveLength(migrations.sqlite.length - 7);
});
