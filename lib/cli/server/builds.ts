import { spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { z } from "zod";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { getQuickBuildEnv } from "@/lib/server/env";
import { hashSources } from "./source-hash.mjs";
import { isAlive } from "./stop-request";

/** Where every `next build` writes. A build begins by deleting the previous one. */
const buildFolder = ".next";
/** What servers serve: for each build a folder of links to its files, which stay until no server needs them. */
const servedFolder = ".next-served";

/** What a build leaves there that no server reads. */
const unserved = new Set([
  "build",
  "cache",
  "dev",
  "diagnostics",
  "lock",
  "trace",
  "trace-build",
  "turbopack",
  "types",
]);

/** The last file that a build writes. */
const lastFile = "export-marker.json";

/**
 * The folder, relative to the project's, of a build of the present sources that this process may serve: no other process changes
 * or deletes it while this process lives. Null when there is no such build.
 */
export function claimBuild(project: string): string | null {
  if (isPacked(project)) return buildFolder;
  const id = hashSources(project);
  const served = path.join(servedFolder, id);
  if (!existsSync(path.join(project, served)) && readBuildId(project) === id) linkBuild(project, id);
  if (!existsSync(path.join(project, served))) return null;
  writeFileSync(path.join(project, served, claimOf(process.pid)), "");
  removeUnclaimed(project, id);
  return served;
}

const buildConfigSchema = z.object({ config: z.record(z.string(), z.unknown()) });

/** The configuration of Next that a build was made with, in JSON, for the folder that it is served from. */
export function readBuildConfig(project: string, build: string): string {
  const file = path.join(project, build, "required-server-files.json");
  const { config } = parseJsonAs(readFileSync(file, "utf8"), buildConfigSchema);
  return JSON.stringify({ ...config, distDir: build, distDirRoot: build });
}

/** Whether this installation was packed (.config/pack-installation.mjs): it has one build and nothing that could replace it. */
const isPacked = (project: string): boolean => existsSync(path.join(project, "lib/cli/main.mjs"));

/** Runs `next build`, without checking types. Resolves to whether it succeeded; `signal` ends it. */
export function runBuild(project: string, signal: AbortSignal): Promise<boolean> {
  const next = createRequire(path.join(project, "package.json")).resolve("next/dist/bin/next");
  const build = spawn(process.execPath, [next, "build"], { cwd: project, stdio: "inherit", env: getQuickBuildEnv() });
  const stop = (): void => void build.kill();
  signal.addEventListener("abort", stop, { once: true });
  return new Promise((resolve) => {
    build.once("error", () => resolve(false));
    build.once("exit", (code) => {
      signal.removeEventListener("abort", stop);
      resolve(code === 0);
    });
  });
}

/** The id of the finished build that is in `.next`. */
function readBuildId(project: string): string | null {
  const folder = path.join(project, buildFolder);
  if (!existsSync(path.join(folder, lastFile)) || !existsSync(path.join(folder, "BUILD_ID"))) return null;
  return readFileSync(path.join(folder, "BUILD_ID"), "utf8").trim();
}

/** Links under a name of this process first, so that a served build is there as a whole or not at all. */
function linkBuild(project: string, id: string): void {
  const served = path.join(project, servedFolder, id);
  const unfinished = `${served}.${process.pid}`;
  try {
    linkFolder(path.join(project, buildFolder), unfinished, unserved);
    if (readBuildId(project) === id) renameSync(unfinished, served);
  } catch (error) {
    // Another build may have begun, or another server may have linked the same one.
    if (readBuildId(project) === id && !existsSync(served)) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function linkFolder(sourceFolder: string, to: string, except: ReadonlySet<string> = new Set()): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(sourceFolder, { withFileTypes: true })) {
    if (except.has(entry.name)) continue;
    const [source, target] = [path.join(sourceFolder, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) linkFolder(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(realpathSync(source), target, "junction");
    else linkFile(source, target);
  }
}

/** Not every file system has links. */
function linkFile(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    copyFileSync(source, target);
  }
}

const claimOf = (pid: number): string => `server-${pid}`;
const pidPattern = /(?:^server-|\.)(\d+)$/;

/** Deletes builds that no living process serves or is linking. */
function removeUnclaimed(project: string, currentId: string): void {
  const folder = path.join(project, servedFolder);
  for (const name of readdirSync(folder).filter((entry) => entry !== currentId)) {
    const claims = [name, ...listNames(path.join(folder, name))];
    const pids = claims.flatMap((claim) => pidPattern.exec(claim)?.[1] ?? []).map(Number);
    if (!pids.some(isAlive)) rmSync(path.join(folder, name), { recursive: true, force: true });
  }
}

/** Empty for a folder that another server has deleted meanwhile. */
const listNames = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);
