import { statSync } from "node:fs";
import path from "node:path";
import { moveToPostgres } from "@/lib/server/backup/move";
import { getDataFolder } from "@/lib/server/env";
import { migrateDatabase } from "@/lib/server/start";
import { writeLine } from "../output";
import { enterProjectFolder } from "../project-folder";
import { UsageError } from "../usage-error";
import { toCount } from "./backup-report";
import { printable } from "./report";

/**
 * `migrate`: brings the database up to date, as a start does. `migrate --from sqlite` (or `--from file:<path>`) copies an
 * installation to PostgreSQL. Gives the exit code: 1 when that failed.
 */
export async function runMigrate({ from: source }: { from?: string } = {}): Promise<number> {
  const file = source?.startsWith("file:") ? path.resolve(source.slice("file:".length)) : null;
  enterProjectFolder();
  try {
    if (source === undefined) await reportMigrations(await migrateDatabase());
    else await move(file ?? path.join(getDataFolder(), "swarmloom.db"));
    return 0;
  } catch (error) {
    if (!(error instanceof Error && (error.name === "BackupError" || error.name === "DatabaseError"))) throw error;
    console.error(`error: ${printable(error.message)}`);
    return 1;
  }
}

async function reportMigrations(applied: readonly string[]): Promise<void> {
  if (applied.length === 0) return writeLine("The database is up to date.");
  await writeLine(`${toCount(applied.length, "migration")} applied: ${applied.join(", ")}.`);
}

async function move(file: string): Promise<void> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(`There is no SQLite database ${file}. Name its file: --from file:<path>.`);
  const rows = await moveToPostgres(file);
  const [flows, runs] = [rows.get("Flow") ?? 0, rows.get("Run") ?? 0];
  const all = [...rows.values()].reduce((sum, count) => sum + count, 0);
  await writeLine(
    `Copied to PostgreSQL: ${toCount(flows, "flow")}, ${toCount(runs, "run")}, ${toCount(all, "row")} in all.`,
  );
  await writeLine(`${file} is as it was. The data folder still has the secret that opens the API keys: keep it.`);
}
