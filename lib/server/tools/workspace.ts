import "server-only";
import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, lstat, open, realpath } from "node:fs/promises";
import path from "node:path";
import type { ToolContext } from "@/lib/core/run/ports/tool";

/** What a file tool answers when no folder is given to the run. */
export const fileToolsOff =
  "file tools are off: an administrator turns them on by setting SWARMLOOM_WORKSPACE to a folder";

/** A place in the workspace. Every folder on the way that exists is a real one; the last name may be anything, or nothing. */
export interface Place {
  /** Relative to the workspace, with forward slashes: how messages call it. */
  name: string;
  absolute: string;
}

export interface TextFile {
  place: Place;
  text: string;
  /** Permission bits. */
  mode: number;
}

const maxPath = 1000;
const errorCode = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

/** What `work` gives, or null when there is no such file. */
export async function orMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return null;
    throw error;
  }
}

/**
 * The folder that file tools may touch. Nothing outside is ever read, written or named in an answer: not by `..`, not by
 * an absolute path, not through a link, also not through one that is put there while a tool works.
 */
export class Workspace {
  private constructor(
    /** The real path of the folder. */
    readonly root: string,
  ) {}

  /** @throws Error for the model when the run has no workspace. */
  static async open({ workspace }: Pick<ToolContext, "workspace">): Promise<Workspace> {
    if (workspace === undefined) throw new Error(fileToolsOff);
    const root = await orMissing(realpath(workspace));
    if (root === null) throw new Error("the workspace folder is gone; an administrator checks SWARMLOOM_WORKSPACE");
    return new Workspace(root);
  }

