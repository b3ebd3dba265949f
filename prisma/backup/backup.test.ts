import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { migrateSqlite, readMigrations } from "../migrate";
import { writeConstantly } from "../testing/write-constantly";
import { backupDatabase } from "./backup-database";
import { copyBeforeMigration } from "./copy-before-migration";
import { restoreDatabase } from "./restore-database";

const migrations = readMigrations(path.join(import.meta.dirname, "../migrations/sqlite"));
const now = new Date("2026-11-24T02:30:12.345Z");
let folder = "";
let database = "";
let backup = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-backup-"));
  mkdirSync(path.join(folder, "data"));
  database = path.join(folder, "data/swarmloom.db");
  backup = path.join(folder, "backup.db");
  makeDatabase(database, ["one"]);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const insertFlow = `INSERT INTO "Flow" ("id", "teamId", "name", "outline", "agents", "errors", "createdAt", "updatedAt")
  VALUES (?, 'local', '', '', 0, 0, '2026-01-01', '2026-01-01')`;

function addFlows(file: string, flows: readonly string[]): void {
  const db = new Sqlite(file);
  for (const id of flows) db.prepare(insertFlow).run(id);
  db.close();
}

function makeDatabase(file: string, flows: readonly string[], applied = migrations): void {
  migrateSqlite(file, applied);
  addFlows(file, flows);
}

function listFlows(file: string): unknown[] {
  const db = new Sqlite(file, { readonly: true });
  const ids = db.prepare('SELECT "id" FROM "Flow" ORDER BY "id"').pluck().all();
  db.close();
  return ids;
}

const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);
/** Without the files that SQLite has beside an open database, and leaves after a connection that only read. */
const listData = (): string[] =>
  readdirSync(path.join(folder, "data"))
    .filter((name) => !/^swarmloom\.db-(?:wal|shm)$/.test(name))
    .sort();
const backUp = (overwrite = false) => backupDatabase({ database, target: backup, overwrite, migrations });
const restore = (file = backup) => restoreDatabase({ backup: file, database, migrations, now });

describe("a backup", () => {
  test("holds whole transactions only while another process writes, and that process goes on", async () => {
    const stop = await writeConstantly(database);
    const { flows, runs, bytes } = backUp();
    const atBackup = listFlows(backup);
    await stop();
    const [left, right] = ["left-", "right-"].map((prefix) => atBackup.filter((id) => String(id).startsWith(prefix)));
    expect(left?.length).toBeGreaterThanOrEqual(20);
    expect(right?.length).toBe(left?.length);
    expect([flows, runs, bytes]).toEqual([atBackup.length, 0, statSync(backup).size]);
    expect(listFlows(database).length).toBeGreaterThan(atBackup.length);
  });

  test("has what is only in the log of the database, and is one file that this user alone reads", () => {
    const server = new Sqlite(database);
    server.pragma("wal_autocheckpoint = 0");
    server.prepare(insertFlow).run("in the log");
    backUp();
    server.close();
    expect(listFlows(backup)).toEqual(["in the log", "one"]);
    expect([modeOf(backup), readdirSync(folder).sort()]).toEqual(["600", ["backup.db", "data"]]);
  });

  test("replaces a file only when asked, and never the database itself", () => {
    writeFileSync(backup, "precious");
    expect(() => backUp()).toThrow(/backup\.db exists\. .*--force/);
    expect([readFileSync(backup, "utf8"), readdirSync(folder).sort()]).toEqual(["precious", ["backup.db", "data"]]);
    backUp(true);
    expect(listFlows(backup)).toEqual(["one"]);
    const onto = () => backupDatabase({ database, target: database, overwrite: true, migrations });
    expect(onto).toThrow(/is the database itself/);
    expect(listFlows(database)).toEqual(["one"]);
  });

  test("is refused where there is no database or no folder, and leaves nothing", () => {
    rmSync(database);
    expect(() => backUp()).toThrow(/There is no database at .*DATABASE_URL/);
    expect(existsSync(database)).toBe(false);
    makeDatabase(database, []);
    const target = path.join(folder, "absent/backup.db");
    const into = () => backupDatabase({ database, target, overwrite: false, migrations });
    expect(into).toThrow(/could not be written \(ENOENT\)/);
  });

  test("of a damaged database is refused", () => {
    const db = new Sqlite(database);
    db.pragma("journal_mode = DELETE");
    db.close();
    truncateSync(database, statSync(database).size - 8192);
    expect(() => backUp()).toThrow(/damaged/);
    expect(existsSync(backup)).toBe(false);
  });
});

