/**
 * `npm run bench:team`: how fast every page is for a team of 50 people with 500 flows and 20,000 runs of 24 steps each. On a
 * new SQLite database in a temporary folder, or on DATABASE_URL, a PostgreSQL database without data. `npm run build` first.
 * Exit code 1 where a page takes more than 200 ms (p95).
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { listOperations } from "@/lib/server/api/operations";
import { localTeamId } from "@/lib/server/auth/viewer";
import { openBulkDatabase } from "@/lib/server/runs/testing/bulk-database";
import { ApiClient } from "../server/api-client";
import { AppProcess } from "../server/app-process";
import { startChatServer } from "../server/chat-server";
import { findFreePort, measure, quantile } from "../server/measure";
import { formatTable } from "../write-figures";
import { fillTeam, type TeamTemplate } from "./fill-team";

const size = { people: 50, flows: 500, runs: 20_000 };
const [templateCount, agentCount, warmUps, rounds, goalMs] = [20, 22, 5, 60, 200];
/** The API answers 600 reads of a user a minute. */
const betweenReadsMs = 105;
const owner = { name: "Ada", email: "ada@example.org", password: "long enough for Ada" };

const folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-bench-"));
const chat = await startChatServer();
const port = await findFreePort();
const origin = `http://localhost:${port}`;
const databaseUrl = process.env.DATABASE_URL || `file:${path.join(folder, "bench.db")}`;
const env = {
  PORT: String(port),
  SWARMLOOM_URL: origin,
  SWARMLOOM_DATA: folder,
  DATABASE_URL: databaseUrl,
  COMPATIBLE_BASE_URL: chat.url,
  SWARMLOOM_SECRET: "the secret of a benchmark",
};

async function startServer(): Promise<AppProcess> {
  const server = new AppProcess("start", env);
  await server.waitFor("Swarmloom is ready");
  return server;
}

