import { openSync, statSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Api } from "../fixtures/api";
import { findFreePort } from "../fixtures/app-server";
import { listTree, readMemory, StartedServer } from "../fixtures/started-server";
import { expect, test } from "../fixtures/test";

test.describe.configure({ timeout: 120_000 });

const isServing = (url: string): Promise<boolean> =>
  fetch(`${url}/api/health`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Exit code or signal of the started process. npm does not catch SIGHUP: it is killed by it, and the server notices. */
const stops = [
  ["node", "SIGTERM", 0],
  ["node", "SIGINT", 0],
  ["node", "SIGHUP", 0],
  ["npm", "SIGTERM", 0],
  ["npm", "SIGINT", 0],
  ["npm", "SIGHUP", "SIGHUP"],
  ["npm", "SIGKILL", "SIGKILL"],
  ["npx", "SIGTERM", "SIGTERM"],
] as const;

for (const [command, signal, end] of stops)
  test(`a server started by ${command} leaves no process after ${signal}`, async () => {
    const server = new StartedServer(command);
    try {
      const url = await server.waitUntilReady();
      server.launcher.kill(signal);
      expect(await server.ended).toBe(end);
      expect(await server.isGone()).toBe(true);
      expect(await isServing(url)).toBe(false);
      expect(server.log.at(-1)).toMatchObject({ msg: "the server has stopped" });
    } finally {
      await server.discard();
    }
  });

test("a server that a request held for over a second fails the test that used it", async () => {
  const fixture = pathToFileURL(path.join(import.meta.dirname, "../fixtures/hold-loop.mjs"));
  const server = new StartedServer("node", { env: { NODE_OPTIONS: `--import ${fixture.href}` } });
  let failure: unknown;
  try {
    const url = await server.waitUntilReady();
    const isReported = async (): Promise<boolean> => {
      await fetch(`${url}/api/health`, { headers: { "x-hold-ms": "1200" } });
      return server.log.some(({ heldMs, loadedModules }) => Number(heldMs) > 1_000 && loadedModules === 0);
    };
    // The first request loads the code of the page.
    await expect.poll(isReported, { intervals: [1_500] }).toBe(true);
  } finally {
    failure = await server.discard().catch((error: unknown) => error);
  }
  expect(String(failure)).toMatch(/The event loop was held for over 1000 ms:\n.*"heldMs":1\d{3}/);
});

test("npm start fails when its server is killed", async () => {
  const server = new StartedServer("npm");
  try {
    await server.waitUntilReady();
    process.kill(server.pid, "SIGKILL");
    expect(await server.ended).toBe("SIGKILL");
  } finally {
    await server.discard();
  }
});

test("SIGTERM hands runs back: the next server goes on with them, and so do clients that follow one", async ({
  wire,
}) => {
  const env = { OPENAI_API_KEY: "sk-loopback-openai", OPENAI_BASE_URL: `${wire.url}/v1` };
  const server = new StartedServer("npm", { env });
  try {
    const api = new Api(await server.waitUntilReady());
    const { id } = await api.createFlow(
      `agents:\n  late: { model: "openai:slow-1" }\nswarm: { type: workflow, flow: late }\n`,
    );
    const runId = await api.startRun(id, "go");
    await api.waitForStep(runId, "late", "RUNNING");
    const url = await server.waitUntilReady();
    const events = await fetch(`${url}/api/v1/runs/${runId}/events`);
    server.launcher.kill("SIGTERM");
    const first = await events.text();
    expect(first).not.toContain("run.finished");
    expect(await server.ended).toBe(0);

    const next = new StartedServer("node", { dataFolder: server.dataFolder, env });
    const nextUrl = await next.waitUntilReady();
    const [lastId = ""] = first.match(/(?<=^id: )\d+/gm)?.slice(-1) ?? [];
    const rest = await fetch(`${nextUrl}/api/v1/runs/${runId}/events`, { headers: { "last-event-id": lastId } });
    const ids = `${first}\n${await rest.text()}`.match(/(?<=^id: )\d+/gm)?.map(Number) ?? [];
    expect(ids).toEqual(ids.map((_, index) => index + 1));
    const run = await new Api(nextUrl).getRun(runId);
    expect([run.status, run.output.text]).toEqual(["SUCCESS", "answer 1"]);
    next.launcher.kill("SIGTERM");
    expect(await next.ended).toBe(0);
  } finally {
    await server.discard();
  }
});

/** A server with a request whose body never arrives. */
async function startBusyServer(): Promise<StartedServer> {
  const server = new StartedServer("node");
  const url = new URL(await server.waitUntilReady());
  const socket = connect(Number(url.port), url.hostname);
  socket.on("error", () => undefined);
  socket.write(`POST /api/v1/flows HTTP/1.1\r\nHost: ${url.host}\r\nContent-Length: 100\r\n\r\n{`);
  await new Promise((resolve) => setTimeout(resolve, 200));
  return server;
}

test("a request that never ends does not keep the server from stopping", async () => {
  const server = await startBusyServer();
  try {
    const before = Date.now();
    server.launcher.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    expect(Date.now() - before).toBeLessThan(8_000);
  } finally {
    await server.discard();
  }
});

test("a second signal ends a server that is stopping", async () => {
  const server = await startBusyServer();
  const signals = setInterval(() => server.launcher.kill("SIGTERM"), 50);
  try {
    expect(await server.ended).toBe(143);
  } finally {
    clearInterval(signals);
    await server.discard();
  }
});

test("two simultaneous starts: one serves, the other reports that the port is in use", async () => {
  const env = { PORT: String(await findFreePort()) };
  const servers = [new StartedServer("npm", { env }), new StartedServer("npm", { env })];
  try {
    const [first] = await Promise.race(servers.map(async (server) => [await server.ended, server] as const));
    expect(first).toBe(1);
    const outputs = servers.map(({ output }) => output);
    expect(outputs.filter((output) => /Port \d+ of 127\.0\.0\.1 is in use/.test(output))).toHaveLength(1);
    await expect.poll(() => isServing(`http://127.0.0.1:${env.PORT}`)).toBe(true);
  } finally {
    for (const { launcher } of servers) launcher.kill("SIGTERM");
    for (const { ended } of servers) await ended;
  }
});

test("npm start is npm and one server, under 300 MB when idle", async () => {
  test.skip(process.platform !== "linux", "reads /proc");
  const server = new StartedServer("npm");
  try {
    await server.waitUntilReady();
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const tree = listTree(Number(server.launcher.pid));
    expect(tree).toEqual([server.launcher.pid, server.pid]);
    expect(tree.map(readMemory).reduce((sum, memory) => sum + memory)).toBeLessThan(300);
  } finally {
    await server.discard();
  }
});

test("the log is on standard output and in the data folder, readable by its user only", async () => {
  const server = new StartedServer("node");
  try {
    await server.waitUntilReady();
    expect(server.log).toContainEqual(expect.objectContaining({ msg: "the server is starting", level: 30 }));
    expect(server.output).toContain(`"msg":"the server is starting"`);
    const file = path.join(server.dataFolder, "logs/swarmloom.log");
    expect([file, path.dirname(file)].map((name) => (statSync(name).mode & 0o777).toString(8))).toEqual(["600", "700"]);
  } finally {
    await server.discard();
  }
});

test("a full disk for standard output and the log does not stop the server", async () => {
  test.skip(process.platform !== "linux", "needs /dev/full");
  const port = await findFreePort();
  const server = new StartedServer("node", { stdout: openSync("/dev/full", "w"), env: { PORT: String(port) } });
  try {
    await expect.poll(() => isServing(`http://127.0.0.1:${port}`), { timeout: 60_000 }).toBe(true);
    await fetch(`http://127.0.0.1:${port}/api/v1/runs/none/events`);
    expect(await isServing(`http://127.0.0.1:${port}`)).toBe(true);
  } finally {
    await server.discard();
  }
});

test("pages are compressed and connections are kept alive", async ({ app }) => {
  const answer = await fetch(app.url, { headers: { "accept-encoding": "gzip" } });
  expect(answer.headers.get("content-encoding")).toBe("gzip");
  expect(answer.headers.get("keep-alive")).toBe("timeout=65");
});
