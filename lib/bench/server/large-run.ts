/**
 * `npm run bench:large-run -- [steps]`: what a run of 100,000 steps costs the started server while it runs and when it is
 * read, and what readers cost that do not read. On a new SQLite database in a temporary folder, or on DATABASE_URL.
 * `npm run build` first. Exit code 1 when a goal is missed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { formatTable } from "../write-figures";
import { ApiClient } from "./api-client";
import { AppProcess } from "./app-process";
import { startChatServer } from "./chat-server";
import { findFreePort } from "./measure";
import { estimateSlope, type Sample } from "./slope";

const stepCount = Number(process.argv[2] ?? 100_000);
/** Milliseconds without an answer to anyone, and megabytes more than before. */
const goals = { blockMs: 50, peakMb: 300 };
const stalledReaders = 20;

const folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-bench-"));
const chat = await startChatServer();
const port = await findFreePort();
const server = new AppProcess(
  "start",
  {
    PORT: String(port),
    SWARMLOOM_DATA: folder,
    DATABASE_URL: process.env.DATABASE_URL || `file:${path.join(folder, "bench.db")}`,
    COMPATIBLE_BASE_URL: chat.url,
    SWARMLOOM_DEMO_SPEED: "0",
    SWARMLOOM_SECRET: "the secret of a benchmark",
    SWARMLOOM_RUN_CONCURRENCY: "100",
  },
  { preload: path.join(import.meta.dirname, "load-probe.mjs") },
);
const api = new ApiClient(`http://127.0.0.1:${port}`);
const probeSchema = z.object({ blockMs: z.number(), peakBytes: z.number(), inUseBytes: z.number() });
const figures: string[][] = [];
let missed = 0;

const askProbe = async (message: "reset" | "read") => probeSchema.parse(await server.ask(message));
const toMb = (bytes: number): number => bytes / 1_048_576;

async function measureLoad(name: string, work: () => Promise<void>): Promise<void> {
  await askProbe("reset");
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1000;
  const { blockMs, peakBytes } = await askProbe("read");
  const isMissed = blockMs > goals.blockMs || toMb(peakBytes) > goals.peakMb;
  if (isMissed) missed++;
  figures.push([name, seconds.toFixed(1), blockMs.toFixed(0), toMb(peakBytes).toFixed(0), isMissed ? "missed" : ""]);
}

/** Takes an answer as fast as it comes, and keeps nothing of it. */
async function readAll(pathname: string): Promise<void> {
  const { body, ok, status } = await fetch(`${api.origin}${pathname}`);
  if (!ok || !body) throw new Error(`GET ${pathname}: ${status}`);
  for await (const _ of body);
}

const roundsOfLoop = 50;

/** A hundred agents in loops. Each round of an agent is two steps: its own and that of its model call. */
function toLoopSource(steps: number): string {
  const agents = Array.from({ length: 100 }, (_, index) => `a${index}`);
  const declarations = agents.map((name) => `  ${name}: { model: "demo:writer" }`).join("\n");
  const rounds = Math.ceil(steps / (2 * agents.length * roundsOfLoop));
  return `name: Large
agents:
${declarations}
loops:
  inner: { body: "${agents.join(" >> ")}", count: ${roundsOfLoop} }
  outer: { body: inner, count: ${rounds} }
swarm: { flow: outer }
`;
}

async function measureLargeRun(): Promise<void> {
  // A page loads its code when it is first asked for.
  const small = await api.startRun(await api.createFlow(toLoopSource(1)));
  await api.waitForEnd(small);
  await readAll(`/runs/${small}`);
  const flow = await api.createFlow(toLoopSource(stepCount));
  let [run, readMs] = ["", 0];
  await measureLoad(`a run of ${stepCount} steps`, async () => {
    run = await api.startRun(flow);
    await sleep(10_000);
    const start = performance.now();
    await readAll(`/api/v1/runs/${run}`);
    readMs = performance.now() - start;
    while ((await api.countUnfinished(flow)) > 0) await sleep(500);
  });
  figures.push(["its steps (/runs/:id) after 10 s of it, while it goes on", (readMs / 1000).toFixed(1), "", "", ""]);
  for (const [name, pathname] of [
    ["its steps (/runs/:id)", `/api/v1/runs/${run}`],
    ["its structure", `/api/v1/runs/${run}/structure`],
    ["its page", `/runs/${run}`],
    ["all of its events", `/api/v1/runs/${run}/events`],
    ["its trace", `/api/v1/runs/${run}/trace`],
    ["its file", `/api/v1/runs/${run}/file`],
  ] as const)
    await measureLoad(name, () => readAll(pathname));
}

/** A connection that asks for the events of a run and takes none of them. */
function openStalled(run: string): Socket {
  const socket = connect(port, "127.0.0.1").pause();
  socket.on("error", () => {});
  socket.write(`GET /api/v1/runs/${run}/events HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`);
  return socket;
}

/** By how much the memory in use grows per minute while a run streams 4,000 words a second. */
async function measureStalledReaders(readers: number): Promise<void> {
  const agents = Array.from({ length: 40 }, (_, index) => `a${index}`);
  const declarations = agents.map((name) => `  ${name}: { model: "compatible:stream" }`).join("\n");
  const flow = await api.createFlow(
    `name: Streams\nagents:\n${declarations}\nloops: { again: { body: "(${agents.join(" | ")})", count: 6 } }\nswarm: { flow: again }\n`,
  );
  const run = await api.startRun(flow);
  const sockets = Array.from({ length: readers }, () => openStalled(run));
  const samples: Sample[] = [];
  await sleep(3_000);
  await askProbe("reset");
  const start = performance.now();
  while ((await api.countUnfinished(flow)) > 0) {
    await sleep(1_000);
    const { inUseBytes } = await askProbe("read");
    samples.push({ at: (performance.now() - start) / 60_000, value: toMb(inUseBytes) });
  }
  for (const socket of sockets) socket.destroy();
  const name = `memory of a run that streams, ${readers} readers that take nothing, MB/min`;
  figures.push([name, ((performance.now() - start) / 1000).toFixed(1), "", estimateSlope(samples).toFixed(1), ""]);
}

try {
  await server.waitFor("Swarmloom is ready");
  await measureStalledReaders(0);
  await measureStalledReaders(stalledReaders);
  await measureLargeRun();
} finally {
  await server.end("SIGKILL");
  chat.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
console.log(
  formatTable(["what", "s", `longest block, ms (${goals.blockMs})`, `peak, MB (${goals.peakMb})`, ""], figures),
);
process.exit(missed > 0 ? 1 : 0);
