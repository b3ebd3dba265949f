import "server-only";
import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, lstat, open, realpath } from "node:fs/promises";
import path from "node:path";
import type { ToolContext } from "@/lib/core/run/ports/tool";
import { containsPath } from "../workspace-folder";

/** A place in the workspace. Every folder on the way that exists is a real one; the last name may be anything, or nothing. */
export interface WorkspacePath {
  /** Relative to the workspace, with forward slashes: how messages call it. */
  name: string;
  absolute: string;
}

interface TextFile {
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
    if (workspace === undefined)
      throw new Error("file tools are off: an administrator turns them on by setting SWARMLOOM_WORKSPACE to a folder");
    const root = await orMissing(realpath(workspace));
    if (root === null) throw new Error("the workspace folder is gone; an administrator checks SWARMLOOM_WORKSPACE");
    return new Workspace(root);
  }

  /**
   * Where `given` lies: never in a `.git` folder, and for `write` it is not the workspace itself.
   * @throws Error for whatever lies outside, or on the far side of a link that leads outside or nowhere.
   */
  async locate(requestedPath: string, purpose: "read" | "write"): Promise<WorkspacePath> {
    this.#checkText(requestedPath);
    const target = path.resolve(this.root, requestedPath);
    if (!this.contains(target)) throw new Error(`"${requestedPath}" leads out of the workspace; name a path inside it`);
    if (target === this.root) {
      if (purpose === "write") throw new Error(`"${requestedPath}" is the workspace itself; name a file inside it`);
      return { name: ".", absolute: this.root };
    }
    const absolute = path.join(await this.#resolveFolder(path.dirname(target), requestedPath), path.basename(target));
    const location = { name: this.nameOf(target), absolute };
    if (isInGit(location.name) || isInGit(this.nameOf(absolute))) throw belongsToGit(requestedPath);
    return location;
  }

  /** A file or folder that is there, with its real path. */
  async find(requestedPath: string): Promise<WorkspacePath> {
    const absolute = await this.#realPath(await this.locate(requestedPath, "read"));
    return { name: this.nameOf(absolute) || ".", absolute };
  }

  /** As `find`, for a folder. */
  async findFolder(requestedPath: string): Promise<WorkspacePath> {
    const location = await this.find(requestedPath);
    if (!(await lstat(location.absolute)).isDirectory()) throw new Error(`"${location.name}" is no folder`);
    return location;
  }

  /**
   * The text of a file of at most `limit` bytes. A link at the end is followed as long as it stays inside.
   * @throws Error that names what it found instead: nothing, a folder, something huge, something that is no text.
   */
  async readText(location: WorkspacePath, limit: number): Promise<TextFile> {
    return this.#read(await this.#realPath(location), location, limit);
  }

  /** As `readText`, for a file that is changed afterwards: a link is not followed. */
  async readOwnText(location: WorkspacePath, limit: number): Promise<TextFile> {
    const real = await this.#realPath(location);
    if (real !== location.absolute) throw new Error(`"${location.name}" is a link; only plain files are changed`);
    return this.#read(real, location, limit);
  }

  async #read(real: string, location: WorkspacePath, limit: number): Promise<TextFile> {
    const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat();
      if (stats.isDirectory()) throw new Error(`"${location.name}" is a folder; name a file`);
      if (!stats.isFile()) throw new Error(`"${location.name}" is not a plain file`);
      if (stats.size > limit)
        throw new Error(`"${location.name}" is too large: expected at most ${limit} bytes, found ${stats.size}`);
      await this.verify(real, handle, location);
      return { text: decodeText(await handle.readFile(), location), mode: stats.mode & 0o777 };
    } finally {
      await handle.close();
    }
  }

  /** @throws Error unless the opened file is, now, the one at this real path inside the workspace. */
  async verify(real: string, handle: FileHandle, location: WorkspacePath): Promise<void> {
    const [realNow, openedStats, currentStats] = [
      await orMissing(realpath(real)),
      await handle.stat({ bigint: true }),
      await orMissing(lstat(real, { bigint: true })),
    ];
    if (realNow !== real || !this.contains(real) || currentStats === null || !isSame(openedStats, currentStats))
      throw new Error(`"${location.name}" changed its place while it was opened; try again`);
  }

  /** Whether an absolute path is the workspace or lies in it, by its letters. */
  contains(absolute: string): boolean {
    return containsPath(this.root, absolute);
  }

  nameOf(absolute: string): string {
    return path.relative(this.root, absolute).split(path.sep).join("/");
  }

  #checkText(requestedPath: string): void {
    if (requestedPath.trim() === "") throw new Error("expected a path, found an empty one");
    if (requestedPath.length > maxPath) throw new Error(`expected a path of at most ${maxPath} characters`);
    if (requestedPath.includes("\0")) throw new Error("a path may not hold a NUL character");
    if (path.isAbsolute(requestedPath) || path.win32.isAbsolute(requestedPath))
      throw new Error(`"${requestedPath}" is an absolute path; name it relative to the workspace`);
  }

  /** The real path of a folder, the missing end of it as it is written. */
  async #resolveFolder(folder: string, requestedPath: string): Promise<string> {
    const real = await orMissing(realpath(folder));
    if (real === null) {
      if (await orMissing(lstat(folder)))
        throw new Error(`"${requestedPath}" leads through something that is no folder`);
      return path.join(await this.#resolveFolder(path.dirname(folder), requestedPath), path.basename(folder));
    }
    if (!this.contains(real)) throw new Error(`"${requestedPath}" leads out of the workspace through a link`);
    if (!(await lstat(real)).isDirectory())
      throw new Error(`"${requestedPath}" leads through something that is no folder`);
    return real;
  }

  async #realPath(location: WorkspacePath): Promise<string> {
    const real = await orMissing(realpath(location.absolute));
    if (real === null) throw new Error(`there is no "${location.name}" in the workspace`);
    if (!this.contains(real)) throw new Error(`"${location.name}" leads out of the workspace through a link`);
    if (isInGit(this.nameOf(real))) throw belongsToGit(location.name);
    return real;
  }
}

const belongsToGit = (requestedPath: string): Error =>
  new Error(`"${requestedPath}" belongs to git; files in .git are neither read nor written`);

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
  name.split("/").some((segment) => gitPattern.test(segment.replace(invisible, "")));
const gitPattern = /^(?:\.git|git~\d+)[\s.]*(?::.*)?$/i;
const invisible = /\p{Default_Ignorable_Code_Point}/gu;

function decodeText(bytes: Buffer, location: WorkspacePath): string {
  const refusal = `"${location.name}" is a binary file (${bytes.length} bytes); only UTF-8 text is read`;
  if (bytes.includes(0)) throw new Error(refusal);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(refusal);
  }
}
