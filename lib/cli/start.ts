import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isLoopbackHost } from "@/lib/server/auth/loopback";
import { prepareToken, type StartToken, toStartAddress } from "@/lib/server/auth/token";
import { getEnv, getProjectFolder } from "@/lib/server/env";

/**
 * `swarmloom start`: builds if needed, serves, and says where. `token` makes one that every request has to show. Resolves to
 * the exit code once the server has ended.
 */
export async function start({ token: isTokenWanted = false }: { token?: boolean } = {}): Promise<number> {
  const { HOST, PORT } = getEnv();
  if (!isLoopbackHost(HOST.includes(":") ? `[${HOST}]` : HOST)) {
    console.error(
      `HOST is ${HOST}. This version has no accounts yet and listens on loopback only: use 127.0.0.1, localhost or ::1.`,
    );
    return 2;
  }
  if (PORT !== 0 && !(await isFree(HOST, PORT))) {
    console.error(`Port ${PORT} of ${HOST} is in use. Stop what listens there, or choose another: PORT=3001 npm start`);
    return 1;
  }
  const folder = getProjectFolder();
  const next = createRequire(path.join(folder, "package.json")).resolve("next/dist/bin/next");
  if (needsBuild(folder)) {
    console.log("Building Swarmloom (once after each change; about a minute) …");
    const { status } = spawnSync(process.execPath, [next, "build"], { cwd: folder, stdio: "inherit" });
    if (status !== 0) return 1;
  }
  const token = prepareToken({ make: isTokenWanted });
  const server = spawn(process.execPath, [next, "start", "-H", HOST, "-p", String(PORT)], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = new Promise<number>((resolve) =>
    server.once("exit", (code, signal) => resolve(signal === null ? (code ?? 1) : 0)),
  );
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => server.kill(signal));
  const url = `http://${HOST.includes(":") ? `[${HOST}]` : HOST}:${PORT}`;
  void announce(url, token, () => server.exitCode === null);
  return ended;
}

/** The first health check opens the database: migrations run, and what an earlier process left unfinished is ended. */
async function announce(url: string, token: StartToken | null, isAlive: () => boolean): Promise<void> {
  const headers: HeadersInit = token === null ? {} : { authorization: `Bearer ${token.value}` };
  for (let tries = 0; tries < 600 && isAlive(); tries++) {
    const answer = await fetch(`${url}/api/health`, { headers }).catch(() => null);
    if (answer?.ok) return console.log(`Swarmloom is ready: ${toStartAddress(url, token)}`);
    if (answer) return console.error(`Swarmloom listens on ${url}, but is not well: ${await answer.text()}`);
    await sleep(100);
  }
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}

const sources = ["app", "lib", "prisma", "proxy.ts", "next.config.js", "package-lock.json", "tsconfig.json"];

/** Whether there is no build, or something that goes into it is newer. */
function needsBuild(folder: string): boolean {
  const stamp = path.join(folder, ".next/BUILD_ID");
  return !existsSync(stamp) || sources.some((name) => newest(path.join(folder, name)) > statSync(stamp).mtimeMs);
}

function newest(place: string): number {
  const found = statSync(place);
  if (!found.isDirectory()) return found.mtimeMs;
  const files = readdirSync(place, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.includes(".test."),
  );
  return Math.max(0, ...files.map((entry) => statSync(path.join(entry.parentPath, entry.name)).mtimeMs));
}
