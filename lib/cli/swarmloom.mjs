#!/usr/bin/env node
// The command `swarmloom`: runs main.ts from source, from whatever folder it is called in.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const project = fileURLToPath(new URL("../..", import.meta.url));
const main = fileURLToPath(new URL("main.ts", import.meta.url));

if (["start", "worker"].includes(process.argv[2])) await start();
else run();

/**
 * A server is this process alone: compiling main.ts by a loader would keep a thread and a compiler beside it. It is
 * bundled instead, which takes 0.1 s; packages, and the commands that are not wanted, stay outside.
 */
async function start() {
  process.env.NODE_ENV = "production";
  await import("../../.config/no-telemetry.mjs");
  // The server is built and keeps its data in the project's folder.
  process.chdir(project);
  // npx calls a link in its cache; what reads this looks for the installation.
  process.argv[1] = main;
  try {
    await import(pathToFileURL(await bundle()).href);
  } catch (error) {
    // Next catches what nobody else does and would keep the process.
    console.error(error);
    process.exitCode = 1;
  }
  process.exit();
}

/** In `node_modules`, where its imports are found; as far below the project as main.ts, which looks for package.json. */
async function bundle() {
  const { build, stop } = await import("esbuild");
  const { outputFiles } = await build({
    absWorkingDir: project,
    entryPoints: [main],
    outdir: path.join(project, "node_modules/.swarmloom"),
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    external: ["./commands/*-command"],
    alias: { "server-only": path.join(project, "node_modules/server-only/empty.js") },
    logLevel: "error",
  });
  await stop();
  const [output] = outputFiles;
  const file = path.join(path.dirname(output.path), `start-${output.hash.replace(/\W/g, "")}.mjs`);
  if (existsSync(file)) return file;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, output.contents);
  renameSync(`${file}.${process.pid}`, file);
  return file;
}

/** Files to check and to run lie in the caller's folder. */
function run() {
  const child = spawn(
    process.execPath,
    ["--import", import.meta.resolve("tsx"), "--conditions=react-server", main, ...process.argv.slice(2)],
    { stdio: "inherit", env: { ...process.env, TSX_TSCONFIG_PATH: `${project}tsconfig.json` } },
  );
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    console.error(`swarmloom could not start: ${error.message}`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? 128 + (signal ? os.constants.signals[signal] : 0);
  });
}
