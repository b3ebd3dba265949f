import "server-only";
import { randomUUID } from "node:crypto";
import { chmod, lstat, mkdir, open, realpath, rename, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import { orMissing, type Workspace, type WorkspacePath } from "./workspace";

/** Largest file that is written or patched, in bytes. */
export const maxWrite = 1_000_000;

/** The size in bytes of a text that may be written. @throws Error when it is too large or no text. */
export function checkContent(content: string): number {
  const size = Buffer.byteLength(content);
  if (size > maxWrite) throw new Error(`expected at most ${maxWrite} bytes of text, found ${size}`);
  if (content.includes("\0")) throw new Error("the text holds a NUL character; only text is written");
  return size;
}

/** What becomes of one file; null: it is not there. */
export interface FileChange {
  location: WorkspacePath;
  before: string | null;
  after: string | null;
  /** Permission bits of a file that was there before. */
  mode?: number | undefined;
}

/** Changes come one after the other: two agents that work at once never write over each other half-way. */
let last: Promise<unknown> = Promise.resolve();
export function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const next = last.then(work);
  last = next.catch(() => {});
  return next;
}

/** Makes all changes or none: when one fails, those before it are taken back. */
export async function writeChanges(workspace: Workspace, changes: readonly FileChange[]): Promise<void> {
  const staged: { change: FileChange; file: Awaited<ReturnType<typeof stage>> | null }[] = [];
  const done: FileChange[] = [];
  try {
    for (const change of changes) {
      const file = change.after === null ? null : await stage(workspace, change.location, change.after);
      staged.push({ change, file });
    }
    for (const { change, file } of staged) {
      await (file ? file.commit() : remove(workspace, change.location));
      done.push(change);
    }
  } catch (error) {
    for (const change of done.reverse()) await takeBack(workspace, change);
    for (const { file } of staged.reverse()) await file?.discard();
    throw error;
  }
}

async function takeBack(workspace: Workspace, change: FileChange): Promise<void> {
  if (change.before === null) return remove(workspace, change.location);
  await (await stage(workspace, change.location, change.before, change.mode)).commit();
}

async function remove(workspace: Workspace, location: WorkspacePath): Promise<void> {
  await checkFolder(workspace, location);
  await rm(location.absolute);
}

/**
 * A file that is written next to its final path and waits for its name. A file that is there keeps its permissions; `mode` is
 * for one that was removed.
 */
async function stage(workspace: Workspace, location: WorkspacePath, content: string, mode?: number) {
  const folder = path.dirname(location.absolute);
  const createdFolders: string[] = [];
  const temporary = path.join(folder, `.swarmloom-${randomUUID()}.tmp`);
  const discard = async () => {
    await orMissing(rm(temporary));
    for (const createdFolder of createdFolders.toReversed()) await rmdir(createdFolder).catch(() => {});
  };
  try {
    await makeFolder(workspace, folder, location, createdFolders);
    const fileMode = (await findMode(location)) ?? mode;
    const handle = await open(temporary, "wx");
    try {
      await workspace.verify(temporary, handle, location);
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (fileMode !== undefined) await chmod(temporary, fileMode);
    const commit = async () => {
      await checkFolder(workspace, location);
      await rename(temporary, location.absolute);
    };
    return { commit, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** One level at a time: `mkdir` of a whole path would go through links. */
async function makeFolder(
  workspace: Workspace,
  folder: string,
  location: WorkspacePath,
  createdFolders: string[],
): Promise<void> {
  if (!workspace.contains(folder)) throw new Error(`"${location.name}" leads out of the workspace`);
  if (await orMissing(lstat(folder))) return checkFolder(workspace, location, folder);
  await makeFolder(workspace, path.dirname(folder), location, createdFolders);
  await mkdir(folder);
  createdFolders.push(folder);
  await checkFolder(workspace, location, folder);
}

/** @throws Error when the folder of a place is not, or no more, a real folder in the workspace. */
async function checkFolder(
  workspace: Workspace,
  location: WorkspacePath,
  folder: string = path.dirname(location.absolute),
): Promise<void> {
  const real = await orMissing(realpath(folder));
  if (real !== folder || !workspace.contains(real) || !(await lstat(real)).isDirectory())
    throw new Error(`the folder of "${location.name}" is no folder of the workspace; nothing was written`);
}

/** Whether a file, a folder or a link exists at a path. */
export const isThere = async (location: WorkspacePath): Promise<boolean> =>
  (await orMissing(lstat(location.absolute))) !== null;

/** Permission bits of the file that is there; undefined: none is. A link, a folder or a device is never written over. */
async function findMode(location: WorkspacePath): Promise<number | undefined> {
  const stats = await orMissing(lstat(location.absolute));
  if (stats === null) return undefined;
  if (stats.isFile()) return stats.mode & 0o777;
  const kind = stats.isSymbolicLink() ? "a link" : stats.isDirectory() ? "a folder" : "not a plain file";
  throw new Error(`"${location.name}" is ${kind}; only plain files are written`);
}
