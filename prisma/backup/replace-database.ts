import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { BackupError, codeOf } from "./backup-error";
import { syncFolderOf, toFileStamp } from "./copy-database";

/**
 * Puts a database that no process has open in the place of another, which stays beside it under a name with the time.
 * At every moment there is a whole database at `file`. Returns where the replaced one is; null when there was none.
 * Throws BackupError, having changed nothing, when another process uses the database at `file`.
 */
export function replaceDatabase(replacement: string, file: string, now: Date): string | null {
  const release = lockDatabaseFile(file);
  try {
    const kept = existsSync(file) ? keepFile(file, now) : null;
    // A log of the replaced database would be applied to the new one.
    for (const suffix of ["-wal", "-journal"])
      if (existsSync(file + suffix)) renameSync(file + suffix, (kept ?? `${file}.stray`) + suffix);
    rmSync(`${file}-shm`, { force: true });
    // Windows renames no file over one that is open.
    if (process.platform === "win32") release();
    renameSync(replacement, file);
    syncFolderOf(file);
    return kept;
  } finally {
    release();
  }
}

/** Throws BackupError while another process has the database open. Does not wait. */
export function assertNotInUse(file: string): void {
  lockDatabaseFile(file)();
}

/**
 * Keeps every other process from a database, and merges its log into it. A process that has it open holds a shared lock,
 * also between its statements, as long as the database is in WAL mode. Returns what ends the lock.
 */
function lockDatabaseFile(file: string): () => void {
  if (!existsSync(file)) return () => {};
  const db = new Sqlite(file, { timeout: 0 });
  try {
    db.pragma("locking_mode = EXCLUSIVE");
    db.exec("BEGIN EXCLUSIVE");
    db.exec("COMMIT");
    db.pragma("journal_mode = DELETE");
    return () => db.close();
  } catch (error) {
    db.close();
    const code = codeOf(error);
    // What is damaged is replaced all the same: no server works with it.
    if (/^SQLITE_(?:NOTADB|CORRUPT)/.test(code)) return () => {};
    if (!/^SQLITE_(?:BUSY|LOCKED)/.test(code)) throw error;
    throw new BackupError(
      `The database ${file} is in use. Stop the server, and close other programs that have it open, then restore again.`,
      { cause: error },
    );
  }
}

/** Gives a file a second name, and returns it. */
function keepFile(file: string, now: Date): string {
  const name = `${file}.before-restore-${toFileStamp(now)}`;
  for (let number = 1; ; number++) {
    const kept = number === 1 ? name : `${name}-${number}`;
    if (existsSync(kept)) continue;
    try {
      linkSync(file, kept);
    } catch {
      // Not every file system has links.
      copyFileSync(file, kept);
    }
    return kept;
  }
}
