import { chmodSync, constants, copyFileSync, existsSync, realpathSync, rmSync, statSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { type Migration, migrateSqlite } from "../migrate";
import { BackupError, toWriteError } from "./backup-error";
import { copyDatabase, syncToDisk } from "./copy-database";
import { type DatabaseContents, inspectDatabase } from "./inspect-database";
import { assertNotInUse, replaceDatabase } from "./replace-database";

interface RestoreOptions {
  /** A file that `backupDatabase` wrote, or another database of Swarmloom. It is read only. */
  backup: string;
  /** The database that it replaces; there may be none. */
  database: string;
  migrations: readonly Migration[];
  now: Date;
}

export interface Restored extends DatabaseContents {
  /** Where the replaced database is. */
  replaced: string | null;
  /** The migrations that brought the backup up to date. */
  migrated: string[];
  /** How many runs had not ended: the next start of the server ends them as cancelled. */
  unfinished: number;
}

/**
 * Puts a backup in the place of the database, brought up to date; the replaced database stays beside it. Checks and migrates
 * a copy first: until all of that has succeeded, the present database is not touched. Runs that had not ended are marked to
 * be cancelled: they may have ended since the backup, and continuing them would call models again. Throws BackupError.
 */
export function restoreDatabase({ backup, database, migrations, now }: RestoreOptions): Restored {
  if (existsSync(database) && realpathSync(backup) === realpathSync(database))
    throw new BackupError(`${backup} is the database itself. Name the backup that replaces it.`);
  assertNotInUse(database);
  const draft = `${database}.restore-${process.pid}`;
  try {
    copyBackup(backup, draft, migrations);
    const contents = inspectDatabase(draft, migrations, backup);
    const migrated = migrateSqlite(draft, migrations);
    const unfinished = cancelUnfinishedRuns(draft);
    syncToDisk(draft);
    return { ...contents, migrated, unfinished, replaced: replaceDatabase(draft, database, now) };
  } finally {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(draft + suffix, { force: true });
  }
}

/** A database that was not closed has its latest changes in a log beside it: only SQLite can copy the two as one. */
function copyBackup(backup: string, draft: string, migrations: readonly Migration[]): void {
  if ((statSync(`${backup}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    inspectDatabase(backup, migrations);
    copyDatabase(backup, draft);
    return;
  }
  try {
    copyFileSync(backup, draft, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    chmodSync(draft, 0o600);
  } catch (error) {
    throw toWriteError(error, draft);
  }
}

/** How many runs had not ended. */
function cancelUnfinishedRuns(file: string): number {
  const db = new Sqlite(file, { fileMustExist: true, timeout: 0 });
  try {
    const statement = `UPDATE "Run" SET "cancelRequested" = 1 WHERE "status" IN ('INIT', 'RUNNING', 'WAITING')`;
    return db.prepare(statement).run().changes;
  } finally {
    db.close();
  }
}