describe("a restore", () => {
  test("replaces the database, which stays beside it, twice in the same second, too", () => {
    backUp();
    addFlows(database, ["two"]);
    const kept = `${database}.before-restore-20261124T023012Z`;
    expect(restore()).toMatchObject({ flows: 1, runs: 0, migrated: [], replaced: kept });
    expect([listFlows(database), listFlows(kept)]).toEqual([["one"], ["one", "two"]]);
    addFlows(database, ["three"]);
    expect(restore().replaced).toBe(`${kept}-2`);
    expect([listFlows(database), listFlows(`${kept}-2`)]).toEqual([["one"], ["one", "three"]]);
    expect(listFlows(backup)).toEqual(["one"]);
    expect([modeOf(database), readdirSync(folder).sort()]).toEqual(["600", ["backup.db", "data"]]);
  });

  test("needs no database, and ignores the log that one left", () => {
    backUp();
    const server = new Sqlite(database);
    server.pragma("wal_autocheckpoint = 0");
    server.prepare(insertFlow).run("stale");
    copyFileSync(`${database}-wal`, path.join(folder, "wal"));
    server.close();
    rmSync(database);
    copyFileSync(path.join(folder, "wal"), `${database}-wal`);
    expect(restore().replaced).toBeNull();
    expect(listFlows(database)).toEqual(["one"]);
    expect(listData()).toEqual(["swarmloom.db", "swarmloom.db.stray-wal"]);
  });

  test("keeps what a crashed server left in the log of the replaced database", () => {
    backUp();
    const server = new Sqlite(database);
    server.pragma("wal_autocheckpoint = 0");
    server.prepare(insertFlow).run("crashed");
    for (const suffix of ["", "-wal"]) copyFileSync(database + suffix, path.join(folder, `left${suffix}`));
    server.close();
    for (const suffix of ["", "-wal"]) copyFileSync(path.join(folder, `left${suffix}`), database + suffix);
    expect(listFlows(String(restore().replaced))).toEqual(["crashed", "one"]);
    expect(listFlows(database)).toEqual(["one"]);
  });

  test("takes a database that was not closed with the log beside it", () => {
    const server = new Sqlite(database);
    server.pragma("wal_autocheckpoint = 0");
    server.prepare(insertFlow).run("in the log");
    for (const suffix of ["", "-wal"]) copyFileSync(database + suffix, backup + suffix);
    server.close();
    restore();
    expect(listFlows(database)).toEqual(["in the log", "one"]);
  });

  test("replaces a damaged database", () => {
    backUp();
    writeFileSync(database, "no database at all".repeat(1000));
    restore();
    expect(listFlows(database)).toEqual(["one"]);
  });

  test("migrates a backup of an earlier version, and does not change the backup", () => {
    makeDatabase(backup, ["old"], migrations.slice(0, 7));
    const before = readFileSync(backup);
    expect(restore().migrated).toEqual(migrations.slice(7).map(({ name }) => name));
    expect(migrateSqlite(database, migrations)).toEqual([]);
    expect(listFlows(database)).toEqual(["old"]);
    expect(readFileSync(backup).equals(before)).toBe(true);
  });
});

