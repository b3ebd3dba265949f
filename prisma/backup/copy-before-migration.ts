import { mkdirSync, readdirSync, renameSync, rmSync, statfsSync, statSync } from "node:fs";
import path from "node:path";
import { BackupError, toWriteError } from "./backup-error";
import { copyDatabase, syncFolderOf, toFileStamp } from "./copy-database";

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
    renameSync(draft, copy);
    syncFolderOf(copy);
    for (const old of listCopies(folder, name).slice(0, -keptCopies)) rmSync(path.join(folder, old), { force: true });
  } catch (error) {
    throw toRefusal(toWriteError(error, copy));
  }
  return copy;
}

/** What a process that was killed has left: only one at a time migrates a database. */
function removeDrafts(folder: string, name: string): void {
  for (const file of readdirSync(folder))
    if (file.startsWith(`${name}-`) && file.endsWith(".partial")) rmSync(path.join(folder, file));
}

/** The copies of a database, the oldest first. */
function listCopies(folder: string, name: string): string[] {
  const stampOf = (file: string): string | undefined =>
    file.startsWith(`${name}-`) ? /^\d{4}_\w+-(\d{8}T\d{6}Z)\.db$/.exec(file.slice(name.length + 1))?.[1] : undefined;
  return readdirSync(folder)
    .map((file) => ({ file, stamp: stampOf(file) ?? "" }))
    .filter(({ stamp }) => stamp !== "")
    .sort((left, right) => (left.stamp < right.stamp ? -1 : 1))
    .map(({ file }) => file);
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
