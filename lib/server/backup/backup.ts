import "server-only";
import { backupDatabase } from "@/prisma/backup/backup-database";
import { backupPostgres } from "@/prisma/backup/backup-postgres";
import type { DatabaseContents } from "@/prisma/backup/inspect-database";
import type { PostgresAccess } from "@/prisma/backup/postgres-programs";
import { restoreDatabase } from "@/prisma/backup/restore-database";
import { restorePostgres } from "@/prisma/backup/restore-postgres";
import type { DatabaseKind } from "@/prisma/migrate";
import { protectData } from "../data-folder";
import { type DatabaseLocation, getDatabaseLocation, getEnv } from "../env";
import { listMigrations } from "../start";
import { type KeyNotice, toKeyNotice } from "./key-notice";

type Contents = Pick<DatabaseContents, "bytes" | "flows" | "runs"> & { keys: KeyNotice };

export interface RestoreReport extends Contents {
  type: DatabaseKind;
  database: string;
  /** The file in which the replaced database is, or the schema in which its tables are; null when there was none. */
  replaced: string | null;
  /** The migrations that brought the backup up to date. */
  migrated: string[];
  /** How many runs had not ended: the next start of the server ends them as cancelled. */
  unfinished: number;
}

/** Writes a backup of this server's database to `target`, also while the server runs. Throws BackupError, DatabaseError, EnvironmentError. */
export async function backUp(target: string, { overwrite }: { overwrite: boolean }): Promise<Contents> {
  const location = getDatabaseLocation();
  const { sealedKeys, ...contents } =
    location.type === "postgresql"
      ? await backupPostgres({ access: toAccess(location.url), target, overwrite })
      : backupDatabase({ database: location.file, target, overwrite, migrations: listMigrations("sqlite") });
  return { ...contents, keys: toKeyNotice(sealedKeys) };
}

/** Puts a backup in the place of this server's database, which must not be in use. Throws BackupError, DatabaseError, EnvironmentError. */
export async function restore(backup: string): Promise<RestoreReport> {
  const location = getDatabaseLocation();
  const options = { backup, migrations: listMigrations(location.type), now: new Date() };
  const { sealedKeys, ...restored } =
    location.type === "postgresql"
      ? await restorePostgres({ ...options, access: toAccess(location.url) })
      : restoreDatabase({ ...options, database: location.file });
  if (location.type === "sqlite") protectData(location.file);
  return { ...restored, type: location.type, database: toName(location), keys: toKeyNotice(sealedKeys) };
}

const toAccess = (url: string): PostgresAccess => ({ url, searchPath: getEnv().PATH });

/** The file, or the host and the name of the database: nothing secret of its address. */
function toName(location: DatabaseLocation): string {
  if (location.type === "sqlite") return location.file;
  const { host, pathname } = new URL(location.url);
  return `${host}${pathname}`;
}