describe("a restore is refused, and changes nothing,", () => {
  const makeLarge = (): void => {
    addFlows(
      database,
      Array.from({ length: 2000 }, (_, number) => `flow ${number}`),
    );
    backUp();
  };
  test.each<[string, () => void, RegExp]>([
    ["of a truncated file", () => truncateSync(backup, statSync(backup).size - 10_000), /damaged or incomplete/],
    ["of half a file", () => truncateSync(backup, 100), /damaged or incomplete/],
    ["of an empty file", () => truncateSync(backup), /backup\.db is not a SQLite database\. Expected/],
    ["of another kind of file", () => writeFileSync(backup, "PK\u0003\u0004"), /is not a SQLite database/],
    [
      "of another program's database",
      () => {
        rmSync(backup);
        new Sqlite(backup).exec("CREATE TABLE bookmarks (url TEXT)").close();
      },
      /database of another program/,
    ],
    [
      "of a newer version's database",
      () => migrateSqlite(backup, [...migrations, { name: "9999_future", sql: "SELECT 1;" }]),
      /newer version: it has the migration 9999_future/,
    ],
    [
      "of a backup with wrong content",
      () => {
        const bytes = readFileSync(backup);
        bytes.fill(0x5a, 3 * 4096, 6 * 4096);
        writeFileSync(backup, bytes);
      },
      /damaged or incomplete/,
    ],
  ])("%s", (_, spoil, message) => {
    makeLarge();
    const files = listData();
    const before = listFlows(database);
    spoil();
    expect(() => restore()).toThrow(message);
    expect(() => restore()).toThrow(message);
    expect([listFlows(database), listData()]).toEqual([before, files]);
  });

  test("while another process has the database open, also between its statements", async () => {
    backUp();
    const stop = await writeConstantly(database);
    expect(() => restore()).toThrow(/is in use\. Stop the server/);
    await stop();
    const idle = new Sqlite(database);
    idle.prepare('SELECT count(*) FROM "Flow"').get();
    expect(() => restore()).toThrow(/is in use/);
    idle.close();
    expect(restore().flows).toBe(1);
  });

  test("of the database itself", () => {
    expect(() => restore(database)).toThrow(/is the database itself/);
  });
});

describe("the copy before a migration", () => {
  const copies = () => path.join(folder, "data/backups");
  const copyAt = (time: string) =>
    copyBeforeMigration({ database, version: "0007_shared_payloads", folder: copies(), now: new Date(time) });

  test("is named with version and time, and the last three of this database stay", () => {
    mkdirSync(copies());
    const others = ["flows-0001_init-20200101T000000Z.db", "swarmloom-notes.db"];
    writeFileSync(path.join(copies(), "swarmloom-0001_init-20200101T000000Z.db.partial"), "of a killed process");
    for (const name of others) writeFileSync(path.join(copies(), name), "");
    for (const day of [1, 2, 3, 4]) copyAt(`2026-11-0${day}T10:00:00Z`);
    const expected = [2, 3, 4].map((day) => `swarmloom-0007_shared_payloads-2026110${day}T100000Z.db`);
    expect(readdirSync(copies()).sort()).toEqual([...others, ...expected].sort());
    const copy = path.join(copies(), expected[2] ?? "");
    expect([modeOf(copy), listFlows(copy)]).toEqual(["600", ["one"]]);
  });

  test("has the database as it was before the first pending migration", () => {
    rmSync(database);
    makeDatabase(database, ["old"], migrations.slice(0, 6));
    let copy = "";
    const beforeUpgrade = (applied: readonly string[]): void => {
      const version = applied.at(-1) ?? "";
      copy = copyBeforeMigration({ database, version, folder: copies(), now });
    };
    migrateSqlite(database, migrations, { beforeUpgrade });
    expect(path.basename(copy)).toBe("swarmloom-0006_run_warnings-20261124T023012Z.db");
    expect(listFlows(copy)).toEqual(["old"]);
    expect(migrateSqlite(copy, migrations)).toEqual(migrations.slice(6).map(({ name }) => name));
  });

  test("is not made of a new database, nor of one that is up to date", () => {
    const beforeUpgrade = (): void => {
      throw new Error("no copy expected");
    };
    expect(migrateSqlite(database, migrations, { beforeUpgrade })).toEqual([]);
    const fresh = path.join(folder, "new.db");
    expect(migrateSqlite(fresh, migrations, { beforeUpgrade })).toHaveLength(migrations.length);
  });

  test("that cannot be written stops the migration before it changes anything", () => {
    rmSync(database);
    makeDatabase(database, ["old"], migrations.slice(0, 6));
    writeFileSync(copies(), "a file where the folder should be");
    const beforeUpgrade = () => void copyAt("2026-11-01T10:00:00Z");
    const migrate = () => migrateSqlite(database, migrations, { beforeUpgrade });
    expect(migrate).toThrow(/was not migrated, because it could not be copied before\. .*could not be written/);
    expect(listFlows(database)).toEqual(["old"]);
    rmSync(copies());
    expect(migrateSqlite(database, migrations)).toHaveLength(migrations.length - 6);
  });
});
