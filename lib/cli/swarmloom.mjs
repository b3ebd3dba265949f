#!/usr/bin/env node
// The command `swarmloom`: runs main.ts, from whatever folder it is called in.
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const project = fileURLToPath(new URL("../..", import.meta.url));
/** In an installation that was packed (.config/pack-installation.mjs), which has neither sources nor a compiler. */
const packedMain = fileURLToPath(new URL("main.mjs", import.meta.url));
const isServer = ["start", "worker"].includes(process.argv[2]);

if (isServer) {
  process.env.NODE_ENV = "production";
  await import("../../.config/no-telemetry.mjs");
  // The server is built and keeps its data in the project's folder. Files to check and to run are in the caller's.
  process.chdir(project);
}
// npx calls a link in its cache; what reads this looks for the installation.
process.argv[1] = fileURLToPath(import.meta.url);
try {
  await import(pathToFileURL(existsSync(packedMain) ? packedMain : await bundle()).href);
} catch (error) {
  // Next catches what nobody else does and would keep the process.
  console.error(error);
  process.exitCode = 1;
}
if (isServer) process.exit();

/** Takes 0.3 s. A loader that compiles while it runs takes as long, and would keep a thread and a compiler beside a server. */
async function bundle() {
  const { bundleCommandLine } = await import("./bundle.mjs");
  return bundleCommandLine(path.join(project, "node_modules/.swarmloom"));
}
