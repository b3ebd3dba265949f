import "server-only";
import { lstat, readdir } from "node:fs/promises";
import path from "node:path";
import { isInGit, type Workspace, type WorkspacePath } from "../workspace";
import { findLanguage } from "./read-imports";

/** Folders of packages and of what programs make. */
const skipped = new Set([
  "node_modules",
  "bower_components",
  "vendor",
  "dist",
  "build",
  "out",
  "target",
  "coverage",
  "venv",
  "site-packages",
  "__pycache__",
]);

/** Names that are looked at before the rest is left out. */
const maxEntries = 50_000;

/**
 * The source files at or below a place, from the workspace, with forward slashes, sorted, folders near the top first; `isCut`:
 * there were more. Links and hidden folders are left out, as are packages and built files.
 */
export async function listSourceFiles(
  workspace: Workspace,
  location: WorkspacePath,
  limit: number,
  signal: AbortSignal,
): Promise<{ names: string[]; isCut: boolean }> {
  if (!(await lstat(location.absolute)).isDirectory()) return { names: [location.name], isCut: false };
  const names: string[] = [];
  let looked = 0;
  const folders = [location.absolute];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    signal.throwIfAborted();
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (++looked > maxEntries) return { names, isCut: true };
      if (isInGit(entry.name)) continue;
      const absolute = path.join(folder, entry.name);
      if (entry.isDirectory() && !entry.name.startsWith(".") && !skipped.has(entry.name)) folders.push(absolute);
      if (!entry.isFile() || findLanguage(entry.name) === null) continue;
      if (names.length === limit) return { names, isCut: true };
      names.push(workspace.nameOf(absolute));
    }
  }
  return { names, isCut: false };
}
