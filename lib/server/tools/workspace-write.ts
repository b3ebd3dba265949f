import "server-only";
import { randomUUID } from "node:crypto";
import { chmod, lstat, mkdir, open, realpath, rename, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import { orMissing, type Place, type Workspace } from "./workspace";

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
export interface Change {
  place: Place;
  before: string | null;
  after: string | null;
  /** Permission bits of a file that was there before. */
  mode?: number | undefined;
}

/** A file that is written beside its place, and waits for its name. */
interface Staged {
  isNew: boolean;
  commit(): Promise<void>;
  discard(): Promise<void>;
}

/** Changes come one after the other: two agents that work at once never write over each other half-way. */
let last: Promise<unknown> = Promise.resolve();
export function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const next = last.then(work);
  last = next.catch(() => {});
  return next;
}

/** Writes one text wholly or not at all, and tells whether there was a file before. */
export async function writeText(workspace: Workspace, place: Place, content: string): Promise<"created" | "replaced"> {
  const file = await stage(workspace, place, content);
  try {
    await file.commit();
  } catch (error) {
    await file.discard();
    throw error;
  }
  return file.isNew ? "created" : "replaced";
}

/** Makes all changes or none: when one fails, those before it are taken back. */
export async function writeChanges(workspace: Workspace, changes: readonly Change[]): Promise<void> {
  const staged: { change: Change; file: Staged | null }[] = [];
  const done: Change[] = [];
  try {
    for (const change of changes) {
      const file = change.after === null ? null : await stage(workspace, change.place, change.after);
      staged.push({ change, file });
    }
    for (const { change, file } of staged) {
      await (file ? file.commit() : remove(workspace, change.place));
      done.push(change);
    }
  } catch (error) {
    for (const change of done.reverse()) await takeBack(workspace, change);
    for (const { file } of staged.reverse()) await file?.discard();
    throw error;
  }
}

async function takeBack(workspace: Workspace, change: Change): Promise<void> {
  if (change.before === null) return remove(workspace, change.place);
  await (await stage(workspace, change.place, change.before, change.mode)).commit();
}

async function remove(workspace: Workspace, place: Place): Promise<void> {
  await checkFolder(workspace, place);
  await rm(place.absolute);
}

/** A file that is there keeps its permissions; `mode` is for one that was removed. */
async function stage(workspace: Workspace, place: Place, content: string, mode?: number): Promise<Staged> {
  const folder = path.dirname(place.absolute);
  const made: string[] = [];
  const temporary = path.join(folder, `.swarmloom-${randomUUID()}.tmp`);
  const discard = async () => {
    await orMissing(rm(temporary));
    for (const one of made.toReversed()) await rmdir(one).catch(() => {});
  };
  try {
    await makeFolder(workspace, folder, place, made);
    const found = await findMode(place);
    const handle = await open(temporary, "wx");
    try {
      await workspace.verify(temporary, handle, place);
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    const kept = found ?? mode;
    if (kept !== undefined) await chmod(temporary, kept);
    const commit = async () => {
      await checkFolder(workspace, place);
      await rename(temporary, place.absolute);
    };
    return { isNew: found === null, commit, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** One level at a time: `mkdir` of a whole path would go through links. */
async function makeFolder(workspace: Workspace, folder: string, place: Place, made: string[]): Promise<void> {
  if (!workspace.contains(folder)) throw new Error(`"${place.name}" leads out of the workspace`);
  if (await orMissing(lstat(folder))) return checkFolder(workspace, place, folder);
  await makeFolder(workspace, path.dirname(folder), place, made);
  await mkdir(folder);
  made.push(folder);
  await checkFolder(workspace, place, folder);
}

/** @throws Error when the folder of a place is not, or no more, a real folder in the workspace. */
async function checkFolder(
  workspace: Workspace,
  place: Place,
  folder: string = path.dirname(place.absolute),
): Promise<void> {
  const real = await orMissing(realpath(folder));
  if (real !== folder || !workspace.contains(real) || !(await lstat(real)).isDirectory())
    throw new Error(`the folder of "${place.name}" is no folder of the workspace; nothing was written`);
}

/** Whether anything stands at a place: a file, a folder or a link. */
export const isThere = async (place: Place): Promise<boolean> => (await orMissing(lstat(place.absolute))) !== null;

/** Permission bits of the file that is there; null: none is. A link, a folder or a device is never written over. */
async function findMode(place: Place): Promise<number | null> {
  const found = await orMissing(lstat(place.absolute));
  if (found === null) return null;
  if (found.isFile()) return found.mode & 0o777;
  const kind = found.isSymbolicLink() ? "a link" : found.isDirectory() ? "a folder" : "not a plain file";
  throw new Error(`"${place.name}" is ${kind}; only plain files are written`);
}
