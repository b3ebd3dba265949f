import { existsSync, linkSync, realpathSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import type { Migration } from "../migrate";
import { BackupError, codeOf, toWriteError } from "./backup-error";
import { copyDatabase, syncFolderOf } from "./copy-database";
import { type DatabaseContents, inspectDatabase } from "./inspect-database";

interface BackupOptions {
  /** The database, which other processes may be using. */
  database: string;
  /** Where the backup goes. */
  target: string;
  /** Whether a file that is there may be replaced. */
  overwrite: boolean;
  migrations: readonly Migration[];
}

/**
 * Writes a checked backup of a database, and returns what it contains. `target` is either as it was or the whole backup.
 * Throws BackupError.
 */
export function backupDatabase({ database, target, overwrite, migrations }: BackupOptions): DatabaseContents {
  if (!existsSync(database))
    throw new BackupError(
      `There is no database at ${database}. Start the server once, or let SWARMLOOM_DATA or DATABASE_URL name the one to back up.`,
    );
  if (isSameFile(database, target))
    throw new BackupError(`${target} is the database itself. Name another file for the backup.`);
  const draft = `${target}.${process.pid}.partial`;
  try {
    copyDatabase(database, draft);
    const contents = inspectDatabase(draft, migrations, database);
    putInPlace(draft, target, overwrite);
    return contents;
  } finally {
    rmSync(draft, { force: true });
  }
}

const isSameFile = (left: string, right: string): boolean =>
  existsSync(right) && realpathSync(left) === realpathSync(right);

/** Gives a draft its name. Throws BackupError when there is such a file, unless it may be replaced. */
export function putInPlace(draft: string, target: string, overwrite: boolean): void {
  try {
    if (overwrite || !tryLink(draft, target)) renameSync(draft, target);
    syncFolderOf(path.resolve(target));
  } catch (error) {
    throw toWriteError(error, target);
  }
}

/** Gives the draft its name, unless there is such a file. False where the file system has no links. */
function tryLink(draft: string, target: string): boolean {
  try {
    linkSync(draft, target);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST" || existsSync(target))
      throw new BackupError(`${target} exists. Name another file, or replace it with --force.`);
    return false;
  }
}
