#!/usr/bin/env node
// The command `swarmloom`: runs main.ts from source, from whatever folder it is called in.
import { spawn } from "node:child_process";
import os from "node:os";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("../..", import.meta.url));
const main = fileURLToPath(new URL("main.ts", import.meta.url));
const command = process.argv[2];

const child = spawn(
  process.execPath,
  ["--import", import.meta.resolve("tsx"), "--conditions=react-server", main, ...process.argv.slice(2)],
  {
    stdio: "inherit",
    env: { ...process.env, TSX_TSCONFIG_PATH: `${project}tsconfig.json` },
    // The server is built and keeps its data in the project's folder; files to check and run lie in the caller's.
    ...(command === "start" && { cwd: project }),
  },
);

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`swarmloom could not start: ${error.message}`);
  process.exitCode = 1;
});
child.on("exit", (code, signal) => {
  process.exitCode = code ?? 128 + (signal ? os.constants.signals[signal] : 0);
});
