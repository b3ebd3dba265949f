/**
 * `npm run bench:server -- [workers]`: what the started server does under load, with models on a loopback port. On a new
 * SQLite database in a temporary folder, or on DATABASE_URL, where any number of workers can drive the runs.
 * `npm run build` first.
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { formatTable } from "../write-figures";
import { ApiClient } from "./api-client";
import { AppProcess } from "./app-process";
import { startChatServer, streamed } from "./chat-server";
import { findFreePort, measure, quantile } from "./measure";

const workerCount = Number(process.argv[2] ?? 0);
const folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-bench-"));
const chat = await startChatServer();
const port = await findFreePort();
const env = {
  PORT: String(port),
  SWARMLOOM_DATA: folder,
  DATABASE_URL: process.env.DATABASE_URL ?? `file:${path.join(folder, "bench.db")}`,
  COMPATIBLE_BASE_URL: chat.url,
  SWARMLOOM_DEMO_SPEED: "0",
  SWARMLOOM_SECRET: "the secret of a benchmark",
  SWARMLOOM_RUN_CONCURRENCY: "100",
};
const api = new ApiClient(`http://127.0.0.1:${port}`);
const figures: [name: string, value: string][] = [];

const addTimes = (name: string, values: readonly number[]): void => {
  const [p50, p95] = [quantile(values, 0.5), quantile(values, 0.95)].map((value) => value.toFixed(value < 10 ? 2 : 0));
  figures.push([`${name}, p50 and p95 of ${values.length}, ms`, `${p50} ${p95}`]);
};

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `a${index}`);
const toSource = (agents: readonly string[], model: string, operator: string): string =>
  `name: Bench\nagents:\n${agents.map((name) => `  ${name}: { model: "${model}" }`).join("\n")}\nswarm: { flow: (${agents.join(` ${operator} `)}) }\n`;

async function startServer(): Promise<AppProcess> {
  const server = new AppProcess("start", env);
  await server.waitFor("Swarmloom is ready");
  return server;
}

async function startWorkers(count: number): Promise<AppProcess[]> {
  const workers = Array.from({ length: count }, () => new AppProcess("worker", env));
  for (const worker of workers) await worker.waitFor("the worker is ready");
  // The server leaves the runs to them from its next heartbeat on.
  if (count > 0) await sleep(2_500);
  return workers;
}

/** From a request to the first event of the run, while nothing else happens. */
async function measureStart(): Promise<void> {
  const flow = await api.createFlow(toSource(["a"], "compatible:instant", ">>"));
  const times: number[] = [];
  for (let round = -5; round < 40; round++) {
    const time = await measure(async () => {
      for await (const event of api.follow(await api.startRun(flow))) if (event.type === "run.started") break;
    });
    if (round >= 0) times.push(time);
    await sleep(30);
  }
  addTimes("start of a run when idle", times);
}

/** What a step takes in the running server beyond the same call made directly. */
async function measureSteps(): Promise<void> {
  const steps = 100;
  const flow = await api.createFlow(toSource(names(steps), "compatible:instant", ">>"));
  const request = JSON.stringify({ model: "instant", stream: true, messages: [{ role: "user", content: "go" }] });
  const headers = { "content-type": "application/json" };
  const askDirectly = async (): Promise<void> => {
    for (let step = 0; step < steps; step++)
      await (await fetch(`${chat.url}/chat/completions`, { method: "POST", headers, body: request })).text();
  };
  const [direct, driven]: [number[], number[]] = [[], []];
  for (let round = -15; round < 25; round++) {
    const directMs = await measure(askDirectly);
    const id = await api.startRun(flow);
    // Seldom asked: reading a run that is under way takes time from it.
    do await sleep(300);
    while ((await api.readRun(id)).durationMs == null);
    if (round < 0) continue;
    direct.push(directMs / steps);
    driven.push(((await api.readRun(id)).durationMs ?? 0) / steps);
  }
  figures.push(["the same call made directly, median, ms", quantile(direct, 0.5).toFixed(2)]);
  figures.push([`a step of ${steps} in the server, median, ms`, quantile(driven, 0.5).toFixed(2)]);
}

