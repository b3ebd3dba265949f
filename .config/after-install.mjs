// Runs after every `npm ci`, and when `npx swarmloom` links the project into npm's cache, also while a server is running.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import "./no-telemetry.mjs";

const project = path.dirname(import.meta.dirname);

/** Generates the Prisma client, unless the present one was made from the same schema by the same version. */
function generateClient() {
  const prisma = createRequire(import.meta.url).resolve("prisma/package.json");
  const { version, bin } = JSON.parse(readFileSync(prisma, "utf8"));
  const source = createHash("sha256")
    .update(`${version}\n`)
    .update(readFileSync(path.join(project, "prisma/schema.prisma")))
    .digest("hex");
  const client = path.join(project, "prisma/generated");
  const stamp = path.join(client, ".made-from");
  if (existsSync(path.join(client, "client.ts")) && existsSync(stamp) && readFileSync(stamp, "utf8") === source) return;
  // Prisma refuses to write into a folder that is damaged.
  rmSync(client, { recursive: true, force: true });
  const command = [path.join(path.dirname(prisma), bin.prisma), "generate", "--config", "prisma/prisma.config.ts"];
  const { status } = spawnSync(process.execPath, command, { cwd: project, stdio: "inherit" });
  if (status === 0) writeFileSync(stamp, source);
  process.exitCode = status ?? 1;
}

/** `npm start` begins with `exec`, so that no shell stays between npm and the server. Windows has no such command: this one runs its arguments. */
function makeExecCommand() {
  const folder = path.join(project, "node_modules/.bin");
  if (process.platform === "win32" && existsSync(folder)) writeFileSync(path.join(folder, "exec.cmd"), "@%*\r\n");
}

generateClient();
makeExecCommand();
