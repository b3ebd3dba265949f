import { statSync } from "node:fs";
import path from "node:path";
import { backUp } from "@/lib/server/backup/backup";
import type { KeyNotice } from "@/lib/server/backup/key-notice";
import { writeLine } from "../output";
import { enterProjectFolder } from "../project-folder";
import { UsageError } from "../usage-error";
import { describeContents, reportBackupError, toCount } from "./backup-report";

/** `backup FILE`: copies the database of the server, which may be running. Gives the exit code: 1 when that failed. */
export async function runBackup(file: string, { force = false }: { force?: boolean }): Promise<number> {
  const target = path.resolve(file);
  assertTarget(file, target, force);
  enterProjectFolder();
  try {
    const { keys, ...contents } = await backUp(target, { overwrite: force });
    await writeLine(`Backup written and checked: ${target} (${describeContents(contents)}).`);
    for (const line of describeKeys(keys)) await writeLine(line);
    await writeLine("Environment variables, logs and the files of the workspace are not part of a backup.");
    return 0;
  } catch (error) {
    return reportBackupError(error);
  }
}

function assertTarget(file: string, target: string, force: boolean): void {
  const existing = statSync(target, { throwIfNoEntry: false });
  if (existing && !existing.isFile())
    throw new UsageError(`${file} is not a file. Expected the name of a file to write.`);
  if (existing && !force) throw new UsageError(`${file} exists. Name another file, or replace it with --force.`);
  if (!statSync(path.dirname(target), { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`There is no folder ${path.dirname(target)}. Make it first, or name a file in another one.`);
}

/** What a restore on another machine needs besides the file. */
function describeKeys({ providers, places, unreadable }: KeyNotice): string[] {
  if (providers.length === 0) return [];
  const sealed = `It contains ${toCount(providers.length, "API key")} (${providers.join(", ")}), sealed; the secret that opens them is NOT in it.`;
  const moves = places.map(({ type, place }) =>
    type === "file"
      ? `Keep a copy of ${place} apart from the backup. To restore on another machine, put it into the data folder there under the same name, mode 600.`
      : `The secret is the value of ${place}: on another machine set the variable to the same value.`,
  );
  const lost = unreadable.length === 0 ? [] : [`No secret of this machine opens: ${unreadable.join(", ")}.`];
  return [sealed, ...moves, ...lost];
}
