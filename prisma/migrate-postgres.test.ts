import { readFileSync } from "node:fs";
import path from "node:path";
import { Client } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { diffSchemas } from "./diff-schemas";
import { readMigrations } from "./migrate";
import { migratePostgres } from "./migrate-postgres";
import { performOn, type TestDatabase } from "./testing/postgres-server";
import { createEmptyDatabase } from "./testing/test-database";

const migrations = readMigrations(path.join(import.meta.dirname, "migrations/postgresql"));
const names = migrations.map(({ name }) => name);
let database: TestDatabase;
let url = "";
beforeEach(async () => {
  database = await createEmptyDatabase();
  url = database.url;
});
afterEach(() => database.drop());

async function query(sql: string, of = url): Promise<unknown[][]> {
  const client = new Client({ connectionString: of });
  await client.connect();
  const { rows } = await client.query<unknown[]>({ text: sql, rowMode: "array" });
  await client.end();
  return rows;
}

/** Every column, index and constraint of a database except those of the ledger. */
const describeSchema = async (of: string): Promise<unknown[][]> => [
  ...(await query(
    `SELECT table_name, column_name, column_default, is_nullable, data_type, datetime_precision, collation_name
     FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> '_prisma_migrations' ORDER BY 1, 2`,
    of,
  )),
  ...(await query(
    `SELECT indexname, indexdef FROM pg_indexes
     WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' ORDER BY 1`,
    of,
  )),
  ...(await query(
    `SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
     WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text <> '_prisma_migrations' ORDER BY 1`,
    of,
  )),
];

test("the migrations lead to the schema, and every text is compared byte by byte", async () => {
  await migratePostgres(url, migrations);
  const schema = readFileSync(path.join(import.meta.dirname, "schema.prisma"), "utf8");
  const expected = await createEmptyDatabase();
  await performOn(expected.url, await diffSchemas("postgresql", null, schema));
  expect(await describeSchema(url)).toEqual(await describeSchema(expected.url));
  await expected.drop();
  const collations = await query(
    `SELECT DISTINCT collation_name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name <> '_prisma_migrations' AND data_type = 'text'`,
  );
  expect(collations).toEqual([["C"]]);
});

test("a new database gets them all, an up-to-date one none; of several processes one applies them", async () => {
  const results = await Promise.all([1, 2, 3].map(() => migratePostgres(url, migrations)));
  expect(results.filter((applied) => applied.length > 0)).toEqual([names]);
  expect(await migratePostgres(url, migrations)).toEqual([]);
});

test("one that fails changes nothing, and those before it stay", async () => {
  const broken = { name: "9001_broken", sql: 'ALTER TABLE "Flow" ADD COLUMN "note" TEXT; SELECT nonsense;' };
  await expect(migratePostgres(url, [...migrations, broken])).rejects.toThrow("nonsense");
  expect(await query(`SELECT 1 FROM information_schema.columns WHERE column_name = 'note'`)).toEqual([]);
  expect(await migratePostgres(url, migrations)).toEqual([]);
  const repaired = { ...broken, sql: 'ALTER TABLE "Flow" ADD COLUMN "note" TEXT;' };
  expect(await migratePostgres(url, [...migrations, repaired])).toEqual(["9001_broken"]);
});

test("a database of a newer version, and one with a changed migration, are refused", async () => {
  await migratePostgres(url, [...migrations, { name: "9001_future", sql: "SELECT 1;" }]);
  await expect(migratePostgres(url, migrations)).rejects.toThrow(/9001_future.*newer version/);
  const changed = migrations.map((migration) => ({ ...migration, sql: `${migration.sql}-- changed` }));
  await expect(migratePostgres(url, changed)).rejects.toThrow("was changed after it had been applied");
});

test("a server that is not there is a fault of the database, whose message has no password", async () => {
  const absent = migratePostgres("postgresql://me:hidden-word@127.0.0.1:1/none", migrations);
  const error: unknown = await absent.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: "DatabaseError", fault: "unreachable" });
  expect(String(error)).not.toContain("hidden-word");
});
