import "server-only";
import { readFileSync, realpathSync } from "node:fs";
import path from "node:path";

/** What no workspace may hold or lie in, as absolute paths; they need not exist yet. */
export interface ProtectedPaths {
  /** The home folder of the user who started this process. */
  home: string;
  /** The code that this process runs. */
  installation: string;
  /** The data folder. */
  data: string;
  /** The file of the database. */
  database?: string | undefined;
}

/**
 * Why agents may not get a folder as their workspace, in a sentence; null when they may. Their file tools could read and
 * change everything in it.
 * @param workspace an absolute path without links.
 */
export function findWorkspaceMistake(workspace: string, paths: ProtectedPaths): string | null {
  const home = toRealPath(paths.home);
  const installation = toRealPath(paths.installation);
  const data = toRealPath(paths.data);
  const advice = "expected a folder of its own, such as ~/swarmloom-workspace";
  if (workspace === path.parse(workspace).root) return `${advice}, found the root of the file system`;
  if (containsPath(workspace, home)) return `${advice}, found ${workspace}, which holds your home folder`;
  if (overlaps(workspace, installation))
    return `${advice}, found ${workspace}, which overlaps with Swarmloom itself in ${installation}`;
  if (overlaps(workspace, data)) return `${advice}, found ${workspace}, which overlaps with the data folder ${data}`;
  const database = paths.database === undefined ? undefined : toRealPath(paths.database);
  if (database !== undefined && containsPath(workspace, database))
    return `${advice}, found ${workspace}, which holds the database ${database}`;
  return null;
}

/** The folder of the checkout or package whose code this process runs; `fallback` where that cannot be told. */
export function findInstallation(fallback: string): string {
  for (let folder = path.resolve(process.argv[1] ?? fallback); folder !== path.dirname(folder); ) {
    folder = path.dirname(folder);
    if (isSwarmloom(folder)) return folder;
  }
  return fallback;
}

function isSwarmloom(folder: string): boolean {
  try {
    const text = readFileSync(/* turbopackIgnore: true */ path.join(folder, "package.json"), "utf8");
    return /^\s*\{\s*"name"\s*:\s*"swarmloom"/.test(text);
  } catch {
    return false;
  }
}

const overlaps = (a: string, b: string): boolean => containsPath(a, b) || containsPath(b, a);

/** Whether an absolute path is `parent` or lies in it, by its letters. */
export function containsPath(parent: string, child: string): boolean {
  const relative = path.relative(parent, child);
  return relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** A path without links, as far as it exists. */
function toRealPath(absolute: string): string {
  try {
    return realpathSync.native(/* turbopackIgnore: true */ absolute);
  } catch {
    const parent = path.dirname(absolute);
    return parent === absolute
      ? absolute
      : path.join(/* turbopackIgnore: true */ toRealPath(parent), path.basename(absolute));
  }
}