/** Makes the first account; resolves to a client with its session. */
async function signUp(server: AppProcess): Promise<ApiClient> {
  const token = await server.find(/#token=(\S+)/);
  const response = await fetch(`${origin}/api/auth/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify(owner),
  });
  if (!response.ok) throw new Error(`the first account: ${response.status} ${await response.text()}`);
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
  return new ApiClient(origin, { cookie: cookies.join("; ") });
}

function toSource(number: number): string {
  const agents = Array.from({ length: agentCount }, (_, index) => `a${index}`);
  const instructions =
    "Read what the one before wrote, say what is missing, and write it again in plain words. ".repeat(5);
  const declarations = agents.map(
    (agent) => `  ${agent}: { model: "compatible:instant", instructions: "${instructions}" }`,
  );
  const chain = agents.slice(2).join(" >> ");
  return `name: Template ${number}\nagents:\n${declarations.join("\n")}\nswarm: { flow: (a0 | a1) >> ${chain} }\n`;
}

async function driveTemplates(api: ApiClient): Promise<TeamTemplate[]> {
  const templates: TeamTemplate[] = [];
  const flowSchema = z.object({ revision: z.string() });
  for (let number = 0; number < templateCount; number++) {
    const flow = await api.createFlow(toSource(number));
    const run = await api.startRun(flow);
    const last = await api.waitForEnd(run);
    if (last?.type !== "run.finished" || last.status !== "SUCCESS") throw new Error(`run ${run} did not succeed`);
    const { revision } = parseJsonAs(await api.read(`/api/v1/flows/${flow}`), flowSchema);
    templates.push({ flow, revision, run });
  }
  return templates;
}

type Team = Awaited<ReturnType<typeof fillTeam>>;
/** The address of a round; the first is of a page without a choice. */
type ToPath = (round: number) => string;

/** The addresses of each page; benchmark pages are switched off. */
function listPages({ flows, runs, flowToken, runToken }: Team): Record<string, ToPath[]> {
  const flow = (round: number) => flows[(round * 37) % flows.length];
  const run = (round: number): string => runs[(round * 1_237) % runs.length] ?? "";
  return {
    "/": [() => "/", () => "/?q=process+12", () => "/?tag=support&sort=name", () => "/?show=240"],
    "/account": [() => "/account"],
    "/audit": [() => "/audit", () => "/audit?q=person+7", () => "/audit?action=run.started"],
    "/docs/api": [() => "/docs/api"],
    "/embed/[token]": [() => `/embed/${flowToken}`],
    "/flows/[id]": [(round) => `/flows/${flow(round)?.id}`],
    "/flows/[id]/diff": [
      (round) => `/flows/${flow(round)?.id}/diff?from=${flow(round)?.revisions[1]}&to=${flow(round)?.revisions[6]}`,
    ],
    "/gallery": [() => "/gallery"],
    "/docs/[page]": [() => "/docs/editor"],
    "/gallery/[id]": [() => `/gallery/${flows[40]?.id}`],
    "/inbox": [() => "/inbox"],
    "/invitations/[token]": [() => "/invitations/none"],
    "/reset-password": [() => "/reset-password?token=none"],
    "/runs": [() => "/runs", () => "/runs?q=loomweight", (round) => `/runs?flow=${flow(round)?.id}`],
    "/runs/[id]": [(round) => `/runs/${run(round)}`],
    "/runs/compare": [(round) => `/runs/compare?runs=${run(round)},${run(round + 1)}`],
    "/runs/open": [() => "/runs/open"],
    "/s/[token]": [() => `/s/${flowToken}`, () => `/s/${runToken}`],
    "/settings": [() => "/settings"],
    "/settings/[group]": [(round) => `/settings/${["team", "connections", "runs", "tools", "access"][round % 5]}`],
    "/sign-in": [() => "/sign-in"],
    "/sign-up": [() => "/sign-up"],
    "/teams": [() => "/teams"],
    "/triggers": [() => "/triggers"],
  };
}

/** Whole runs, files and streams take as long as they are large; agents in the background have no run here. */
const unmeasured =
  /\/(events|stream|trace|otlp|file|export(\.\w+)?|compare|texts\/\{field\})$|^\/agents\/|^\/inbox\/unread$/;

/** What the pages load afterwards: the reads of the API. */
function listReads({ flows, runs }: Team): ToPath[] {
  const ids = new Map([
    ["flows", (round: number) => flows[(round * 37) % flows.length]?.id ?? ""],
    ["runs", (round: number) => runs[(round * 1_237) % runs.length] ?? ""],
    ["teams", () => localTeamId],
  ]);
  return listOperations()
    .filter(({ operation }) => operation.method === "GET" && !unmeasured.test(operation.path))
    .map(({ operation: { path: template } }) => (round) => {
      const [, things = ""] = template.split("/");
      const revision = flows[(round * 37) % flows.length]?.revisions[3] ?? "";
      const filled = template.replace("{id}", ids.get(things)?.(round) ?? "").replace("{revision}", revision);
      return `/api/v1${filled.replace("{nodeId}", "1")}`;
    });
}

/** Throws where a page of the app has no address above. */
function assertComplete(pages: object): void {
  const app = path.join(import.meta.dirname, "../../../app");
  const found = readdirSync(app, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "page.tsx")
    .map((file) => `/${path.dirname(file)}`.replace(/^\/\.$/, "/"));
  const missing = found.filter((route) => !route.startsWith("/bench/") && !(route in pages));
  if (missing.length > 0) throw new Error(`pages that are not measured: ${missing.join(", ")}`);
}

/** Resolves to whether every address is as fast as it has to be. */
async function measureAddresses(api: ApiClient, addresses: readonly ToPath[]): Promise<boolean> {
  const rows: string[][] = [];
  const visitor = new ApiClient(origin);
  let isFast = true;
  for (const toPath of addresses) {
    const times: number[] = [];
    const reader = toPath(0).startsWith("/sign-") ? visitor : api;
    let size = 0;
    const isRead = toPath(0).startsWith("/api/");
    for (let round = -warmUps; round < (isRead ? rounds / 2 : rounds); round++) {
      if (isRead) await sleep(betweenReadsMs);
      const time = await measure(async () => {
        size = (await reader.read(toPath(round + warmUps))).length;
      });
      if (round >= 0) times.push(time);
    }
    const p95 = quantile(times, 0.95);
    isFast &&= p95 <= goalMs;
    const name = toPath(0).replace(/[\da-f]{8}-[\da-f-]{27}/g, "ID");
    const [p50, kilobytes] = [quantile(times, 0.5), size / 1024];
    rows.push([name, kilobytes.toFixed(0), p50.toFixed(1), p95.toFixed(1), p95 > goalMs ? "over" : ""]);
  }
  console.log(formatTable(["address", "KB", "p50, ms", `p95, ms (goal ${goalMs})`, ""], rows));
  return isFast;
}

let server = await startServer();
try {
  const api = await signUp(server);
  const templates = await driveTemplates(api);
  await server.end("SIGTERM");
  const database = await openBulkDatabase(databaseUrl);
  const team = await fillTeam(database, size, templates, owner.email);
  await database.close();
  const pages = listPages(team);
  assertComplete(pages);
  server = await startServer();
  const addresses = [...Object.values(pages).flat(), ...listReads(team)];
  process.exitCode = (await measureAddresses(api, addresses)) ? 0 : 1;
} finally {
  await server.end("SIGKILL");
  chat.close();
}
rmSync(folder, { recursive: true, force: true });
process.exit();