  /**
   * Where `given` lies: never in a `.git` folder, and for `write` it is not the workspace itself.
   * @throws Error for whatever lies outside, or on the far side of a link that leads outside or nowhere.
   */
  async locate(given: string, purpose: "read" | "write"): Promise<Place> {
    this.#checkText(given);
    const wanted = path.resolve(this.root, given);
    if (!this.contains(wanted)) throw new Error(`"${given}" leads out of the workspace; name a path inside it`);
    if (wanted === this.root) {
      if (purpose === "write") throw new Error(`"${given}" is the workspace itself; name a file inside it`);
      return { name: ".", absolute: this.root };
    }
    const absolute = path.join(await this.#resolveFolder(path.dirname(wanted), given), path.basename(wanted));
    const place = { name: this.nameOf(wanted), absolute };
    if (isInGit(place.name) || isInGit(this.nameOf(absolute))) throw belongsToGit(given);
    return place;
  }

  /** A file or folder that is there, with its real path. */
  async find(given: string): Promise<Place> {
    const absolute = await this.#realPath(await this.locate(given, "read"));
    return { name: this.nameOf(absolute) || ".", absolute };
  }

  /** As `find`, for a folder. */
  async findFolder(given: string): Promise<Place> {
    const place = await this.find(given);
    if (!(await lstat(place.absolute)).isDirectory()) throw new Error(`"${place.name}" is no folder`);
    return place;
  }

  /**
   * The text of a file of at most `limit` bytes. A link at the end is followed as long as it stays inside.
   * @throws Error that says what is there instead: nothing, a folder, something huge, something that is no text.
   */
  async readText(place: Place, limit: number): Promise<TextFile> {
    return this.#read(await this.#realPath(place), place, limit);
  }

  /** As `readText`, for a file that is changed afterwards: a link is not followed. */
  async readOwnText(place: Place, limit: number): Promise<TextFile> {
    const real = await this.#realPath(place);
    if (real !== place.absolute) throw new Error(`"${place.name}" is a link; only plain files are changed`);
    return this.#read(real, place, limit);
  }

  async #read(real: string, place: Place, limit: number): Promise<TextFile> {
    const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat();
      if (stats.isDirectory()) throw new Error(`"${place.name}" is a folder; name a file`);
      if (!stats.isFile()) throw new Error(`"${place.name}" is not a plain file`);
      if (stats.size > limit)
        throw new Error(`"${place.name}" is too large: expected at most ${limit} bytes, found ${stats.size}`);
      await this.verify(real, handle, place);
      return { place, text: decodeText(await handle.readFile(), place), mode: stats.mode & 0o777 };
    } finally {
      await handle.close();
    }
  }

  /** @throws Error unless the opened file is, now, the one at this real path inside the workspace. */
  async verify(real: string, handle: FileHandle, place: Place): Promise<void> {
    const [now, opened, found] = [
      await orMissing(realpath(real)),
      await handle.stat({ bigint: true }),
      await orMissing(lstat(real, { bigint: true })),
    ];
    if (now !== real || !this.contains(real) || found === null || !isSame(opened, found))
      throw new Error(`"${place.name}" changed its place while it was opened; try again`);
  }

  /** Whether an absolute path is the workspace or lies in it, by its letters. */
  contains(absolute: string): boolean {
    const relative = path.relative(this.root, absolute);
    return relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
  }

  nameOf(absolute: string): string {
    return path.relative(this.root, absolute).split(path.sep).join("/");
  }

  #checkText(given: string): void {
    if (given.trim() === "") throw new Error("expected a path, found an empty one");
    if (given.length > maxPath) throw new Error(`expected a path of at most ${maxPath} characters`);
    if (given.includes("\0")) throw new Error("a path may not hold a NUL character");
    if (path.isAbsolute(given) || path.win32.isAbsolute(given))
      throw new Error(`"${given}" is an absolute path; name it relative to the workspace`);
  }

  /** The real path of a folder, the missing end of it as it is written. */
  async #resolveFolder(folder: string, given: string): Promise<string> {
    const real = await orMissing(realpath(folder));
    if (real === null) {
      if (await orMissing(lstat(folder))) throw new Error(`"${given}" leads through something that is no folder`);
      return path.join(await this.#resolveFolder(path.dirname(folder), given), path.basename(folder));
    }
    if (!this.contains(real)) throw new Error(`"${given}" leads out of the workspace through a link`);
    if (!(await lstat(real)).isDirectory()) throw new Error(`"${given}" leads through something that is no folder`);
    return real;
  }

  async #realPath(place: Place): Promise<string> {
    const real = await orMissing(realpath(place.absolute));
    if (real === null) throw new Error(`there is no "${place.name}" in the workspace`);
    if (!this.contains(real)) throw new Error(`"${place.name}" leads out of the workspace through a link`);
    if (isInGit(this.nameOf(real))) throw belongsToGit(place.name);
    return real;
  }
}

const belongsToGit = (given: string): Error =>
  new Error(`"${given}" belongs to git; files in .git are neither read nor written`);

/**
 * Works in the workspace of a run.
 * @throws Error for the model when there is none; where the workspace lies on the machine is in no message.
 */
export async function useWorkspace<T>(context: ToolContext, work: (workspace: Workspace) => Promise<T>): Promise<T> {
  const workspace = await Workspace.open(context);
  try {
    return await work(workspace);
  } catch (error) {
    if (errorCode(error) === undefined || !(error instanceof Error)) throw error;
    throw new Error(
      error.message.replaceAll(workspace.root + path.sep, "").replaceAll(workspace.root, "the workspace"),
    );
  }
}

const isSame = (a: BigIntStats, b: BigIntStats): boolean => a.dev === b.dev && a.ino === b.ino;

/** Also as other file systems write it: `.GIT`, `.git.`, `.git::$DATA`, the short name `GIT~1`, with invisible letters. */
export const isInGit = (name: string): boolean =>
  name.split("/").some((part) => gitPattern.test(part.replace(invisible, "")));
const gitPattern = /^(?:\.git|git~\d+)[\s.]*(?::.*)?$/i;
const invisible = /\p{Default_Ignorable_Code_Point}/gu;

function decodeText(bytes: Buffer, place: Place): string {
  const refusal = `"${place.name}" is a binary file (${bytes.length} bytes); only UTF-8 text is read`;
  if (bytes.includes(0)) throw new Error(refusal);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(refusal);
  }
}
