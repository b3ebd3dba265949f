import { rmSync, statSync } from "node:fs";
import type { Client } from "pg";
import { z } from "zod";
import { putInPlace } from "./backup-database";
import { BackupError } from "./backup-error";
import { dumpPostgres } from "./dump-postgres";
import type { DatabaseContents } from "./inspect-database";
import type { PostgresAccess } from "./postgres-programs";
import { withPostgresClient } from "./postgres-session";

interface BackupOptions {
  /** The database, which other processes may be using. */
  access: PostgresAccess;
  /** Where the backup goes. */
  target: string;
  /** Whether a file that is there may be replaced. */
  overwrite: boolean;
}

/**
 * Writes a checked backup of a PostgreSQL database by pg_dump, and returns what it contains. `target` is either as it was or
 * the whole backup. Throws BackupError, and DatabaseError when the server cannot be reached.
 */
export async function backupPostgres({ access, target, overwrite }: BackupOptions): Promise<DatabaseContents> {
  const draft = `${target}.${process.pid}.partial`;
  return withPostgresClient(access.url, async (client) => {
    await assertOurs(client);
    await dumpPostgres(client, access, draft);
    try {
      const contents = { ...(await countContents(client)), bytes: statSync(draft).size };
      putInPlace(draft, target, overwrite);
      return contents;
    } finally {
      rmSync(draft, { force: true });
    }
  });
}

const oursSchema = z.tuple([z.object({ ours: z.boolean() })]);

async function assertOurs(client: Client): Promise<void> {
  const { rows } = await client.query(
    `SELECT bool_and(to_regclass(name) IS NOT NULL) AS ours
     FROM unnest(ARRAY['public._prisma_migrations', 'public."Flow"', 'public."Run"']) AS name`,
  );
  if (oursSchema.parse(rows)[0].ours) return;
  throw new BackupError(
    "The PostgreSQL database has no flows and runs. Start the server once, or let DATABASE_URL name the database to back up.",
  );
}

const countsSchema = z.tuple([z.object({ flows: z.number(), runs: z.number() })]);
const sealedKeySchema = z.object({ provider: z.string(), secretId: z.string() });

/** What the database contains, as the present transaction sees it. */
export async function countContents(client: Client): Promise<Omit<DatabaseContents, "bytes">> {
  const counts = await client.query(
    `SELECT (SELECT count(*) FROM public."Flow")::int AS flows, (SELECT count(*) FROM public."Run")::int AS runs`,
  );
  const keys = await client.query(
    `SELECT "provider", "secretId" FROM public."Connection" WHERE "sealedKey" <> '' ORDER BY "provider"`,
  );
  const webhookKeys = (await hasWebhooks(client))
    ? await client.query(`SELECT DISTINCT 'webhooks' AS "provider", "secretId" FROM public."Webhook"`)
    : { rows: [] };
  const sealedKeys = [...keys.rows, ...webhookKeys.rows].map((row) => sealedKeySchema.parse(row));
  return { ...countsSchema.parse(counts.rows)[0], sealedKeys };
}

/** Databases of earlier versions have none. */
async function hasWebhooks(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT 1 WHERE to_regclass('public."Webhook"') IS NOT NULL`);
  return rowCount === 1;
}
