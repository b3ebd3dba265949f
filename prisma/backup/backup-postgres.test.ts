import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findPostgres } from "../../.config/find-postgres.mjs";
import { readMigrations } from "../migrate";
import { migratePostgres } from "../migrate-postgres";
import { performOn, type TestDatabase } from "../testing/postgres-server";
import { createEmptyDatabase, createMigratedDatabase } from "../testing/test-database";
import { backupPostgres } from "./backup-postgres";
import { copyPostgresBeforeMigration } from "./copy-before-migration";
import { assertProgram, type PostgresAccess, toProgramCall } from "./postgres-programs";
import { restorePostgres } from "./restore-postgres";

const migrations = readMigrations(path.join(import.meta.dirname, "../migrations/postgresql"));
const installation = findPostgres();
const searchPath = installation?.type === "programs" ? installation.folder : process.env.PATH;
const now = new Date("2026-11-24T02:30:12.345Z");
const schema = "before_restore_20261124t023012z";

let folder = "";
let backup = "";
let database: TestDatabase;
let access: PostgresAccess;
beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-dump-"));
  backup = path.join(folder, "a.dump");
  database = await createMigratedDatabase();
  access = { url: database.url, searchPath };
  await addFlows("one");
});
afterEach(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

const insertFlow = (id: string): string =>
  `INSERT INTO "Flow" ("id", "teamId", "name", "outline", "agents", "errors", "createdAt", "updatedAt")
   VALUES ('${id}', 'local', 'tab\t\\ and ü', '', 0, 0, now(), now())`;
const addFlows = (...ids: readonly string[]): Promise<void> => performOn(database.url, ...ids.map(insertFlow));

async function read(sql: string, url = database.url): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text: sql, rowMode: "array" })).rows.flat();
  } finally {
    await client.end();
  }
}
const listFlows = (url = database.url): Promise<unknown[]> => read('SELECT "id" FROM "Flow" ORDER BY "id"', url);
const restore = (file = backup, to = access) => restorePostgres({ backup: file, access: to, migrations, now });
const backUp = (overwrite = false) => backupPostgres({ access, target: backup, overwrite });

/** A folder of programs that only print a version. */
function fakePrograms(version: string): string {
  const bin = path.join(folder, `bin-${version}`);
  mkdirSync(bin);
  for (const name of ["pg_dump", "pg_restore", "psql"]) {
    writeFileSync(path.join(bin, name), `#!/bin/sh\necho "${name} (PostgreSQL) ${version}"\n`);
    chmodSync(path.join(bin, name), 0o755);
  }
  return bin;
}

