/**
 * `npm run bench:together`: how soon a change of one editor arrives at nine others that have the flow open: in one process on
 * SQLite, and across two on PostgreSQL, where its programs are installed. `npm run build` first. Exit code 1 above 50 ms (one
 * process) or 120 ms (two), p95.
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { TestEditor } from "@/lib/server/collaboration/testing/test-editor";
import { withPostgres } from "../with-postgres";
import { formatTable } from "../write-figures";
import { ApiClient } from "./api-client";
import { AppProcess } from "./app-process";
import { findFreePort, quantile } from "./measure";

const [editorCount, changes] = [10, 300];
const folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-bench-"));
const source = 'name: Bench\nagents:\n  a: { model: "demo:writer" }\nswarm: { type: workflow, flow: a }\n';

async function startServer(database: string): Promise<{ server: AppProcess; origin: string }> {
  const port = await findFreePort();
  const server = new AppProcess("start", { PORT: String(port), SWARMLOOM_DATA: folder, DATABASE_URL: database });
  await server.waitFor("Swarmloom is ready");
  return { server, origin: `http://127.0.0.1:${port}` };
}

async function join(origin: string, flowId: string): Promise<TestEditor> {
  const editor = await new TestEditor(`${origin.replace("http", "ws")}/api/v1/flows/${flowId}/live`).connect();
  editor.join();
  while (editor.text === "") await sleep(5);
  return editor;
}

/** Milliseconds from each change until each editor of `readers` has it. */
async function measureChanges(writers: readonly TestEditor[], readers: readonly TestEditor[]): Promise<number[]> {
  const times: number[] = [];
  for (let number = 0; number < changes; number++) {
    const writer = writers[number % writers.length];
    if (!writer) break;
    const others = readers.filter((reader) => reader !== writer);
    const start = performance.now();
    const arrivals = others.map(
      (reader) =>
        new Promise<void>((resolve) =>
          reader.doc.once("update", () => {
            times.push(performance.now() - start);
            resolve();
          }),
        ),
    );
    writer.type((text) => `${text}# ${number}\n`);
    await Promise.all(arrivals);
    await sleep(10);
  }
  return times;
}

const figures: [name: string, value: string][] = [];
let isSlow = false;

/** `processes`: 1 or 2; writers are at the first one, readers at the last one. */
async function measureServers(database: string, processes: number, goalMs: number): Promise<void> {
  const servers = [await startServer(database)];
  while (servers.length < processes) servers.push(await startServer(database));
  try {
    const [first, last] = [servers[0]?.origin ?? "", servers.at(-1)?.origin ?? ""];
    const flow = await new ApiClient(first).createFlow(source);
    const editors: TestEditor[] = [];
    while (editors.length < editorCount) editors.push(await join(editors.length % 2 === 0 ? first : last, flow));
    const [writers, others] = [0, 1].map((rest) => editors.filter((_, index) => index % 2 === rest));
    if (!writers || !others) return;
    const times = await measureChanges(writers, processes === 1 ? editors : others);
    for (const editor of editors) editor.cut();
    const [p50, p95, p100] = [0.5, 0.95, 1].map((share) => quantile(times, share).toFixed(1));
    const place = processes === 1 ? "one process, SQLite" : "two processes, PostgreSQL";
    figures.push([
      `change to another editor, ${place}: p50, p95, most of ${times.length}, ms`,
      `${p50} ${p95} ${p100}`,
    ]);
    isSlow ||= quantile(times, 0.95) > goalMs;
  } finally {
    for (const { server } of servers) await server.end("SIGTERM");
  }
}

await measureServers(`file:${path.join(folder, "bench.db")}`, 1, 50);
await withPostgres((url) => measureServers(url, 2, 120));
console.log(formatTable(["figure", "value"], figures));
rmSync(folder, { recursive: true, force: true });
process.exit(isSlow ? 1 : 0);
