import { closeSync, openSync, rmSync } from "node:fs";
import type { Client } from "pg";
import { z } from "zod";
import { BackupError, toWriteError } from "./backup-error";
import { syncToDisk } from "./copy-database";
import { assertProgram, type PostgresAccess, runProgram, toProgramCall } from "./postgres-programs";
import { readServerVersion } from "./postgres-session";

const snapshotSchema = z.tuple([z.object({ snapshot: z.string() })]);

/**
 * Dumps a PostgreSQL database to a new file that only this user can read, in the custom format of pg_dump: its state at one
 * moment, while other processes read and write it. `client` has a transaction of the same moment afterwards, for what else is
 * read of it. The file has been read back as a whole, and is on disk, when this resolves; there is none when it rejects, with
 * BackupError, or ProgramMissingError before anything was done.
 */
export async function dumpPostgres(client: Client, access: PostgresAccess, target: string): Promise<void> {
  const version = await readServerVersion(client);
  for (const program of ["pg_dump", "pg_restore"] as const) await assertProgram(program, access, version);
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  await client.query("SET LOCAL idle_in_transaction_session_timeout = 0");
  const { rows } = await client.query("SELECT pg_export_snapshot() AS snapshot");
  const [{ snapshot }] = snapshotSchema.parse(rows);
  try {
    await writeDump(access, snapshot, target);
    await checkDump(access, target, target);
    syncToDisk(target);
  } catch (error) {
    rmSync(target, { force: true });
    throw toWriteError(error, target);
  }
}

/** The tables of Swarmloom. The queue's own, in another schema, are made anew: they contain nothing but work to do. */
async function writeDump(access: PostgresAccess, snapshot: string, target: string): Promise<void> {
  const file = openFile(target);
  const options = ["--format=custom", "--no-owner", "--no-privileges", "--table=public.*", "--lock-wait-timeout=30s"];
  const args = [...options, `--snapshot=${snapshot}`, `--dbname=${toProgramCall(access).address}`];
  try {
    await runProgram("pg_dump", { args, access, stdout: file });
  } finally {
    closeSync(file);
  }
}

function openFile(target: string): number {
  try {
    return openSync(target, "wx", 0o600);
  } catch (error) {
    throw toWriteError(error, target);
  }
}

/** Reads a dump as a whole. Throws BackupError, whose message names `label`. */
export async function checkDump(access: PostgresAccess, file: string, label: string): Promise<void> {
  await runProgram("pg_restore", { args: ["--file=-", file], access }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BackupError(`${label} is damaged or incomplete (${reason}). Restore a backup that is whole.`, {
      cause: error,
    });
  });
}
