import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { RunFilter } from "@/lib/core/trace/model/run-filter";
import { localViewer } from "@/lib/server/auth/viewer";
import type { Db } from "@/lib/server/db";
import { createFlow } from "@/lib/server/flows/commands";
import { countFlows, flowSorts, listFlows } from "@/lib/server/flows/list-flows";
import { listFlowNames } from "@/lib/server/flows/queries";
import { listTrash, purgeTrash } from "@/lib/server/flows/trash";
import { applyRetention, previewRetention, saveRetention } from "@/lib/server/retention/retention";
import { answerQuestion, cancelRun, runAgain, startRun } from "@/lib/server/runs/commands";
import { getExecutor } from "@/lib/server/runs/drive/executor";
import { forkRun, retryRun } from "@/lib/server/runs/fork";
import { pauseRun, resumeRun } from "@/lib/server/runs/pause";
import { getQueueStatus } from "@/lib/server/runs/queue/read-queue";
import { listAgents } from "@/lib/server/runs/read/agent-queries";
import { compareRuns, compareSteps } from "@/lib/server/runs/read/compare-runs";
import { listConversation } from "@/lib/server/runs/read/conversation-queries";
import { exportRuns } from "@/lib/server/runs/read/export-csv";
import { exportTrace } from "@/lib/server/runs/read/export-run";
import { listRunChoices, listRuns } from "@/lib/server/runs/read/list-runs";
import { getRun, getRunFlow, getRunNode, readRunEvents } from "@/lib/server/runs/read/queries";
import { summarizeRuns } from "@/lib/server/runs/read/summarize-runs";
import { getShownRun, getTraceSnapshot } from "@/lib/server/runs/read/trace-queries";
import { openBulkDatabase } from "@/lib/server/runs/testing/bulk-database";
import { copyRuns } from "@/lib/server/runs/testing/copy-runs";
import { sketchRuns } from "@/lib/server/runs/testing/run-sketches";
import { startServices } from "@/lib/server/start";
import { TraceSender } from "@/lib/server/trace-export/trace-sender";
import { findFullScans } from "./testing/read-plan";
import { StatementLog } from "./testing/statement-log";

const [runCount, flowCount, teamCount] = [3_000, 15, 10];
const agents = ["a", "b", "c", "d"];
const source = `name: Stored
agents:
${agents.map((name) => `  ${name}: { model: "demo:writer" }`).join("\n")}
approvals: { gate: { message: "May it continue?" } }
swarm: { flow: ${agents.join(" >> ")} }
`;
const waitingSource = source.replace("a >> b", "a >> gate >> b");

let db: Db;
let log: StatementLog;
let flow = "";
/** A stored run of the viewer that has ended, one that failed, and the cursor of one in the middle of the list. */
let [ended, failed, cursor] = ["", "", ""];

/** The viewer's team has a tenth of the runs, and each of its flows a fifteenth of those: too few to read a whole table for. */
beforeAll(async () => {
  log = new StatementLog();
  db = await startServices();
  const templates: string[] = [];
  for (let number = 0; number < flowCount; number++) {
    flow = (await createFlow(localViewer, { source: source.replace("Stored", `Stored ${number}`) })).id;
    templates.push((await startRun(localViewer, flow, { input: "go" })).id);
  }
  for (const id of templates) await untilStatus(id, "SUCCESS");
  const sketches = sketchRuns(runCount, templates, Date.now()).map((sketch, index) => ({
    ...sketch,
    teamId: index % teamCount === 0 ? "local" : `team-${index % teamCount}`,
  }));
  const database = await openBulkDatabase(process.env.DATABASE_URL ?? "");
  await copyRuns(database, sketches);
  await insertParts(sketches.map(({ id }) => id));
  await database.analyze();
  await database.close();
  const own = sketches.filter(({ teamId }) => teamId === "local");
  const middle = own[own.length >> 1];
  ended = own.find(({ status }) => status === "SUCCESS")?.id ?? "";
  failed = own.find(({ status }) => status === "FAILED")?.id ?? "";
  cursor = `${Date.parse(middle?.createdAt ?? "")}_${middle?.id}`;
});

/** What the copied runs have nothing of. */
async function insertParts(runIds: readonly string[]): Promise<void> {
  const at = new Date();
  const message = { number: 1, agent: "a", text: "Go on.", by: "You", at, takenAt: at };
  await db.runMessage.createMany({ data: runIds.map((runId) => ({ runId, ...message })) });
  await db.runAnswer.createMany({ data: runIds.map((runId) => ({ runId, question: 9, body: "{}", at })) });
  const payload = { nodeId: 3, field: "request", body: "A long text." };
  await db.runPayload.createMany({ data: runIds.map((runId) => ({ runId, ...payload })) });
}

afterAll(async () => {
  vi.restoreAllMocks();
  await globalThis.swarmloomServices?.endRuns();
  await globalThis.swarmloomServices?.closeDatabase();
});

