import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { GET } from "@/app/api/metrics/route";
import { makeReadOnly } from "@/prisma/testing/test-stores";
import { localViewer } from "../auth/viewer";
import type { RunStore } from "../db";
import { getDb, getStorageFault, probeStorage } from "../db";
import { createFlow } from "../flows/commands";
import { cancelRun, startRun } from "../runs/commands";
import { shutDownExecutor } from "../runs/drive/executor";
import { newRow } from "../runs/testing/insert-runs";
import { startServices } from "../start";
import { getMetrics } from "./metrics";
import { observeStore } from "./observe-store";

const secretName = "Project-Nightingale";
const source = `name: ${secretName}
agents:
  ${secretName}: { model: "demo:a" }
  person: { model: "demo:b" }
approvals: { gate: { message: "May it continue?" } }
swarm: { type: workflow, flow: "${secretName} >> gate" }
`;

async function scrape(host = "127.0.0.1:3000") {
  const request = new Request("http://127.0.0.1:3000/api/metrics", { headers: { host } });
  const response = await GET(request, { params: Promise.resolve({}) });
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
}

/** The value of a series; undefined where there is none. */
async function read(series: string): Promise<number | undefined> {
  const line = (await scrape()).text.split("\n").find((text) => text.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

async function until(series: string, value: number): Promise<void> {
  while ((await read(series)) !== value) await sleep(10);
}

const endedRuns = (status: string): string => `swarmloom_run_duration_seconds_count{status="${status}"}`;

describe("the metrics of a server", () => {
  let flow: { id: string; revision: string };
  beforeAll(async () => {
    const early = await scrape();
    expect([early.status, early.text.includes("swarmloom_runs{")]).toEqual([200, false]);
    await startServices();
    flow = await createFlow(localViewer, { source });
  });
  afterAll(async () => {
    await globalThis.swarmloomServices?.endRuns();
    await globalThis.swarmloomServices?.closeDatabase();
  });

  it("count runs by status, and measure those that ended and what was stored", async () => {
    expect(await read('swarmloom_runs{status="FAILED"}')).toBe(0);
    expect(await read("swarmloom_database_up")).toBe(1);
    await startRun(localViewer, flow.id, { input: "demo: error 401" });
    await until('swarmloom_runs{status="FAILED"}', 1);
    await until(endedRuns("FAILED"), 1);
    expect(await read(endedRuns("SUCCESS"))).toBe(0);
    const { id: flowId, revision: revisionId } = flow;
    const { id } = await (await getDb()).run.create({ data: { ...newRow(), flowId, revisionId, flowName: "Waits" } });
    await cancelRun(localViewer, id);
    expect(await read(endedRuns("CANCELLED"))).toBe(1);
    await startRun(localViewer, flow.id, { input: secretName });
    await until('swarmloom_runs{status="WAITING"}', 1);
    expect(await read('swarmloom_runs{status="RUNNING"}')).toBe(0);
    expect(await read("swarmloom_events_stored_total")).toBeGreaterThan(5);
    expect(await read("swarmloom_event_flush_duration_seconds_count")).toBeGreaterThan(2);
  });

  it("are text for Prometheus, with the process, without names or texts, for those who may use the API", async () => {
    const { text, type } = await scrape();
    expect(type).toMatch(/^text\/plain; version=0\.0\.4/);
    for (const name of [
      "process_resident_memory_bytes",
      "nodejs_eventloop_lag_p99_seconds",
      "process_cpu_seconds_total",
    ])
      expect(text).toMatch(new RegExp(`^${name} [\\d.e+-]+$`, "m"));
    expect(text).not.toContain(secretName);
    expect(text).not.toContain(flow.id);
    const labels = [...text.matchAll(/^swarmloom_\w+\{([^}]*)\}/gm)].flatMap(([, list = ""]) => list.split(","));
    expect(new Set(labels.map((label) => label.split("=")[0]))).toEqual(new Set(["status", "place", "le"]));
    expect((await scrape("evil.example")).status).toBe(403);
  });

  it("show a database that takes no writes, and the process all the same", async () => {
    const db = await startServices();
    // What a run stores through a connection of its own tells, too, how the database is.
    await shutDownExecutor();
    const makeWritable = await makeReadOnly(db);
    await expect(probeStorage(db)).rejects.toThrow();
    expect(await read("swarmloom_database_up")).toBe(0);
    expect(await read("process_resident_memory_bytes")).toBeGreaterThan(0);
    await makeWritable();
    // The first attempt may meet a connection that was ended.
    while (getStorageFault() !== null) await probeStorage(db).catch(() => {});
    expect(await read("swarmloom_database_up")).toBe(1);
  });
});

test("an observed store measures refused and failed writes, and counts events of stored ones only", async () => {
  const results: (() => Promise<boolean>)[] = [
    async () => false,
    async () => Promise.reject(new Error("disk")),
    async () => true,
  ];
  const store: RunStore = { write: () => (results.shift() ?? (async () => true))(), close: async () => {} };
  const observed = observeStore(store);
  const { flushDuration, storedEvents, runDuration } = getMetrics();
  const countOf = async () => {
    const [flushes, events, ends] = await Promise.all([flushDuration.get(), storedEvents.get(), runDuration.get()]);
    const sumOf = (values: readonly { value: number; metricName?: string | undefined }[], suffix: string): number =>
      values.reduce((sum, { value, metricName }) => (metricName?.endsWith(suffix) ? sum + value : sum), 0);
    return [sumOf(flushes.values, "_count"), events.values[0]?.value ?? 0, sumOf(ends.values, "_count")];
  };
  const [flushes = 0, events = 0, ends = 0] = await countOf();
  const write = {
    runId: "r",
    owner: "o",
    epoch: 1,
    run: { status: "CANCELLED", durationMs: 1500 },
    events: [{}, {}],
    payloads: [],
    nodes: [],
  };
  expect(await observed.write(write)).toBe(false);
  await expect(observed.write(write)).rejects.toThrow("disk");
  expect(await observed.write(write)).toBe(true);
  expect(await countOf()).toEqual([flushes + 3, events + 2, ends + 1]);
});
