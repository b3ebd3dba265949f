import { mkdirSync, readdirSync, renameSync, rmSync, statfsSync, statSync } from "node:fs";
import path from "node:path";
import { BackupError, toWriteError } from "./backup-error";
import { copyDatabase, syncFolderOf, toFileStamp } from "./copy-database";
import { dumpPostgres } from "./dump-postgres";
import { type PostgresAccess, ProgramMissingError } from "./postgres-programs";
import { withPostgresClient } from "./postgres-session";

interface CopyOptions {
  /** The database that is about to be migrated. */
  database: string;
  /** The migration that was applied to it last. */
  version: string;
  /** Where the copies are. */
  folder: string;
  now: Date;
}

const keptCopies = 3;

interface PostgresCopyOptions extends Omit<CopyOptions, "database"> {
  /** The database that is about to be migrated. */
  access: PostgresAccess;
}

/**
 * The same for a PostgreSQL database: `<name>-<version>-<time>.dump`, as `swarmloom backup` writes it. Throws
 * ProgramMissingError when there is no pg_dump that can read it.
 */
export async function copyPostgresBeforeMigration(options: PostgresCopyOptions): Promise<string> {
  const { access, version, folder, now } = options;
  const name = decodeURIComponent(new URL(access.url).pathname).replaceAll(/\W/g, "_").slice(1) || "postgresql";
  const copy = path.join(folder, `${name}-${version}-${toFileStamp(now)}.dump`);
  const draft = `${copy}.partial`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    removeDrafts(folder, name);
    await withPostgresClient(access.url, (client) => dumpPostgres(client, access, draft));
    keepCopy(draft, copy, listCopies(folder, name, "dump"));
  } catch (error) {
    if (error instanceof ProgramMissingError) throw error;
    throw toRefusal(toWriteError(error, copy));
  }
  return copy;
}

/**
 * Copies a database before it is migrated, and returns the copy: `<name>-<version>-<time>.db`. The last three copies of this
 * database stay. Throws BackupError when there is no room for the copy.
 */
export function copyBeforeMigration({ database, version, folder, now }: CopyOptions): string {
  const name = path.basename(database, ".db");
  const copy = path.join(folder, `${name}-${version}-${toFileStamp(now)}.db`);
  const draft = `${copy}.partial`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    removeDrafts(folder, name);
    assertRoom(database, folder);
    copyDatabase(database, draft);
    keepCopy(draft, copy, listCopies(folder, name, "db"));
  } catch (error) {
    throw toRefusal(toWriteError(error, copy));
  }
  return copy;
}

/** Gives a copy its name, and deletes the oldest of the `earlier` ones. */
function keepCopy(draft: string, copy: string, earlier: readonly string[]): void {
  renameSync(draft, copy);
  syncFolderOf(copy);
  for (const old of earlier.slice(0, 1 - keptCopies)) rmSync(old, { force: true });
}

/** What a process that was killed has left: only one at a time migrates a database. */
function removeDrafts(folder: string, name: string): void {
  for (const file of readdirSync(folder))
    if (file.startsWith(`${name}-`) && file.endsWith(".partial")) rmSync(path.join(folder, file));
}

/** The copies of a database, the oldest first. */
function listCopies(folder: string, name: string, extension: "db" | "dump"): string[] {
  const pattern = /^\d{4}_\w+-(\d{8}T\d{6}Z)\.(\w+)$/;
  const stampOf = (file: string): string | undefined => {
    const [, stamp, type] = pattern.exec(file.slice(name.length + 1)) ?? [];
    return file.startsWith(`${name}-`) && type === extension ? stamp : undefined;
  };
  return readdirSync(folder)
    .map((file) => ({ file, stamp: stampOf(file) ?? "" }))
    .filter(({ stamp }) => stamp !== "")
    .sort((left, right) => (left.stamp < right.stamp ? -1 : 1))
    .map(({ file }) => path.join(folder, file));
}

function assertRoom(database: string, folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  const [needed, free] = [statSync(database).size, bavail * bsize];
  if (free >= needed) return;
  throw new BackupError(
    `The folder ${folder} has room for ${toMegabytes(free)}, and the copy of the database needs up to ${toMegabytes(needed)}. Free some space, or let SWARMLOOM_DATA name a folder on another disk.`,
  );
}

const toMegabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

const toRefusal = (error: Error): Error =>
  error instanceof BackupError
    ? new BackupError(`The database was not migrated, because it could not be copied before. ${error.message}`, {
        cause: error,
      })
    : error;
