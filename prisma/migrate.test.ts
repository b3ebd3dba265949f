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
  const wanted = await diffSchemas(null, readFileSync(path.join(import.meta.dirname, "schema.prisma"), "utf8"));
  expect(describeSchema(migrations.map(({ sql }) => sql))).toEqual(describeSchema([wanted]));
});

test("a new database gets them all, an up-to-date one none", () => {
  expect(migrateSqlite(file, migrations)).toEqual(migrations.map(({ name }) => name));
  expect(migrateSqlite(file, migrations)).toEqual([]);
});

test("a later version adds its own and keeps what there is", () => {
  migrateSqlite(file, migrations);
  const next = [...migrations, { name: "0002_note", sql: 'ALTER TABLE "Flow" ADD COLUMN "note" TEXT;' }];
  expect(migrateSqlite(file, next)).toEqual(["0002_note"]);
});

test("a migration that fails leaves nothing behind", () => {
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
