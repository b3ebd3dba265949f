/**
 * `npm run bench:many-runs -- [runs]`: how fast lists and pages are with 10,000 stored runs of 100 steps each. On a new
 * SQLite database in a temporary folder, or on DATABASE_URL, a PostgreSQL database without runs. The runs are copies of
 * twenty that the server has driven. `npm run build` first. Exit code 1 when a goal is missed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { openBulkDatabase } from "@/lib/server/runs/testing/bulk-database";
import { copyRuns } from "@/lib/server/runs/testing/copy-runs";
import { type RunSketch, searchedWords, sketchRuns } from "@/lib/server/runs/testing/run-sketches";
import { ApiClient } from "../server/api-client";
import { AppProcess } from "../server/app-process";
import { startChatServer } from "../server/chat-server";
import { findFreePort, measure, quantile } from "../server/measure";
import { formatTable } from "../write-figures";

const runCount = Number(process.argv[2] ?? 10_000);
const [flowCount, warmUps, rounds] = [20, 5, 60];
/** Goals in milliseconds for the 95th percentile. */
const goals = { list: 100, structure: 200 };

const folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-bench-"));
const chat = await startChatServer();
const port = await findFreePort();
const databaseUrl = process.env.DATABASE_URL || `file:${path.join(folder, "bench.db")}`;
const env = {
  PORT: String(port),
  SWARMLOOM_DATA: folder,
  DATABASE_URL: databaseUrl,
  COMPATIBLE_BASE_URL: chat.url,
  SWARMLOOM_SECRET: "the secret of a benchmark",
};
const api = new ApiClient(`http://127.0.0.1:${port}`);

async function startServer(): Promise<AppProcess> {
  const server = new AppProcess("start", env);
  await server.waitFor("Swarmloom is ready");
  return server;
}

/** 49 agents with a model call each, a group and the root: 100 steps. */
function toSource(name: string): string {
  const agents = Array.from({ length: 49 }, (_, index) => `a${index}`);
  const declarations = agents.map((agent) => `  ${agent}: { model: "compatible:instant" }`).join("\n");
  return `name: ${name}
agents:
${declarations}
groups: { pair: { type: parallel, flow: "a47 | a48" } }
swarm: { flow: ${agents.slice(0, 47).join(" >> ")} >> pair }
`;
}

/** Drives one run of each flow. Returns the ids of flows and runs. */
async function driveTemplates(): Promise<{ flows: string[]; runs: string[] }> {
  const [flows, runs]: [string[], string[]] = [[], []];
  for (let number = 0; number < flowCount; number++) {
    const flow = await api.createFlow(toSource(`Flow ${number}`));
    const run = await api.startRun(flow);
    const last = await api.waitForEnd(run);
    if (last?.type !== "run.finished" || last.status !== "SUCCESS") throw new Error(`run ${run} did not succeed`);
    flows.push(flow);
    runs.push(run);
  }
  return { flows, runs };
}

async function fill(templates: readonly string[]): Promise<RunSketch[]> {
  const started = performance.now();
  const database = await openBulkDatabase(databaseUrl);
  const sketches = sketchRuns(runCount - templates.length, templates, Date.now() - 60_000);
  await copyRuns(database, sketches, (stored) => {
    if (stored % 2_000 === 0) console.log(`${stored} runs are stored`);
  });
  await database.analyze();
  const [runs, steps, events] = [
    await database.count("Run"),
    await database.count("RunNode"),
    await database.count("RunEvent"),
  ];
  await database.close();
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`${runs} runs, ${steps} steps and ${events} events, stored in ${seconds} s`);
  return sketches;
}

interface Case {
  name: string;
  goal?: number;
  /** The address of a round. */
  toPath(round: number): string;
}

const listPath = (filter: Readonly<Record<string, string>>): string => `/api/v1/runs?${new URLSearchParams(filter)}`;

