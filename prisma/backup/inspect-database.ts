import { closeSync, openSync, readSync, statSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { z } from "zod";
import { type AppliedMigrations, findForeignMigration, type Migration, readAppliedMigrations } from "../migrate";
import { BackupError, codeOf } from "./backup-error";

/** A key that was entered in the app, or the secret of a webhook: it opens with one secret only, which the database does not contain. */
export interface SealedKey {
  provider: string;
  secretId: string;
}

/** What a database of Swarmloom contains. */
export interface DatabaseContents {
  bytes: number;
  flows: number;
  runs: number;
  sealedKeys: SealedKey[];
}

const sealedKeySchema = z.object({ provider: z.string(), secretId: z.string() });
const countSchema = z.number().int();

/**
 * Checks every page of a database that no process uses, and counts what it contains. Throws BackupError, whose message
 * names `label`, by default the file.
 */
export function inspectDatabase(file: string, migrations: readonly Migration[], label = file): DatabaseContents {
  assertSqliteFile(file, label);
  const bytes = statSync(file).size;
  const db = new Sqlite(file, { fileMustExist: true, timeout: 0 });
  try {
    assertIntegrity(db, label);
    assertVersion(db, label, migrations);
    const count = (table: "Flow" | "Run") =>
      countSchema.parse(db.prepare(`SELECT count(*) FROM "${table}"`).pluck().get());
    return { bytes, flows: count("Flow"), runs: count("Run"), sealedKeys: listSealedKeys(db) };
  } catch (error) {
    throw codeOf(error).startsWith("SQLITE_") ? toDamagedError(label, codeOf(error), error) : error;
  } finally {
    db.close();
  }
}

const header = "SQLite format 3\0";

function assertSqliteFile(file: string, label: string): void {
  const descriptor = openSync(file, "r");
  const bytes = Buffer.alloc(header.length);
  try {
    readSync(descriptor, bytes, 0, header.length, 0);
  } finally {
    closeSync(descriptor);
  }
  if (bytes.toString("latin1") === header) return;
  throw new BackupError(`${label} is not a SQLite database. Expected a file that \`swarmloom backup\` wrote.`);
}

function assertIntegrity(db: Sqlite.Database, label: string): void {
  const problem = db.prepare("PRAGMA integrity_check(1)").pluck().get();
  if (problem !== "ok") throw toDamagedError(label, String(problem));
}

const toDamagedError = (label: string, reason: string, cause?: unknown): BackupError =>
  new BackupError(`${label} is damaged or incomplete (${reason}). Restore a backup that is whole.`, {
    cause,
  });

const hasTable = (db: Sqlite.Database, name: string): boolean =>
  db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(name) !== undefined;

function assertVersion(db: Sqlite.Database, label: string, migrations: readonly Migration[]): void {
  const isOurs = ["_prisma_migrations", "Flow", "Run"].every((name) => hasTable(db, name));
  if (!isOurs)
    throw new BackupError(
      `${label} is a database of another program: it has no flows and runs. Expected a file that \`swarmloom backup\` wrote.`,
    );
  assertKnownVersion(readAppliedMigrations(db), migrations, label);
}

/** Throws BackupError when a backup is of a newer version, or of one with other migrations. */
export function assertKnownVersion(applied: AppliedMigrations, migrations: readonly Migration[], label: string): void {
  const problem = findForeignMigration(applied, migrations);
  if (problem === null) return;
  if (problem.type === "unknown")
    throw new BackupError(
      `${label} was written by a newer version: it has the migration ${problem.name}, which this version does not know. Use that version or a later one.`,
    );
  throw new BackupError(
    `${label} has another form of the migration ${problem.name} than this version. Use the version that wrote it.`,
  );
}

/** Databases before the migration 0008 have no connections, those before 0019 no webhooks. */
const listSealedKeys = (db: Sqlite.Database): SealedKey[] =>
  [
    ["Connection", `SELECT "provider", "secretId" FROM "Connection" WHERE "sealedKey" <> '' ORDER BY "provider"`],
    ["Webhook", `SELECT DISTINCT 'webhooks' AS "provider", "secretId" FROM "Webhook"`],
  ]
    .flatMap(([table = "", select = ""]) => (hasTable(db, table) ? db.prepare(select).all() : []))
    .map((row) => sealedKeySchema.parse(row));