const untilStatus = (id: string, status: string): Promise<unknown> =>
  vi.waitFor(
    async () => expect((await db.run.findUnique({ where: { id }, select: { status: true } }))?.status).toBe(status),
    { timeout: 20_000, interval: 20 },
  );

async function expectNoScans(work: () => Promise<unknown>): Promise<void> {
  const statements = await log.record(work);
  expect(statements.length).toBeGreaterThan(0);
  const scans: string[] = [];
  for (const statement of statements) scans.push(...(await findFullScans(statement)));
  expect(scans).toEqual([]);
}

const filters: RunFilter[] = [
  {},
  { status: "SUCCESS" },
  { status: "RUNNING" },
  { person: "ana" },
  { model: "demo:writer" },
  { error: "rate-limit" },
  { since: "24h" },
  { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" },
  { costFrom: "0.5", costTo: "0.6" },
  { q: "invoice" },
  { q: "invoice letter zzyzx" },
  { q: "zzyzx", status: "FAILED", person: "ana" },
];

test.each(filters)("the list of runs, its next page and its totals read no whole table: %o", async (filter) => {
  await expectNoScans(() => listRuns(localViewer, filter));
  await expectNoScans(() => listRuns(localViewer, { ...filter, before: cursor }));
  await expectNoScans(() => listRuns(localViewer, { ...filter, flow, limit: 200 }));
  await expectNoScans(() => summarizeRuns(localViewer, filter));
  await expectNoScans(async () => (await exportRuns(localViewer, filter)).getReader().read());
});

test.each<[name: string, work: () => Promise<unknown>]>([
  ["choices of the list", () => listRunChoices(localViewer)],
  ["page of a run", () => getShownRun(localViewer, ended)],
  ["structure", () => getTraceSnapshot(localViewer, ended)],
  ["a run with its steps", () => getRun(localViewer, ended)],
  ["a step", () => getRunNode(localViewer, ended, 3)],
  ["drawing", () => getRunFlow(localViewer, ended)],
  ["events", () => readRunEvents(localViewer, ended, 10, 100)],
  ["conversation", () => listConversation(localViewer, ended, { node: 3, limit: 50 })],
  ["comparison", () => compareRuns(localViewer, [ended, failed])],
  ["comparison of steps", () => compareSteps(localViewer, [ended, failed])],
  ["spans", () => exportTrace(localViewer, ended, { content: true })],
  ["agents", () => listAgents(localViewer, {})],
  ["agents of a run", () => listAgents(localViewer, { run: ended })],
  ...flowSorts.map((sort): [string, () => Promise<unknown>] => [
    `flows by ${sort}`,
    () => listFlows(localViewer, { sort, q: "stored" }),
  ]),
  ["numbers of flows", () => countFlows(localViewer)],
  ["names of flows", () => listFlowNames(localViewer)],
  ["trash", () => listTrash(localViewer)],
  ["queue", () => getQueueStatus(localViewer)],
])("reading reads no whole table: %s", async (_, work) => {
  await expectNoScans(work);
});

test("starting, driving, stopping, resuming and forking a run read no whole table", async () => {
  const { id: waitingFlow } = await createFlow(localViewer, { source: waitingSource });
  await expectNoScans(async () => {
    const { id } = await startRun(localViewer, waitingFlow, { input: "go" });
    await untilStatus(id, "WAITING");
    await getExecutor().beat();
    await pauseRun(localViewer, id);
    await resumeRun(localViewer, id);
    await untilStatus(id, "WAITING");
    const events = await readRunEvents(localViewer, id, 0, 1_000);
    const question = events.events.find(({ type }) => type === "answer.requested")?.seq ?? 0;
    await answerQuestion(localViewer, id, 1, { decision: "approved", question }).catch(() => {});
    await cancelRun(localViewer, id);
  });
  await expectNoScans(async () => {
    const fork = await forkRun(localViewer, ended, { node: 3, revision: "recorded" });
    await untilStatus(fork.id, "SUCCESS");
    const again = await runAgain(localViewer, ended);
    await cancelRun(localViewer, again.id);
    await retryRun(localViewer, failed).catch(() => {});
  });
});

test("taking over and what is done from time to time read no whole table", async () => {
  await saveRetention(localViewer, { enabled: true, days: 29, keep: 1 });
  const setting = { endpoint: "http://127.0.0.1:1/v1/traces", headers: "{}", content: false, enabled: true };
  await db.traceExport.create({ data: { ...setting, teamId: "local", since: new Date(), updatedAt: new Date() } });
  await expectNoScans(async () => {
    await getExecutor().beat();
    await new TraceSender(db, { everyMs: 60_000, now: Date.now }).look();
    await previewRetention(localViewer, { enabled: true, days: 20, keep: 3 });
    expect(await applyRetention(db, Date.now() + 1_000)).toBeGreaterThan(0);
    await purgeTrash(db, Date.now());
  });
});
