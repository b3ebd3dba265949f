import { statSync } from "node:fs";
import path from "node:path";
import { restore } from "@/lib/server/backup/backup";
import { writeLine } from "../output";
import { enterProjectFolder } from "../project-folder";
import { UsageError } from "../usage-error";
import { describeContents, reportBackupError, toCount } from "./backup-report";

/** `restore FILE`: replaces the database of the server, which must be stopped. Gives the exit code: 1 when that failed. */
export async function runRestore(file: string): Promise<number> {
  const backup = path.resolve(file);
  if (!statSync(backup, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(`There is no file ${file}. Expected a file that \`swarmloom backup\` wrote.`);
  enterProjectFolder();
  try {
    const { type, database, replaced, migrated, unfinished, keys, ...contents } = await restore(backup);
    await writeLine(`Restored to ${database} (${describeContents(contents)}).`);
    if (migrated.length > 0)
      await writeLine(`It was of an earlier version: ${toCount(migrated.length, "migration")} brought it up to date.`);
    if (unfinished > 0)
      await writeLine(
        `${toCount(unfinished, "run")} had not ended when it was written: the next start ends ${unfinished === 1 ? "it" : "them"} as cancelled, and no model is called for ${unfinished === 1 ? "it" : "them"}.`,
      );
    if (replaced !== null)
      await writeLine(
        type === "sqlite"
          ? `The database before is in ${replaced}; delete it when you need it no more.`
          : `The tables before are in the schema ${replaced}; when you need them no more: DROP SCHEMA ${replaced} CASCADE`,
      );
    if (keys.unreadable.length > 0)
      console.error(
        `warning: the keys of ${keys.unreadable.join(", ")} were sealed with a secret that is not here. Before you start the server, put the file \`secret\` of the other machine into the data folder, or set SWARMLOOM_SECRET as it was there; otherwise enter the keys again under Settings.`,
      );
    return 0;
  } catch (error) {
    return reportBackupError(error);
  }
}
