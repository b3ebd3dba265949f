/**
 * `npm run soak -- [minutes]`: whether the started production server keeps its memory under mixed load, 30 minutes unless
 * told otherwise. Prints its memory and the load of each interval, and at the end by how much the memory that is in use
 * after a garbage collection grew per minute, the first fifth of the time left out (of less than 10 minutes the first half).
 * Exit code 1 when that is above the limit, or when any answer was wrong. On a new SQLite database, or on DATABASE_URL.
 * `npm run build` first.
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { ApiClient } from "../server/api-client";
import { AppProcess } from "../server/app-process";
import { startChatServer } from "../server/chat-server";
import { findFreePort, quantile } from "../server/measure";
import { estimateSlope, type Sample } from "../server/slope";
import { MixedLoad } from "./mixed-load";

const minutes = Number(process.argv[2] ?? 30);
if (!(minutes >= 1)) throw new Error(`expected a number of minutes, at least 1, found ${process.argv[2]}`);
/** On a machine that does other work the code of all pages is compiled late. */
const warmUpMs = minutes < 10 ? minutes * 30_000 : minutes * 12_000;
const everyMs = Math.min(Math.max((minutes * 60_000) / 40, 5_000), 30_000);
const memorySchema = z.object({ rss: z.number(), heapUsed: z.number(), external: z.number() });
const toMegabytes = (bytes: number): number => bytes / 1_048_576;

/**
 * Megabytes per minute. Caches and compiled code still grow a little after the warm-up, and the runs that are under way
 * differ from sample to sample: over few minutes both weigh more. A leak of 2 KB in each of 1,000 requests or steps a
 * minute is 2 MB.
 */
const limit = minutes < 10 ? 3 : 0.5;

const folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-soak-"));
const chat = await startChatServer();
const port = await findFreePort();
const server = new AppProcess(
  "start",
  {
    PORT: String(port),
    SWARMLOOM_DATA: folder,
    DATABASE_URL: process.env.DATABASE_URL || `file:${path.join(folder, "soak.db")}`,
    COMPATIBLE_BASE_URL: chat.url,
    SWARMLOOM_DEMO_SPEED: "0",
    SWARMLOOM_SECRET: "the secret of a soak test",
  },
  { preload: path.join(import.meta.dirname, "memory-probe.mjs") },
);
const load = new MixedLoad(new ApiClient(`http://127.0.0.1:${port}`));
const samples: Record<"heap" | "rss", Sample[]> = { heap: [], rss: [] };

async function takeSample(startedAt: number): Promise<void> {
  const { rss, heapUsed, external } = memorySchema.parse(await server.ask("memory"));
  const at = (performance.now() - startedAt) / 60_000;
  const [heapMb, rssMb] = [toMegabytes(heapUsed + external), toMegabytes(rss)];
  if (performance.now() - startedAt >= warmUpMs) {
    samples.heap.push({ at, value: heapMb });
    samples.rss.push({ at, value: rssMb });
  }
  const reads = load.takeReadTimes();
  const counts = Object.entries(load.counts).map(([name, count]) => `${count} ${name}`);
  console.log(
    `${at.toFixed(1)} min: in use ${heapMb.toFixed(1)} MB, RSS ${rssMb.toFixed(0)} MB, reads p95 ${quantile(reads, 0.95).toFixed(0)} ms; ${counts.join(", ")}`,
  );
}

/** Resolves to why it failed; null: it did not. */
async function soak(): Promise<string | null> {
  await server.waitFor("Swarmloom is ready");
  await load.start();
  const startedAt = performance.now();
  while (performance.now() - startedAt < minutes * 60_000) {
    await sleep(everyMs);
    load.check();
    await takeSample(startedAt);
  }
  await load.stop();
  load.check();
  const [heap, rss] = [estimateSlope(samples.heap), estimateSlope(samples.rss)];
  console.log(
    `After ${(warmUpMs / 60_000).toFixed(1)} minutes memory in use grew by ${heap.toFixed(2)} MB a minute (limit ${limit}), RSS by ${rss.toFixed(2)}: ${samples.heap.length} samples.`,
  );
  if (heap <= limit) return null;
  return `the memory in use grew by ${heap.toFixed(2)} MB a minute, at most ${limit} is expected: something is kept that no one needs any more. Take heap snapshots (node --inspect) of the server after few and after many rounds, and compare them.`;
}

let reason: string | null = "it was interrupted";
try {
  reason = await soak();
} catch (error) {
  reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
} finally {
  await server.end("SIGKILL");
  chat.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
if (reason !== null) console.error(`The soak failed: ${reason}`);
process.exit(reason === null ? 0 : 1);
