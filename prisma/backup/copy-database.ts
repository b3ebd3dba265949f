import { closeSync, fsyncSync, openSync, rmSync } from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { toWriteError } from "./backup-error";

/** How long a lock on the source is waited for, in milliseconds. */
const lockTimeout = 30_000;

/**
 * Copies a SQLite database to a new file that only this user can read: its state at one moment, while other processes
 * read and write it. The copy is compacted, has no other files beside it, and is on disk when this returns. Synchronous.
 * Leaves no file when it fails. Throws BackupError.
 */
export function copyDatabase(source: string, target: string): void {
  const db = new Sqlite(source, { readonly: true, fileMustExist: true, timeout: lockTimeout });
  try {
    // SQLite writes into an empty file, which keeps this mode.
    closeSync(openSync(target, "wx", 0o600));
    try {
      db.prepare("VACUUM INTO ?").run(target);
      syncToDisk(target);
    } catch (error) {
      rmSync(target, { force: true });
      throw error;
    }
  } catch (error) {
    throw toWriteError(error, target);
  } finally {
    db.close();
  }
}

/** Writes the content of a file to disk: it survives a loss of power afterwards. */
export function syncToDisk(file: string): void {
  const descriptor = openSync(file, "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The same for the names of a file's folder. Windows cannot open folders, and needs no such call. */
export function syncFolderOf(file: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(path.dirname(file), "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A moment as file names contain it: `20261124T023012Z`. */
export const toFileStamp = (date: Date): string => date.toISOString().replace(/[-:]|\.\d+/g, "");
