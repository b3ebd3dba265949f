import "server-only";
import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import path from "node:path";
import { orMissing } from "./workspace";

/** The only folder that git is pointed at: an agent can write into any other one. */
export const gitFolderOf = (root: string): string => path.join(root, ".git");

/** `name`: how the model calls the folder. */
export const describeNoRepository = (name: string): string =>
  `${name} is no git repository, so there is nothing to compare with; an administrator runs git init in it, or projectPath names a folder that is one`;

/** Files of a git folder that lead git to the objects and refs of another one (gitrepository-layout). */
const redirectingFiles = ["commondir", "objects/info/alternates"];

/** Folders of a git folder that git searches as a whole when it reads a commit. */
const searchedFolders = ["objects", "refs"];

/**
 * Asserts that a folder of the workspace, which messages call `name`, is the top of a repository which lies wholly in its own
 * `.git` folder, so that git reads no other repository of this machine. Starts nothing.
 * @throws Error for the model; it names no path outside the workspace.
 */
export async function assertOwnRepository(root: string, name: string): Promise<void> {
  const gitFolder = gitFolderOf(root);
  const stats = await orMissing(lstat(gitFolder));
  if (stats === null) throw new Error(describeNoRepository(name));
  if (!stats.isDirectory())
    throw new Error(
      `.git of ${name} is ${stats.isSymbolicLink() ? "a link" : "a file"}, which may lead to another repository; expected a folder. An administrator makes it a clone of its own, not a worktree or submodule`,
    );
  for (const file of redirectingFiles)
    if (await orMissing(lstat(path.join(gitFolder, file))))
      throw new Error(
        `"${file}" in .git leads to another repository, which is not read; an administrator makes ${name} a clone of its own (git clone --no-local)`,
      );
  const link = await findLink(gitFolder);
  if (link !== null)
    throw new Error(`"${link}" in .git is a link; expected files and folders of the repository itself`);
}

/** The first link among what git reads of a git folder; null when there is none. Hooks may be links: they never run. */
async function findLink(gitFolder: string): Promise<string | null> {
  const isLink = (entry: Dirent): boolean => entry.isSymbolicLink();
  const top = await readdir(gitFolder, { withFileTypes: true });
  const link = top.find((entry) => isLink(entry) && entry.name !== "hooks");
  if (link) return link.name;
  for (const name of searchedFolders) {
    const folder = path.join(/* turbopackIgnore: true */ gitFolder, name);
    const entries = await orMissing(
      readdir(/* turbopackIgnore: true */ folder, { withFileTypes: true, recursive: true }),
    );
    const nestedLink = entries?.find(isLink);
    if (nestedLink)
      return path.relative(gitFolder, path.join(nestedLink.parentPath, nestedLink.name)).split(path.sep).join("/");
  }
  return null;
}
