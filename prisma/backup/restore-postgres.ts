import { statSync } from "node:fs";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { z } from "zod";
import type { Migration } from "../migrate";
import { migratePostgres, migrationLock } from "../migrate-postgres";
import { BackupError } from "./backup-error";
import { countContents } from "./backup-postgres";
import { toFileStamp } from "./copy-database";
import { inspectDump } from "./inspect-dump";
import { assertProgram, type PostgresAccess, startProgram, toProgramCall } from "./postgres-programs";
import { readServerVersion, withPostgresClient } from "./postgres-session";
import type { Restored } from "./restore-database";

interface RestoreOptions {
  /** A file that `backupPostgres` wrote. It is read only. */
  backup: string;
  /** The database whose tables it replaces; it may be empty. */
  access: PostgresAccess;
  migrations: readonly Migration[];
  now: Date;
}

/**
 * Puts a backup in the place of the tables of a PostgreSQL database, in one transaction, and brings it up to date. The replaced
 * tables stay in a schema beside them. Checks the file first; when anything fails, the database is as it was. Runs that had not
 * ended are marked to be cancelled: they may have ended since the backup, and continuing them would call models again. Throws
 * BackupError, and DatabaseError when the server cannot be reached.
 */
export async function restorePostgres({ backup, access, migrations, now }: RestoreOptions): Promise<Restored> {
  const replaced = await withPostgresClient(access.url, async (client) => {
    const version = await readServerVersion(client);
    for (const program of ["pg_restore", "psql"] as const) await assertProgram(program, access, version);
    await inspectDump(backup, access, migrations);
    await assertUnused(client);
    return (await hasTables(client)) ? `before_restore_${toFileStamp(now).toLowerCase()}` : null;
  });
  await replaceTables(backup, access, replaced);
  const migrated = await migratePostgres(access.url, migrations);
  return withPostgresClient(access.url, async (client) => {
    const unfinished = await countUnfinished(client);
    return { ...(await countContents(client)), bytes: statSync(backup).size, migrated, replaced, unfinished };
  });
}

const connectionsSchema = z.tuple([z.object({ connections: z.number(), programs: z.string().nullable() })]);

/** How long connections are waited for, in milliseconds: the server ends those of a stopped process a moment later. */
const [leaveMs, lookMs] = [3_000, 200];

/** Throws BackupError while another process has a connection to the database. */
async function assertUnused(client: Client): Promise<void> {
  for (const deadline = Date.now() + leaveMs; ; await sleep(lookMs)) {
    const { connections, programs } = await readConnections(client);
    if (connections === 0) return;
    if (Date.now() < deadline) continue;
    throw new BackupError(
      `The PostgreSQL database is in use (${programs ?? "programs without a name"}; connections: ${connections}). Stop the server and the workers, and close other programs that are connected to it, then restore again.`,
    );
  }
}

async function readConnections(client: Client): Promise<z.infer<typeof connectionsSchema>[0]> {
  const { rows } = await client.query(
    `SELECT count(*)::int AS connections, string_agg(DISTINCT nullif(application_name, ''), ', ') AS programs
     FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
  return connectionsSchema.parse(rows)[0];
}

const existsSchema = z.tuple([z.object({ exists: z.boolean() })]);

async function hasTables(client: Client): Promise<boolean> {
  const { rows } = await client.query(`SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'public') AS "exists"`);
  return existsSchema.parse(rows)[0].exists;
}

const countSchema = z.tuple([z.object({ count: z.number() })]);
const unfinishedRuns = `"status" IN ('INIT', 'RUNNING', 'WAITING')`;

async function countUnfinished(client: Client): Promise<number> {
  const { rows } = await client.query(`SELECT count(*)::int AS count FROM public."Run" WHERE ${unfinishedRuns}`);
  return countSchema.parse(rows)[0].count;
}

/** Before the tables of the backup. A server that starts meanwhile waits for the lock. */
const begin = (replaced: string | null): string => `BEGIN;
SET LOCAL lock_timeout = '10s';
SET LOCAL client_min_messages = warning;
SELECT pg_advisory_xact_lock(${migrationLock});
${replaced === null ? "" : moveTables(replaced)}
DROP SCHEMA IF EXISTS graphile_worker CASCADE;
`;

const moveTables = (schema: string): string => `CREATE SCHEMA ${schema};
DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
    EXECUTE format('ALTER TABLE public.%I SET SCHEMA ${schema}', name);
  END LOOP;
END $$;`;

const commit = `UPDATE public."Run" SET "cancelRequested" = true WHERE ${unfinishedRuns};
COMMIT;
ANALYZE;
`;

/** psql commits only what pg_restore has written to its end: a connection that ends before undoes everything. */
async function replaceTables(backup: string, access: PostgresAccess, replaced: string | null): Promise<void> {
  const options = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1"];
  const psql = startProgram("psql", {
    args: [...options, `--dbname=${toProgramCall(access).address}`],
    access,
    stdin: "pipe",
  });
  const dump = startProgram("pg_restore", {
    args: ["--no-owner", "--no-privileges", "--file=-", backup],
    access,
    stdout: "pipe",
  });
  const [input, output] = [psql.child.stdin, dump.child.stdout];
  if (!input || !output) throw new Error("the programs have no pipes");
  // What psql does not read any more is reported by its end.
  input.on("error", () => {});
  input.write(begin(replaced));
  try {
    await pipeline(output, withoutNewSettings(), input, { end: false }).catch(() => {});
    if (!input.writable) await psql.ended;
    await dump.ended;
    input.end(commit);
    await psql.ended;
  } catch (error) {
    psql.child.kill();
    dump.child.kill();
    throw error;
  }
}

/** A pg_restore of a later version sets what an earlier server does not know, at the beginning of its output. */
function withoutNewSettings(): Transform {
  let isBeginning = true;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const isFirst = isBeginning;
      isBeginning = false;
      if (!isFirst) return done(null, chunk);
      const settings = chunk.toString("latin1").replace(/^SET transaction_timeout = 0;$/m, "");
      done(null, Buffer.from(settings, "latin1"));
    },
  });
}
