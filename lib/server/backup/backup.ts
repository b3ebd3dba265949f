import "server-only";
import { backupDatabase } from "@/prisma/backup/backup-database";
import type { DatabaseContents } from "@/prisma/backup/inspect-database";
import { restoreDatabase } from "@/prisma/backup/restore-database";
import { protectData } from "../data-folder";
import { getDatabaseFile } from "../env";
import { listMigrations } from "../start";
import { type KeyNotice, toKeyNotice } from "./key-notice";

type Contents = Pick<DatabaseContents, "bytes" | "flows" | "runs"> & { keys: KeyNotice };

export interface RestoreReport extends Contents {
  database: string;
  /** Where the replaced database is; null when there was none. */
  replaced: string | null;
  /** The migrations that brought the backup up to date. */
  migrated: string[];
  /** How many runs had not ended: the next start of the server ends them as cancelled. */
  unfinished: number;
}

/** Writes a backup of this server's database to `target`, also while the server runs. Throws BackupError, EnvironmentError. */
export function backUp(target: string, { overwrite }: { overwrite: boolean }): Contents {
  const { sealedKeys, ...contents } = backupDatabase({
    database: getDatabaseFile(),
    target,
    overwrite,
    migrations: listMigrations("sqlite"),
  });
  return { ...contents, keys: toKeyNotice(sealedKeys) };
}

/** Puts a backup in the place of this server's database, which must not be in use. Throws BackupError, EnvironmentError. */
export function restore(backup: string): RestoreReport {
  const database = getDatabaseFile();
  const { sealedKeys, ...restored } = restoreDatabase({
    backup,
    database,
    migrations: listMigrations("sqlite"),
    now: new Date(),
  });
  protectData(database);
  return { ...restored, database, keys: toKeyNotice(sealedKeys) };
}
