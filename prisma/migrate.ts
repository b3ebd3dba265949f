import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";

/** The databases that this version stores its data in; each has a client and migrations of its own. */
export const databaseKinds = ["sqlite", "postgresql"] as const;
export type DatabaseKind = (typeof databaseKinds)[number];

/** A migration as its file holds it. */
export interface Migration {
  name: string;
  sql: string;
}

/** The migrations in a folder, in order. */
export function readMigrations(folder: string): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => ({ name: path.basename(file, ".sql"), sql: readFileSync(path.join(folder, file), "utf8") }));
}

const ledger = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" TEXT PRIMARY KEY NOT NULL,
  "checksum" TEXT NOT NULL,
  "finished_at" DATETIME,
  "migration_name" TEXT NOT NULL,
  "logs" TEXT,
  "rolled_back_at" DATETIME,
  "started_at" DATETIME NOT NULL DEFAULT current_timestamp,
  "applied_steps_count" INTEGER UNSIGNED NOT NULL DEFAULT 0
)`;

interface MigrateOptions {
  /**
   * Called with the names of the applied migrations before the first pending one of a database that is not new, while no
   * other process can write. When it throws, nothing is migrated.
   */
  beforeUpgrade?: ((applied: readonly string[]) => void) | undefined;
}

/**
 * Brings a SQLite database up to date, each migration in one transaction. Safe when two processes start at once: the
 * write lock is taken before the ledger is read. Returns the names applied now; throws when the database was written
 * by a newer version or an applied migration was changed afterwards. While another program holds the lock it throws the
 * driver's error at once: the driver would wait in the event loop, `retryWhileBusy` does not.
 */
export function migrateSqlite(
  file: string,
  migrations: readonly Migration[],
  { beforeUpgrade }: MigrateOptions = {},
): string[] {
  const db = new Sqlite(file, { timeout: 0 });
  try {
    db.pragma("journal_mode = WAL");
    const applyAll = db.transaction(() => {
      db.exec(ledger);
      const applied = readAppliedMigrations(db);
      assertKnownMigrations(applied, migrations);
      const pending = migrations.filter(({ name }) => !applied.has(name));
      if (pending.length > 0 && applied.size > 0) beforeUpgrade?.([...applied.keys()]);
      return pending.map((migration) => apply(db, migration));
    });
    return applyAll.immediate();
  } finally {
    db.close();
  }
}

export const checksumOf = (sql: string): string => createHash("sha256").update(sql).digest("hex");

function toApplied(row: unknown): [name: string, checksum: string] {
  if (typeof row !== "object" || row === null || !("name" in row) || !("checksum" in row))
    throw new Error("the table _prisma_migrations is not as expected");
  return [String(row.name), String(row.checksum)];
}

/** The migrations that were applied to a database, by name, with their checksums. */
export type AppliedMigrations = ReadonlyMap<string, string>;

/** Reads the ledger, which must exist. In the order in which they were applied. */
export function readAppliedMigrations(db: Sqlite.Database): AppliedMigrations {
  const rows = db.prepare('SELECT "migration_name" AS name, "checksum" FROM "_prisma_migrations" ORDER BY rowid').all();
  return new Map(rows.map(toApplied));
}

/** The first applied migration that is none of `migrations`, or differs from the one of its name; null when there is none. */
export function findForeignMigration(
  applied: AppliedMigrations,
  migrations: readonly Migration[],
): { type: "unknown" | "changed"; name: string } | null {
  const checksums = new Map(migrations.map(({ name, sql }) => [name, checksumOf(sql)]));
  for (const [name, checksum] of applied) {
    const expected = checksums.get(name);
    if (expected === undefined) return { type: "unknown", name };
    if (expected !== checksum) return { type: "changed", name };
  }
  return null;
}

/** Throws when a database was written by a newer version, or an applied migration was changed afterwards. */
export function assertKnownMigrations(applied: AppliedMigrations, migrations: readonly Migration[]): void {
  const problem = findForeignMigration(applied, migrations);
  if (problem === null) return;
  if (problem.type === "unknown")
    throw new Error(
      `The database has the migration ${problem.name}, which this version does not know: it was used by a newer version. Start that version, or let DATABASE_URL name another database.`,
    );
  throw new Error(`The migration ${problem.name} was changed after it had been applied. Restore its file as it was.`);
}

function apply(db: Sqlite.Database, { name, sql }: Migration): string {
  db.exec(sql);
  db.prepare(
    `INSERT INTO "_prisma_migrations" ("id", "checksum", "finished_at", "migration_name", "applied_steps_count")
     VALUES (?, ?, current_timestamp, ?, 1)`,
  ).run(randomUUID(), checksumOf(sql), name);
  return name;
}