describe("a backup of a PostgreSQL database", () => {
  test("is whole, readable by its user only, and goes back where newer rows are", async () => {
    expect(await backUp()).toMatchObject({ flows: 1, runs: 0, sealedKeys: [] });
    expect((statSync(backup).mode & 0o777).toString(8)).toBe("600");
    expect(readdirSync(folder)).toEqual(["a.dump"]);
    await addFlows("two");
    expect(await restore()).toMatchObject({ flows: 1, runs: 0, migrated: [], unfinished: 0, replaced: schema });
    expect(await listFlows()).toEqual(["one"]);
    expect(await read('SELECT "name" FROM "Flow"')).toEqual(["tab\t\\ and ü"]);
    expect(await read(`SELECT "id" FROM ${schema}."Flow" ORDER BY "id"`)).toEqual(["one", "two"]);
    expect(await migratePostgres(database.url, migrations)).toEqual([]);
    expect(await read("SELECT count(*)::int FROM graphile_worker.jobs")).toEqual([0]);
  });

  test("is the state of one moment while others write", async () => {
    let isWriting = true;
    const writing = (async () => {
      for (let index = 0; isWriting; index++)
        await performOn(database.url, `BEGIN; ${insertFlow(`a${index}`)}; ${insertFlow(`b${index}`)}; COMMIT`);
    })();
    const { flows } = await backUp();
    isWriting = false;
    await writing;
    expect(flows % 2).toBe(1);
    expect((await restore()).flows).toBe(flows);
  });

  test("goes to an empty database, and is brought up to date there", async () => {
    const old = await createEmptyDatabase();
    const target = await createEmptyDatabase();
    try {
      await migratePostgres(old.url, migrations.slice(0, -2));
      await performOn(old.url, insertFlow("old"));
      await backupPostgres({ access: { ...access, url: old.url }, target: backup, overwrite: false });
      const restored = await restore(backup, { ...access, url: target.url });
      expect(restored).toMatchObject({ replaced: null, flows: 1 });
      expect(restored.migrated).toEqual(migrations.slice(-2).map(({ name }) => name));
      expect(await listFlows(target.url)).toEqual(["old"]);
    } finally {
      await old.drop();
      await target.drop();
    }
  });

  test("replaces a file only when it may", async () => {
    writeFileSync(backup, "notes");
    await expect(backUp()).rejects.toThrow("exists. Name another file");
    expect(readFileSync(backup, "utf8")).toBe("notes");
    await backUp(true);
    expect(readFileSync(backup, "latin1")).toMatch(/^PGDMP/);
    expect(readdirSync(folder)).toEqual(["a.dump"]);
  });

  test("is refused for a database of another program", async () => {
    const empty = await createEmptyDatabase();
    const other = { ...access, url: empty.url };
    await expect(backupPostgres({ access: other, target: backup, overwrite: false })).rejects.toThrow(
      "has no flows and runs",
    );
    await empty.drop();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("needs programs that are at least as new as the server", async () => {
    const without = backupPostgres({ access: { ...access, searchPath: folder }, target: backup, overwrite: false });
    await expect(without).rejects.toThrow(
      /^The program pg_dump was not found\. Install the client programs of Postgre/,
    );
    const old = { ...access, searchPath: fakePrograms("9.6.24") };
    await expect(backupPostgres({ access: old, target: backup, overwrite: false })).rejects.toThrow(
      /^pg_dump is of version 9, older than the PostgreSQL server, which is \d+\./,
    );
    await assertProgram("pg_dump", { ...access, searchPath: fakePrograms("18beta1") }, 170_002);
  });
});

describe("a restore to PostgreSQL that is refused changes nothing", () => {
  beforeEach(async () => {
    await backUp();
    await addFlows("two");
  });
  afterEach(async () => {
    expect(await listFlows()).toEqual(["one", "two"]);
    expect(await read("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'before%'")).toEqual([]);
  });

  test("while a server is connected", async () => {
    const server = new Client({ connectionString: database.url, application_name: "swarmloom" });
    await server.connect();
    await expect(restore()).rejects.toThrow(
      /is in use \(swarmloom; connections: 1\)\. Stop the server and the workers/,
    );
    await server.end();
  });

  test.each([
    ["a damaged one", () => writeFileSync(backup, readFileSync(backup).subarray(0, -2_000)), /damaged or incomplete/],
    ["a text", () => writeFileSync(backup, "notes"), /is not a dump of pg_dump in its custom format/],
    ["one of SQLite", () => writeFileSync(backup, "SQLite format 3\0"), /migrate --from file:/],
  ])("for a file that is no backup: %s", async (_, damage, message) => {
    damage();
    await expect(restore()).rejects.toThrow(message);
  });

  test("for a backup of a newer version", async () => {
    const newer = restorePostgres({ backup, access, migrations: migrations.slice(0, -1), now });
    await expect(newer).rejects.toThrow(/was written by a newer version: it has the migration/);
  });

  test("when it fails half way", async () => {
    await performOn(database.url, 'CREATE TABLE "Zebra" ()');
    await backUp(true);
    await performOn(database.url, 'DROP TABLE "Zebra"', 'CREATE VIEW "Zebra" AS SELECT 1');
    await expect(restore()).rejects.toThrow(/psql failed: .*"Zebra" already exists/);
  });
});

describe("the copy before a migration of PostgreSQL", () => {
  const copies = (): string[] => readdirSync(path.join(folder, "backups"));

  test("can be restored, and the last three stay", async () => {
    for (const seconds of [1, 2, 3, 4]) {
      const options = { access, version: "0016_schedules", folder: path.join(folder, "backups") };
      await copyPostgresBeforeMigration({ ...options, now: new Date(Date.UTC(2026, 10, 24, 1, 0, seconds)) });
    }
    expect(copies()).toEqual(
      ["02", "03", "04"].map((second) => `${database.name}-0016_schedules-20261124T0100${second}Z.dump`),
    );
    await addFlows("two");
    await restore(path.join(folder, "backups", copies()[0] ?? ""));
    expect(await listFlows()).toEqual(["one"]);
  });

  test("a copy that fails leaves the database as it is", async () => {
    const future = [...migrations, { name: "9001_future", sql: 'CREATE TABLE "Future" ()' }];
    const beforeUpgrade = () => Promise.reject(new Error("the disk is full"));
    await expect(migratePostgres(database.url, future, { beforeUpgrade })).rejects.toThrow("the disk is full");
    expect(await read(`SELECT to_regclass('public."Future"')`)).toEqual([null]);
  });
});

test("no argument of a program contains the password, and the environment has nothing else of this process", () => {
  const url = "postgresql://me:p%40ss%20word@db.example:5433/app?sslmode=no-verify&uselibpqcompat=true&schema=x";
  const { address, env } = toProgramCall({ url, searchPath: "/bin" });
  expect(address).toBe("postgresql://me@db.example:5433/app?sslmode=require");
  expect(env).toMatchObject({ PGPASSWORD: "p@ss word", PATH: "/bin" });
  expect(Object.keys(env).sort()).toEqual(
    ["HOME", "LC_ALL", "NODE_ENV", "PATH", "PGAPPNAME", "PGCONNECT_TIMEOUT", "PGPASSWORD"].sort(),
  );
});
