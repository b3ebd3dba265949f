import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { localViewer } from "../auth/viewer";
import type { Db } from "../db";
import { createFlow } from "../flows/commands";
import { startServices } from "../start";
import { noTeamLimits, saveTeamLimits } from "../teams/team-limits";
import { startRun } from "./commands";
import { tryModels } from "./fork";
import { usesJobs } from "./queue/run-queue";
import { hasEnded } from "./store/readable-rows";
import { getRunHead } from "./store/run-rows";
import { prepareStarts, type StartedFrom, type WayToStart, waysToStart } from "./testing/ways-to-start";

// Links are for servers with accounts. The environment is read while modules load.
vi.hoisted(() => {
  process.env.SWARMLOOM_URL = "https://looms.example";
});

const root = path.join(import.meta.dirname, "../../..");
const processes: ChildProcess[] = [];
let db: Db;
let from: StartedFrom;

async function runToEnd(flow: string, input: string): Promise<string> {
  const { id } = await startRun(localViewer, flow, { input });
  await vi.waitFor(async () => expect(hasEnded(await getRunHead(localViewer, id))).toBe(true), 20_000);
  return id;
}

beforeAll(async () => {
  db = await startServices();
  const agents = 'agents:\n  a: { model: "demo:a" }\n';
  const { id: flow } = await createFlow(localViewer, { source: `name: T\n${agents}swarm: { flow: a }\n` });
  const source = `name: Goals\n${agents}swarm: { type: orchestrate, agents: [a] }\n`;
  const { id: team } = await createFlow(localViewer, { source });
  const ended = await runToEnd(flow, "x");
  const failed = await runToEnd(flow, "demo: error 400");
  await globalThis.swarmloomServices?.endRuns();
  await db.run.updateMany({ data: { createdAt: new Date(Date.now() - 40 * 86_400_000) } });
  from = { flow, team, ended, failed };
});
beforeEach(async () => {
  await db.run.deleteMany({ where: { id: { notIn: [from.ended, from.failed] } } });
  await db.schedule.deleteMany();
  await saveTeamLimits(localViewer, { ...noTeamLimits, maxRunsPerDay: 3 });
  await startRun(localViewer, from.flow, { input: "x" });
});
afterEach(() => {
  for (const child of processes.splice(0)) child.kill("SIGKILL");
});

const startedSchema = z.union([z.object({ ready: z.literal(true) }), z.object({ accepted: z.number() })]);
const receive = async (child: ChildProcess) => startedSchema.parse((await once(child, "message"))[0]);

/** Another server on the same database, which begins its starts at the same time. */
async function prepareElsewhere(names: readonly string[]): Promise<() => Promise<number>> {
  const execArgv = ["--conditions=react-server", "--import", "tsx"];
  const program = path.join(import.meta.dirname, "testing/starting-process.ts");
  const child = fork(program, [JSON.stringify(from), JSON.stringify(names)], { execArgv, cwd: root });
  processes.push(child);
  const ended = once(child, "exit").then(() => Promise.reject(new Error("the process ended")));
  await Promise.race([receive(child), ended]);
  return async () => {
    child.send("begin");
    const answer = await receive(child);
    return "accepted" in answer ? answer.accepted : 0;
  };
}

const countNewRuns = (): Promise<number> => db.run.count({ where: { id: { notIn: [from.ended, from.failed] } } });

test.each(waysToStart)("twelve at once pass no limit of the team: %s", async (way) => {
  const begin = await prepareStarts(from, Array<WayToStart>(12).fill(way));
  const accepted = await begin();
  expect(await countNewRuns()).toBe(3);
  // A look at the schedules starts all that are due: it is counted by its runs.
  if (way !== "schedule") expect(accepted).toBe(2);
});

test("all ways at once pass no limit of the team", async () => {
  const begin = await prepareStarts(from, [...waysToStart, ...waysToStart]);
  await begin();
  expect(await countNewRuns()).toBe(3);
});

test.runIf(usesJobs())("two servers at once pass no limit of the team", async () => {
  const names = waysToStart.filter((way) => way !== "schedule");
  const [here, elsewhere] = [
    await prepareStarts(from, [...names, ...names]),
    await prepareElsewhere([...names, ...names]),
  ];
  const accepted = await Promise.all([here(), elsewhere()]);
  expect(await countNewRuns()).toBe(3);
  expect(accepted.reduce((sum, count) => sum + count)).toBe(2);
});

test("forks of one request begin all or none, and the limits of cost and tokens are those of the moment", async () => {
  await saveTeamLimits(localViewer, { ...noTeamLimits, maxRunCost: 4, maxCostPerDay: 6, maxTokensPerMonth: 50 });
  await db.run.updateMany({
    where: { id: { notIn: [from.ended, from.failed] } },
    data: { status: "SUCCESS", cost: 1 },
  });
  const tryTwo = () => tryModels(localViewer, from.ended, { node: 2, models: ["demo:b", "demo:c"] });
  const results = await Promise.allSettled([tryTwo(), tryTwo(), tryTwo()]);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const rows = await db.run.findMany({ where: { forkedFrom: from.ended } });
  expect(rows.map(({ maxCost, maxTokens }) => [maxCost, maxTokens])).toEqual([
    [2.5, 50],
    [2.5, 50],
  ]);
  expect(
    await db.runEvent.count({
      where: { run: { forkedFrom: { not: null } }, runId: { notIn: rows.map(({ id }) => id) } },
    }),
  ).toBe(0);
});

test("a run is stored in two places, both under the lock of its admission", () => {
  const server = path.join(root, "lib/server");
  const files = readdirSync(server, { recursive: true, encoding: "utf8" }).filter(
    (file) => /(?<!\.test)\.ts$/.test(file) && !file.includes("testing/"),
  );
  const sources = new Map(files.map((file) => [file, readFileSync(path.join(server, file), "utf8")]));
  const storing = files.filter((file) => /\brun\.(?:create|upsert)|INSERT INTO "Run"/.test(sources.get(file) ?? ""));
  expect(storing.sort()).toEqual(["runs/drive/add-run.ts", "runs/fork.ts"]);
  for (const file of storing) expect(sources.get(file)).toContain("await lockAdmission(tx)");
});
