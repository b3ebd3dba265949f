import "server-only";
import { mkdirSync } from "node:fs";
import { type CopiedRows, copyToPostgres } from "@/prisma/move/copy-to-postgres";
import { protectData } from "../data-folder";
import { EnvironmentError, getDatabaseLocation, getDataFolder } from "../env";
import { listMigrations } from "../start";

/** Copies an installation from a SQLite file to the empty PostgreSQL database of DATABASE_URL. Throws BackupError, DatabaseError, EnvironmentError. */
export async function moveToPostgres(file: string): Promise<CopiedRows> {
  const location = getDatabaseLocation();
  if (location.type !== "postgresql")
    throw new EnvironmentError(
      "DATABASE_URL is a file. Expected the address of the PostgreSQL database to move to: DATABASE_URL=postgresql://… swarmloom migrate --from sqlite.",
    );
  protectData(null);
  const folder = getDataFolder();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const migrations = { sqlite: listMigrations("sqlite"), postgresql: listMigrations("postgresql") };
  return copyToPostgres({ file, url: location.url, migrations, folder });
}
