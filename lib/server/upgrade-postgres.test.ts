import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { migratePostgres } from "@/prisma/migrate-postgres";
import type { TestDatabase } from "@/prisma/testing/postgres-server";
import { createEmptyDatabase } from "@/prisma/testing/test-database";

let database: TestDatabase;
beforeEach(async () => {
  database = await createEmptyDatabase();
  vi.stubEnv("DATABASE_URL", database.url);
});
afterEach(async () => {
  globalThis.swarmloomLog = undefined;
  vi.unstubAllEnvs();
  vi.resetModules();
  await database.drop();
});

/** Upgrades a database of the version before the last migration, as a start does. Returns the copies in the data folder. */
async function upgrade(): Promise<string[]> {
  const { listMigrations, migrateDatabase } = await import("./start");
  const { getDataFolder } = await import("./env");
  const migrations = listMigrations("postgresql");
  await migratePostgres(database.url, migrations.slice(0, -1));
  expect(await migrateDatabase()).toEqual(migrations.slice(-1).map(({ name }) => name));
  const folder = path.join(getDataFolder(), "backups");
  const copies = existsSync(folder) ? readdirSync(folder) : [];
  rmSync(folder, { recursive: true, force: true });
  return copies;
}

test("a PostgreSQL database is copied by pg_dump before it is upgraded", async () => {
  expect(await upgrade()).toEqual([expect.stringMatching(/^swarmloom_test_\w+-\d{4}_\w+-\d{8}T\d{6}Z\.dump$/)]);
});

test("without pg_dump it is upgraded all the same, and the log contains a warning", async () => {
  vi.stubEnv("PATH", "/nowhere");
  const lines: string[] = [];
  globalThis.swarmloomLog = { write: (line) => void lines.push(line) };
  expect(await upgrade()).toEqual([]);
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({
      level: 40,
      msg: expect.stringMatching(/without a copy of it: The program pg_dump was not/),
    }),
  );
});