function listCases(sketches: readonly RunSketch[], flows: readonly string[]): Case[] {
  const at = (share: number): RunSketch => {
    const sketch = sketches[Math.floor((sketches.length - 1) * share)];
    if (!sketch) throw new Error("there are no runs");
    return sketch;
  };
  const toCursor = ({ createdAt, id }: RunSketch): string => `${Date.parse(createdAt)}_${id}`;
  const filters: Record<string, Record<string, string>> = {
    "first page": {},
    "first page of 200": { limit: "200" },
    "a page in the middle": { before: toCursor(at(0.5)) },
    "last page": { before: toCursor(at(0.005)) },
    "status SUCCESS": { status: "SUCCESS" },
    "status TIMEOUT": { status: "TIMEOUT" },
    "status RUNNING, none": { status: "RUNNING" },
    flow: { flow: flows[7] ?? "" },
    "flow and status FAILED": { flow: flows[7] ?? "", status: "FAILED" },
    person: { person: "ana" },
    "person, unknown": { person: "zoe" },
    model: { model: "compatible:instant" },
    "model, unknown": { model: "openai:none" },
    error: { error: "rate-limit" },
    "error, unknown": { error: "none" },
    "since 24h": { since: "24h" },
    "a day two weeks ago": { from: at(0.5).createdAt, to: at(0.53).createdAt },
    "cost from 0.99": { costFrom: "0.99" },
    "cost from 5, none": { costFrom: "5" },
    "search, a frequent word": { q: "invoice" },
    "search, a rare word": { q: searchedWords.rare },
    "search, in the oldest run alone": { q: searchedWords.oldest },
    "search, in no run": { q: searchedWords.missing },
    "search, three words, one in no run": { q: `invoice warning ${searchedWords.missing}` },
    "search and status": { q: searchedWords.rare, status: "FAILED" },
    "search and flow": { q: searchedWords.missing, flow: flows[3] ?? "" },
  };
  const random = (round: number): string => at((round * 0.618_034) % 1).id;
  return [
    ...Object.entries(filters).map(([name, filter]) => ({
      name: `list: ${name}`,
      goal: goals.list,
      toPath: () => listPath(filter),
    })),
    { name: "page /runs", toPath: () => "/runs" },
    { name: "page /runs, search", toPath: () => `/runs?q=${searchedWords.rare}` },
    { name: "page of flows", toPath: () => "/" },
    { name: "list of flows", toPath: () => "/api/v1/flows" },
    { name: "totals of all runs", toPath: () => "/api/v1/runs/summary" },
    { name: "totals of a day", toPath: () => "/api/v1/runs/summary?since=24h" },
    { name: "structure of a run", goal: goals.structure, toPath: (round) => `/api/v1/runs/${random(round)}/structure` },
    { name: "page of a run", toPath: (round) => `/runs/${random(round)}` },
    { name: "a run with its steps", toPath: (round) => `/api/v1/runs/${random(round)}` },
    { name: "list of agents", toPath: () => "/api/v1/agents" },
    { name: "metrics", toPath: () => "/api/metrics" },
  ];
}

/** Resolves to whether all goals were met. */
async function measureCases(cases: readonly Case[]): Promise<boolean> {
  const missed: string[] = [];
  const rows: string[][] = [];
  for (const { name, goal, toPath } of cases) {
    const times: number[] = [];
    for (let round = -warmUps; round < rounds; round++) {
      const time = await measure(() => api.read(toPath(round + warmUps)));
      if (round >= 0) times.push(time);
    }
    const p95 = quantile(times, 0.95);
    if (goal !== undefined && p95 > goal) missed.push(`${name}: ${p95.toFixed(0)} ms, the goal is ${goal} ms`);
    rows.push([name, quantile(times, 0.5).toFixed(1), p95.toFixed(1), goal === undefined ? "" : `≤ ${goal}`]);
  }
  console.log(formatTable(["request", "p50, ms", "p95, ms", "goal"], rows));
  for (const line of missed) console.error(`missed: ${line}`);
  return missed.length === 0;
}

let server = await startServer();
try {
  const { flows, runs } = await driveTemplates();
  await server.end("SIGTERM");
  const sketches = await fill(runs);
  server = await startServer();
  process.exitCode = (await measureCases(listCases(sketches, flows))) ? 0 : 1;
} finally {
  await server.end("SIGKILL");
  chat.close();
}
rmSync(folder, { recursive: true, force: true });
process.exit();
