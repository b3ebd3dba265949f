import "server-only";
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { getDataFolder } from "./env";
import { logger } from "./log/logger";

/** Folders of the data folder of which every file is ours. */
const ownFolders = ["logs", "backups"];

/**
 * Lets this user alone read the data folder and what is stored in it, also where an earlier version stored it for everyone.
 * `databaseFile`, null where the data is elsewhere, exists afterwards: SQLite gives the files beside a database the
 * database's own mode.
 */
export function protectData(databaseFile: string | null): void {
  const folder = getDataFolder();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  tighten(folder, 0o700);
  for (const name of ownFolders) {
    const ownFolder = path.join(/* turbopackIgnore: true */ folder, name);
    if (!statSync(/* turbopackIgnore: true */ ownFolder, { throwIfNoEntry: false })?.isDirectory()) continue;
    tighten(ownFolder, 0o700);
    tightenFiles(ownFolder, () => true);
  }
  if (databaseFile === null) return;
  if (!existsSync(databaseFile)) closeSync(openSync(databaseFile, "a", 0o600));
  const base = path.basename(databaseFile);
  tightenFiles(
    path.dirname(databaseFile),
    (name) => name === base || (/^[-.]/.test(name.slice(base.length)) && name.startsWith(base)),
  );
}

function tightenFiles(folder: string, isOurs: (name: string) => boolean): void {
  for (const entry of readdirSync(/* turbopackIgnore: true */ folder, { withFileTypes: true }))
    if (entry.isFile() && isOurs(entry.name)) tighten(path.join(/* turbopackIgnore: true */ folder, entry.name), 0o600);
}

/** Takes away what other users may do. What belongs to another user, or to everyone as /tmp does, stays, with a warning. */
function tighten(file: string, mode: number): void {
  const current = statSync(/* turbopackIgnore: true */ file).mode & 0o7777;
  if ((current & 0o777 & ~mode) === 0) return;
  const isForEveryone = (current & 0o1000) !== 0;
  if (!isForEveryone && changeMode(file, current & mode)) return;
  logger.warn({ file }, "other users of this machine may read this: let SWARMLOOM_DATA name a folder of your own");
}

function changeMode(file: string, mode: number): boolean {
  try {
    chmodSync(file, mode);
    return true;
  } catch {
    return false;
  }
}
