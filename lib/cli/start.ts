import { setTimeout as sleep } from "node:timers/promises";
import { hasAccounts } from "@/lib/server/accounts/sign-up-rules";
import { isEveryAddress } from "@/lib/server/auth/loopback";
import { findLinkOrigin, isTeamMode } from "@/lib/server/auth/team-mode";
import { prepareToken, type StartToken, toSignUpAddress, toStartAddress } from "@/lib/server/auth/token";
import { LiveUpgrades } from "@/lib/server/collaboration/upgrade";
import { getDb } from "@/lib/server/db";
import {
  EnvironmentError,
  getDatabaseLocation,
  getEnv,
  getProjectFolder,
  setNextConfig,
  setPort,
} from "@/lib/server/env";
import { guardListener } from "@/lib/server/http/request-listener";
import { logger } from "@/lib/server/log/logger";
import { logConsole, openServerLog } from "@/lib/server/log/server-log";
import { watchLoopHolds } from "@/lib/server/metrics/loop-holds";
import { claimBuild, readBuildConfig, runBuild } from "./server/builds";
import { ServerListener } from "./server/listener";
import { type NextApp, openNextApp } from "./server/next-app";
import { ignoreOutputErrors } from "./server/output-errors";
import { waitForStopRequest } from "./server/stop-request";

/** How long requests at work may take once the runs have ended. */
const requestGraceMs = 1_000;
/** When a shutdown is given up; runs take 5 s of it at most. */
const shutdownMs = 8_000;
const longestCheckWaitMs = 30_000;

/**
 * `swarmloom start`: takes the port, builds if needed, serves, and prints the address. Resolves to the exit code: 0 stopped as
 * asked, 1 it could not start or stop, 2 settings that cannot be used. `token` makes one that every request has to show.
 */
export async function start({ token: isTokenWanted = false }: { token?: boolean } = {}): Promise<number> {
  const { HOST, PORT, SWARMLOOM_DATA } = getEnv();
  const host = HOST.includes(":") ? `[${HOST}]` : HOST;
  const folderProblem = makeDatabaseFolder();
  if (folderProblem !== null) {
    console.error(folderProblem);
    return 2;
  }
  ignoreOutputErrors();
  const stopRequest = waitForStopRequest();
  const listener = new ServerListener();
  try {
    await listener.listen(HOST, PORT);
  } catch (error) {
    console.error(explainListenError(error, HOST, PORT));
    return 1;
  }
  const project = getProjectFolder();
  const build = claimBuild(project) ?? (await makeBuild(project, stopRequest));
  if (build === "stopped") return 0;
  if (build === null) return 1;
  setNextConfig(readBuildConfig(project, build));
  setPort(listener.port);
  openServerLog(SWARMLOOM_DATA, process.stdout);
  logConsole();
  logger.info({ port: listener.port, build }, "the server is starting");
  const token = prepareToken({ make: isTokenWanted || isTeamMode() });
  const app = await openNextApp({ folder: project, hostname: HOST, port: listener.port });
  listener.handle = guardListener(app.handle);
  watchLoopHolds();
  const upgrades = new LiveUpgrades();
  listener.upgrade = (request, socket, head) => void upgrades.answer(request, socket, head);
  let isStopping = false;
  void stopRequest.then(() => {
    isStopping = true;
  });
  const reachableHost = isEveryAddress(HOST) ? toLoopback(host) : host;
  void announce(`http://${reachableHost}:${listener.port}`, token, () => isStopping).then(() => upgrades.saveUnsaved());
  logger.info({ reason: await stopRequest }, "the server is stopping");
  return await shutDown(listener, app, upgrades);
}

function makeDatabaseFolder(): string | null {
  try {
    getDatabaseLocation();
    return null;
  } catch (error) {
    if (error instanceof EnvironmentError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    return `The folder of the database cannot be made: ${reason}. SWARMLOOM_DATA or DATABASE_URL can name another.`;
  }
}

function explainListenError(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE")
    return `Port ${port} of ${host} is in use. Stop what listens there, or choose another: PORT=3001 npm start`;
  if (code === "EACCES") return `Port ${port} may not be used by this user. Choose one above 1023: PORT=3001 npm start`;
  return `${host}:${port} cannot be used: ${error instanceof Error ? error.message : String(error)}`;
}

async function makeBuild(project: string, stopRequest: Promise<string>): Promise<string | null | "stopped"> {
  console.log("Building Swarmloom (once after each change; about a minute) …");
  const stop = new AbortController();
  void stopRequest.then(() => stop.abort());
  const isBuilt = await runBuild(project, stop.signal);
  if (stop.signal.aborted) return "stopped";
  const build = isBuilt ? claimBuild(project) : null;
  if (isBuilt && build === null) console.error("The sources changed during the build. Start again.");
  return build;
}

/**
 * Prints the address once the server is healthy. The first health check starts the services: migrations run, and the
 * unfinished runs of an earlier process end. A check that failed is repeated, because a failed start begins anew with the
 * next request: a database that is not there yet, or locked, ends nothing. Each reason is printed once.
 */
async function announce(url: string, token: StartToken | null, isStopping: () => boolean): Promise<void> {
  const headers: HeadersInit = token === null ? {} : { authorization: `Bearer ${token.value}` };
  let lastReason = "";
  for (let wait = 100; !isStopping(); await sleep(wait)) {
    const answer = await fetch(`${url}/api/health`, { headers }).catch(() => null);
    if (answer?.ok) return console.log(await toReadyMessage(url, token));
    if (answer === null) continue;
    const reason = await answer.text();
    if (reason !== lastReason)
      console.error(`Swarmloom listens on ${url}, but its health check failed, and is repeated: ${reason}`);
    lastReason = reason;
    wait = Math.min(2 * wait, longestCheckWaitMs);
  }
}

/** Of all addresses of this machine, which the server listens on, one that this machine reaches. */
const toLoopback = (host: string): string => (host.includes(":") ? "[::1]" : "127.0.0.1");

const missingLinkOrigin =
  "It listens on every address, and does not know the one that users open: it makes no invitations, share links and links for new passwords. Set SWARMLOOM_URL, e.g. SWARMLOOM_URL=http://192.168.1.5:3000";

/** The address to open; where people sign in and no one has an account, the one that makes the first. */
async function toReadyMessage(url: string, token: StartToken | null): Promise<string> {
  if (!isTeamMode()) return `Swarmloom is ready: ${toStartAddress(url, token)}`;
  const linkOrigin = findLinkOrigin();
  const origin = linkOrigin ?? url;
  const isFirstVisit = token !== null && !(await hasAccounts(await getDb()));
  return [
    `Swarmloom is ready: ${origin}`,
    ...(linkOrigin === null ? [missingLinkOrigin] : []),
    ...(isFirstVisit ? [`Create the first account: ${toSignUpAddress(origin, token)}`] : []),
  ].join("\n");
}

/** Ends the runs first: who follows one still receives its end. */
async function shutDown(listener: ServerListener, app: NextApp, upgrades: LiveUpgrades): Promise<number> {
  const closing = (async () => {
    const closed = listener.close();
    await upgrades.close();
    await globalThis.swarmloomServices?.endRuns();
    await Promise.race([closed, sleep(requestGraceMs)]);
    // Responses that are still being sent.
    listener.server.closeAllConnections();
    await closed;
    await app.close();
    await globalThis.swarmloomServices?.closeDatabase();
    return 0;
  })();
  const late = sleep(shutdownMs, 1);
  const code = await Promise.race([closing, late]);
  if (code === 0) logger.info("the server has stopped");
  else logger.error("the server did not stop in time: it ends without closing everything");
  return code;
}
