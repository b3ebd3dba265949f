import { readFileSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { diffSchemas } from "./diff-schemas";
import { migrateSqlite, readMigrations } from "./migrate";

const migrations = readMigrations(path.join(import.meta.dirname, "migrations/sqlite"));
let folder = "";
let file = "";
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "swarmloom-migrate-"));
  file = path.join(folder, "test.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What a database holds: every statement that made a table or an index, in order of names. */
function describeSchema(sql: readonly string[]): unknown[] {
  const db = new Sqlite(":memory:");
  for (const part of sql) db.exec(part);
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").pluck().all();
  return tables.map((table) => [
    table,
    db.pragma(`table_info("${table}")`),
    db.pragma(`foreign_key_list("${table}")`),
    db.pragma(`index_list("${table}")`),
  ]);
}

test("the migrations lead to the schema", async () => {
  const wanted = await diffSchemas(
    "sqlite",
    null,
    readFileSync(path.join(import.meta.dirname, "schema.prisma"), "utf8"),
  );
  expect(describeSchema(migrations.map(({ sql }) => sql))).toEqual(describeSchema([wanted]));
});

test("a new database gets them all, an up-to-date one none", () => {
  expect(migrateSqlite(file, migrations)).toEqual(migrations.map(({ name }) => name));
  expect(migrateSqlite(file, migrations)).toEqual([]);
});

test("runs with their steps and events outlive every later migration", () => {
  migrateSqlite(file, migrations.slice(0, 1));
  const db = new Sqlite(file);
  const now = "2026-11-21T00:00:00.000Z";
  db.exec(`
    INSERT INTO "Flow" ("id", "teamId", "name", "outline", "agents", "errors", "createdAt", "updatedAt")
      VALUES ('f', 'local', 'F', '', 1, 0, '${now}', '${now}');
    INSERT INTO "Revision" VALUES ('r', 'f', 'hash', 'source', '{}', '${now}');
    INSERT INTO "Run" ("id", "teamId", "flowId", "revisionId", "flowName", "status", "input", "messages", "output",
      "usage", "simulated", "createdAt", "epoch", "cancelRequested")
      VALUES ('x', 'local', 'f', 'r', 'F', 'SUCCESS', '', '[]', '', '{}', false, '${now}', 1, false);
    INSERT INTO "RunNode" ("runId", "nodeId", "path", "kind", "name", "status", "startedAt", "body")
      VALUES ('x', 1, '/', 'swarm', 'F', 'SUCCESS', '${now}', '{}');
    INSERT INTO "RunEvent" VALUES ('x', 1, 'run.started', '${now}', '{}');
  `);
  db.close();
  migrateSqlite(file, migrations);
  const after = new Sqlite(file);
  const count = (table: string) => after.prepare(`SELECT count(*) FROM "${table}"`).pluck().get();
  expect(["Run", "RunNode", "RunEvent"].map(count)).toEqual([1, 1, 1]);
  after.close();
});

test("a later version adds its own and keeps what there is", () => {
  migrateSqlite(file, migrations);
  const next = [...migrations, { name: "0002_note", sql: 'ALTER TABLE "Flow" ADD COLUMN "note" TEXT;' }];
  expect(migrateSqlite(file, next)).toEqual(["0002_note"]);
});

test("runs of earlier versions keep their steps, and get what the list needs", () => {
  migrateSqlite(file, migrations.slice(0, 2));
  const before = new Sqlite(file);
  before.exec(`
    INSERT INTO "Flow" VALUES ('f', 'local', 'F', '', 1, 0, NULL, '2026-01-01', '2026-01-01');
    INSERT INTO "Revision" VALUES ('v', 'f', '', '', '', '2026-01-01');
    INSERT INTO "Run" VALUES ('r', 'local', 'f', 'v', 'F', 'FAILED', '{"code":"server","message":"Down"}', 'A QUESTION', '[]',
      '{"text":"An Answer"}', '{"input":3,"output":4,"cached":0,"reasoning":0,"calls":1,"cost":null,"estimated":false}', 0,
      '2026-01-01T00:00:00.000+00:00', '2026-01-01T00:00:01.000+00:00', '2026-01-01T00:00:03.500+00:00', NULL, 1, NULL, 0);
    INSERT INTO "Run" VALUES ('waits', 'local', 'f', 'v', 'F', 'INIT', NULL, 'x', '[]', '',
      '{"input":0,"output":0,"cached":0,"reasoning":0,"calls":2,"cost":0.5,"isCostPartial":true,"estimated":false}', 0,
      '2026-01-01T00:00:00.000+00:00', NULL, NULL, NULL, 0, NULL, 0);
    INSERT INTO "RunNode" VALUES ('r', 1, NULL, 'a', 'agent', 'a', 'FAILED', '2026-01-01', '2026-01-01', '{}');
    INSERT INTO "RunNode" VALUES ('r', 2, 1, 'a#llm-1', 'llm_call', 'openai:x', 'FAILED', '2026-01-01', '2026-01-01', '{}');
    INSERT INTO "RunNode" VALUES ('r', 3, 1, 'a#llm-2', 'llm_call', 'openai:x', 'FAILED', '2026-01-01', '2026-01-01', '{}');
    INSERT INTO "RunEvent" VALUES ('r', 1, 'run.started', '2026-01-01', '{}');
  `);
  before.close();
  migrateSqlite(file, migrations);
  const after = new Sqlite(file);
  const columns =
    '"startedById", "startedBy", "errorCode", "tokens", "cost", "durationMs", "models", "search", "warnings", "isCostPartial"';
  expect(after.prepare(`SELECT ${columns} FROM "Run" ORDER BY "id"`).raw().all()).toEqual([
    ["local", "You", "server", 7, null, 2500, "\nopenai:x\n", "a question\nan answer", 0, 0],
    ["local", "You", null, 0, 0.5, null, "", "x\n", 0, 1],
  ]);
  expect(after.prepare('SELECT count(*) FROM "RunNode"').pluck().get()).toBe(3);
  expect(after.prepare('SELECT count(*) FROM "RunEvent"').pluck().get()).toBe(1);
  after.close();
});

test("invitations that were kept for an account stay kept for it", () => {
  migrateSqlite(
    file,
    migrations.filter(({ name }) => name < "0040"),
  );
  const before = new Sqlite(file);
  before.exec(`
    INSERT INTO "Team" ("id", "name", "createdAt") VALUES ('t', 'T', '2026-01-01');
    INSERT INTO "Invitation" ("id", "teamId", "role", "tokenHash", "expiresAt", "createdById", "createdBy", "createdAt", "acceptedAt", "acceptedBy")
    VALUES ('kept', 't', 'viewer', 'a', '2026-02-01', 'u', 'U', '2026-01-01', NULL, 'new@example.org'),
      ('open', 't', 'viewer', 'b', '2026-02-01', 'u', 'U', '2026-01-01', NULL, NULL),
      ('used', 't', 'viewer', 'c', '2026-02-01', 'u', 'U', '2026-01-01', '2026-01-02', 'user-id');
  `);
  before.close();
  migrateSqlite(file, migrations);
  const after = new Sqlite(file);
  expect(after.prepare('SELECT "id", "claimedBy", "acceptedBy" FROM "Invitation" ORDER BY "id"').raw().all()).toEqual([
    ["kept", "new@example.org", null],
    ["open", null, null],
    ["used", null, "user-id"],
  ]);
  after.close();
});

test("the decision of a review stays, under the reviewer whose name it has", () => {
  migrateSqlite(
    file,
    migrations.filter(({ name }) => name < "0041"),
  );
  const before = new Sqlite(file);
  before.pragma("foreign_keys = off");
  const users = ["ann", "ben", "ben-2"].map(
    (id) => `('${id}', '${id.split("-")[0]}', '${id}@example.org', 1, '2026-01-01', '2026-01-01')`,
  );
  const notices = ["ann", "ben", "ben-2"].map(
    (id) => `('n-${id}', '${id}', 't', 'f', 'by-${id.split("-")[0]}', 'review', '2026-01-01')`,
  );
  const comments = ["ann", "ben", "gone"].map(
    (name) =>
      `('by-${name}', 't', 'f', 'revision', 'r', 'x', 'u', 'U', '2026-01-01', 'approved', '2026-01-02', '${name}')`,
  );
  before.exec(`
    INSERT INTO "User" ("id", "name", "email", "emailVerified", "createdAt", "updatedAt") VALUES ${users.join(", ")};
    INSERT INTO "Comment" ("id", "teamId", "flowId", "target", "targetId", "body", "createdById", "createdBy", "createdAt", "decision", "decidedAt", "decidedBy")
    VALUES ${comments.join(", ")}, ('open', 't', 'f', 'revision', 'r', 'x', 'u', 'U', '2026-01-01', 'requested', NULL, NULL);
    INSERT INTO "Notification" ("id", "userId", "teamId", "flowId", "commentId", "type", "createdAt") VALUES ${notices.join(", ")};
  `);
  before.close();
  migrateSqlite(file, migrations);
  const after = new Sqlite(file);
  expect(after.prepare('SELECT * FROM "ReviewDecision" ORDER BY "commentId"').raw().all()).toEqual([
    ["by-ann", "ann", "ann", "approved", "2026-01-02"],
    ["by-ben", "", "ben", "approved", "2026-01-02"],
    ["by-gone", "", "gone", "approved", "2026-01-02"],
  ]);
  after.close();
});

test("a migration that fails changes nothing", () => {
  const broken = [...migrations, { name: "0002_broken", sql: 'CREATE TABLE "Half" (id TEXT); SELECT nonsense;' }];
  expect(() => migrateSqlite(file, broken)).toThrow("nonsense");
  expect(migrateSqlite(file, migrations)).toEqual(migrations.map(({ name }) => name));
});

test("refuses a database of a newer version, and a migration that was changed", () => {
  migrateSqlite(file, [...migrations, { name: "0009_future", sql: "SELECT 1;" }]);
  expect(() => migrateSqlite(file, migrations)).toThrow(/0009_future.*newer version/);
  const changed = migrations.map(({ name, sql }) => ({ name, sql: `${sql}\n-- changed` }));
  rmSync(file);
  migrateSqlite(file, migrations);
  expect(() => migrateSqlite(file, changed)).toThrow("was changed after it had been applied");
});
