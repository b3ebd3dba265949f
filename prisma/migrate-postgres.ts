import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { type AppliedMigrations, assertKnownMigrations, checksumOf, type Migration } from "./migrate";
import { toPostgresError } from "./postgres-error";
import { createPool } from "./postgres-pool";

const ledger = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`;

/** Of the advisory lock that a migrating process holds: any number, the same in every version. */
export const migrationLock = 7_283_645_119;

/** How long a server may take to accept a connection, in milliseconds. */
const connectMs = 5_000;

interface MigrateOptions {
  /**
   * Called with the names of the applied migrations before the first pending one of a database that is not new, while no
   * other process migrates it. When it rejects, nothing is migrated.
   */
  beforeUpgrade?: ((applied: readonly string[]) => Promise<void>) | undefined;
}

/**
 * Brings a PostgreSQL database up to date, each migration in one transaction. Safe when two processes start at once: an
 * advisory lock is taken before the ledger is read. Returns the names applied now; throws when the database was written
 * by a newer version or an applied migration was changed afterwards, and DatabaseError when the server does not answer.
 */
export async function migratePostgres(
  url: string,
  migrations: readonly Migration[],
  { beforeUpgrade }: MigrateOptions = {},
): Promise<string[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectMs });
  // A lost connection rejects the statement under way; without a listener it would also end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    // It is released with the connection.
    await client.query("SELECT pg_advisory_lock($1)", [migrationLock]);
    await client.query("SET search_path TO public; SET client_min_messages TO warning");
    await client.query(ledger);
    const applied = await readAppliedMigrations(client);
    assertKnownMigrations(applied, migrations);
    const pending = migrations.filter(({ name }) => !applied.has(name));
    if (pending.length > 0 && applied.size > 0) await beforeUpgrade?.([...applied.keys()]);
    for (const migration of pending) await apply(client, migration);
    await migrateJobs(url);
    return pending.map(({ name }) => name);
  } catch (error) {
    throw toPostgresError(error) ?? error;
  } finally {
    await client.end().catch(() => {});
  }
}

/** The tables of the queue, which its library keeps in a schema of their own. */
async function migrateJobs(url: string): Promise<void> {
  const { Logger, runMigrations } = await import("graphile-worker");
  const pool = createPool(url, { max: 1 });
  try {
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) });
  } finally {
    await pool.end();
  }
}

async function readAppliedMigrations(client: Client): Promise<AppliedMigrations> {
  const { rows } = await client.query<[name: string, checksum: string]>({
    text: 'SELECT "migration_name", "checksum" FROM "_prisma_migrations" ORDER BY "started_at", "migration_name"',
    rowMode: "array",
  });
  return new Map(rows);
}

async function apply(client: Client, { name, sql }: Migration): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query(sql);
    await client.query(
      `INSERT INTO "_prisma_migrations" ("id", "checksum", "finished_at", "migration_name", "applied_steps_count")
       VALUES ($1, $2, clock_timestamp(), $3, 1)`,
      [randomUUID(), checksumOf(sql), name],
    );
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}