/** The times of requests that begin at once. */
const measureBurst = (count: number, request: () => Promise<unknown>): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, () => measure(request)));

async function measurePosts(): Promise<void> {
  const flow = await api.createFlow(toSource(names(5), "demo:writer", ">>"));
  const [times, health, refused]: [number[], number[], number[]] = [[], [], []];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      health.push(await measure(() => api.checkHealth()));
      await sleep(10);
    }
  })();
  for (let round = 0; round < 5; round++) {
    times.push(quantile(await measureBurst(200, () => api.startRun(flow)), 0.95));
    while ((await api.countUnfinished(flow)) > 0) await sleep(100);
  }
  isOver = true;
  await watching;
  for (let round = 0; round < 5; round++)
    refused.push(quantile(await measureBurst(200, () => api.startRun("none").catch(() => {})), 0.95));
  const list = (values: readonly number[]): string => values.map((value) => value.toFixed(0)).join(" ");
  figures.push(["200 runs of five steps posted at once, p95 of each of 5 rounds, ms", list(times)]);
  figures.push(["200 requests that are answered with 404, p95 of each of 5 rounds, ms", list(refused)]);
  addTimes("health check meanwhile", health);
}

/** Runs with a model in the process: what storing allows. */
async function measureThroughput(): Promise<void> {
  const [runs, steps] = [60, 100];
  const flow = await api.createFlow(toSource(names(steps), "demo:writer", ">>"));
  await api.waitForEnd(await api.startRun(flow));
  const ms = await measure(async () => {
    const ids = await Promise.all(Array.from({ length: runs }, () => api.startRun(flow)));
    while ((await api.countUnfinished(flow)) > 0) await sleep(50);
    for (const id of ids) if ((await api.readRun(id)).status !== "SUCCESS") throw new Error(`run ${id} failed`);
  });
  figures.push([`runs of ${steps} simulated steps a second, ${runs} at once`, ((runs * 1000) / ms).toFixed(1)]);
}

/** From a word to its arrival at a reader. */
async function measureStreams(): Promise<void> {
  const agents = names(46);
  const flow = await api.createFlow(toSource(agents, "compatible:stream", "|"));
  const id = await api.startRun(flow);
  const delays: number[] = [];
  let started = 0;
  let ended = 0;
  for await (const event of api.follow(id)) {
    if (event.type !== "text.appended") continue;
    started ||= event.at;
    ended = event.at;
    delays.push(Date.now() - event.at);
  }
  const words = agents.length * streamed.pieces;
  figures.push(["words a second in one run", ((words * 1000) / (ended - started)).toFixed(0)]);
  addTimes("from a word to a reader", delays);
}

/** From a SIGKILL to the first event of the run in the next process, with the lease of the product. */
async function measureResume(server: AppProcess, workers: AppProcess[]): Promise<AppProcess> {
  const id = await api.startRun(await api.createFlow(toSource(["a"], "compatible:slow", ">>")));
  for await (const event of api.follow(id)) if (event.type === "request.sent") break;
  const other = workers.length > 0 ? (await startWorkers(1))[0] : undefined;
  const killedAt = Date.now();
  for (const child of workers.length > 0 ? workers : [server]) await child.end("SIGKILL");
  if (other) workers.push(other);
  const current = other ? server : await startServer();
  for await (const event of api.follow(id)) {
    if (event.type !== "run.resumed") continue;
    figures.push([
      "from a SIGKILL to the first event of the resumed run, s",
      ((event.at - killedAt) / 1000).toFixed(1),
    ]);
    break;
  }
  return current;
}

let server = await startServer();
const workers = await startWorkers(workerCount);
try {
  await measureStart();
  await measureSteps();
  await measurePosts();
  await measureThroughput();
  await measureStreams();
  server = await measureResume(server, workers);
} finally {
  for (const child of [server, ...workers]) await child.end("SIGKILL");
  chat.close();
}
console.log(formatTable(["figure", "value"], figures));
rmSync(folder, { recursive: true, force: true });
process.exit(0);
