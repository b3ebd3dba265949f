// Runs after every `npm ci`, and when `npx swarmloom` links the project into npm's cache, also while a server is running.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import "./no-telemetry.mjs";

const project = path.dirname(import.meta.dirname);

const databases = /** @type {const} */ (["sqlite", "postgresql"]);
const generated = path.join(project, "prisma/generated");

/** Generates the Prisma clients, one for each database, unless the present ones were made from the same schema by the same version. */
async function generateClients() {
  const prisma = createRequire(import.meta.url).resolve("prisma/package.json");
  const { version, bin } = JSON.parse(readFileSync(prisma, "utf8"));
  const schema = readFileSync(path.join(project, "prisma/schema.prisma"), "utf8");
  const source = createHash("sha256").update(`${version} ${databases}\n`).update(schema).digest("hex");
  const stamp = path.join(generated, ".made-from");
  const arePresent = databases.every((database) => existsSync(path.join(generated, database, "client.ts")));
  if (arePresent && existsSync(stamp) && readFileSync(stamp, "utf8") === source) return;
  // Prisma refuses to write into a folder that is damaged.
  rmSync(generated, { recursive: true, force: true });
  mkdirSync(generated);
  const command = path.join(path.dirname(prisma), bin.prisma);
  const codes = await Promise.all(databases.map((database) => generateClient(command, database, schema)));
  const failure = codes.find((code) => code !== 0);
  if (failure === undefined) writeFileSync(stamp, source);
  else process.exitCode = failure;
}

/**
 * Generates the client of one database from the one schema, with its provider and folder. Resolves to the exit code.
 * @param {string} command
 * @param {typeof databases[number]} database
 * @param {string} schema
 */
function generateClient(command, database, schema) {
  const file = path.join(generated, `.${database}.prisma`);
  const change = (text, from, to) => {
    if (!text.includes(from)) throw new Error(`prisma/schema.prisma has no line ${from}`);
    return text.replace(from, to);
  };
  const withFolder = change(schema, 'output       = "./generated/sqlite"', `output       = "./${database}"`);
  writeFileSync(file, change(withFolder, 'provider = "sqlite"', `provider = "${database}"`));
  const options = ["generate", "--config", "prisma/prisma.config.ts", "--schema", file];
  const child = spawn(process.execPath, [command, ...options], { cwd: project, stdio: "inherit" });
  return new Promise((resolve) => child.on("close", (code) => resolve(code ?? 1)));
}

/** `npm start` begins with `exec`, so that no shell stays between npm and the server. Windows has no such command: this one runs its arguments. */
function makeExecCommand() {
  const folder = path.join(project, "node_modules/.bin");
  if (process.platform === "win32" && existsSync(folder)) writeFileSync(path.join(folder, "exec.cmd"), "@%*\r\n");
}

await generateClients();
makeExecCommand();
