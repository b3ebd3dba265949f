import { beforeAll, describe, expect, test } from "vitest";
import { localViewer } from "../../auth/viewer";
import { type Db, getDb } from "../../db";
import { createFlow } from "../../flows/commands";
import { listFlows } from "../../flows/list-flows";
import { route, toJsonResponse } from "../../http/route";
import { startServices } from "../../start";
import { answerQuestion, cancelRun, startRun } from "../commands";
import { waitForEnd } from "../testing/own-executors";
import { listAgents } from "./agent-queries";
import { listRuns } from "./list-runs";
import { writeRun } from "./run-detail";
import { getShownRun } from "./trace-queries";

const source = `agents:
  a: { model: "demo:a" }
  b: { model: "demo:b" }
swarm: { flow: a >> b }
`;
let db: Db;
beforeAll(async () => {
  await startServices();
  db = await getDb();
});

async function insertRun(): Promise<string> {
  const { id: flow } = await createFlow(localViewer, { source });
  const { id } = await startRun(localViewer, flow, { input: "Go" });
  await waitForEnd(id);
  return id;
}

describe("the page of a run whose stored rows cannot be read shows what can be", () => {
  test.each([
    ["its status", { status: "BROKEN" }, "FAILED"],
    ["its error", { error: "no JSON" }, "SUCCESS"],
    ["its error, in another form", { error: '{"code":7}' }, "SUCCESS"],
  ])("%s", async (_, data, status) => {
    const runId = await insertRun();
    await db.run.update({ where: { id: runId }, data });
    const { run, structure } = await getShownRun(localViewer, runId);
    expect(run.id).toBe(runId);
    expect(structure?.run).toMatchObject({ status, error: { code: "unreadable" } });
    expect(structure?.kind.length).toBeGreaterThan(4);
  });

  test.each([
    ["its kind", { kind: "unknown" }],
    ["its status", { status: "BROKEN" }],
    ["its facts", { facts: "no JSON" }],
    ["its facts, in another form", { facts: '{"usage":1}' }],
    ["both its facts and its body, as older versions stored them", { facts: "", body: "no JSON" }],
  ])("of a step: %s", async (_, data) => {
    const runId = await insertRun();
    await db.runNode.update({ where: { runId_nodeId: { runId, nodeId: 2 } }, data });
    const { structure } = await getShownRun(localViewer, runId);
    expect(structure?.run.status).toBe("SUCCESS");
    expect(JSON.stringify(structure)).toContain("unreadable");
  });
});

const gate = `agents: { a: { model: "demo:a" } }
approvals: { ok: { message: "Go on?" } }
swarm: { flow: ok >> a }
`;

async function insertWaitingRun(): Promise<{ runId: string; step: number; question: number }> {
  const { id: flow } = await createFlow(localViewer, { source: gate });
  const { id: runId } = await startRun(localViewer, flow, { input: "Go" });
  const asked = () =>
    db.runEvent.findFirst({ where: { runId, type: "answer.requested" }, select: { seq: true, body: true } });
  await expect.poll(asked).not.toBeNull();
  await expect.poll(() => db.run.count({ where: { id: runId, status: "WAITING" } })).toBe(1);
  return { runId, step: 2, question: (await asked())?.seq ?? 0 };
}

const getRunRoute = route<{ id: string }>(async (viewer, _, { id }) => toJsonResponse(await writeRun(viewer, id)));
const request = (): Request =>
  new Request("http://127.0.0.1:3000/api/v1/runs/x", { headers: { host: "127.0.0.1:3000" } });

async function read(id: string) {
  const response = await getRunRoute(request(), { params: Promise.resolve({ id }) });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const refusal = {
  error: { code: "unreadable", message: expect.stringMatching(/is damaged and cannot be read\. .*log/) },
};

describe("the API answers for a run whose rows cannot be read", () => {
  test.each([
    ["its status", { status: "BROKEN" }],
    ["its usage", { usage: "no JSON" }],
    ["its error", { error: '{"code":7}' }],
    ["its output", { output: "{" }],
  ])("%s: with a code and what to do", async (_, data) => {
    const runId = await insertRun();
    await db.run.update({ where: { id: runId }, data });
    expect(await read(runId)).toEqual({ status: 500, body: refusal });
  });

  test("a step: with the others, and in its place a failed one", async () => {
    const runId = await insertRun();
    await db.runNode.update({ where: { runId_nodeId: { runId, nodeId: 2 } }, data: { body: "no JSON" } });
    const { status, body } = await read(runId);
    expect([status, body.status]).toEqual([200, "SUCCESS"]);
    expect(body.state.nodes[1]).toMatchObject({ id: 2, status: "FAILED", error: { code: "unreadable" } });
    expect(body.state.nodes.length).toBeGreaterThan(3);
  });

  test("an answer to its question, and a request to cancel it", async () => {
    const { runId, step, question } = await insertWaitingRun();
    await db.runEvent.updateMany({ where: { runId, type: "answer.requested" }, data: { body: "no JSON" } });
    const answer = route(async (viewer) => answerQuestion(viewer, runId, step, { question, decision: "approved" }));
    const response = await answer(request(), { params: Promise.resolve({}) });
    expect([response.status, await response.json()]).toEqual([500, refusal]);
    await cancelRun(localViewer, runId);
    await expect.poll(() => db.run.count({ where: { id: runId, status: "CANCELLED" } })).toBe(1);
    await db.run.update({ where: { id: runId }, data: { status: "BROKEN" } });
    await cancelRun(localViewer, runId);
  });
});

test.each([
  ["its status", { status: "BROKEN" }],
  ["its error", { error: "no JSON" }],
])("the list of flows shows the last run as unreadable: %s", async (_, data) => {
  const runId = await insertRun();
  const { flowId } = await db.run.update({ where: { id: runId }, data });
  const { flows } = await listFlows(localViewer, {});
  expect(flows.find(({ id }) => id === flowId)?.lastRun).toMatchObject({ id: runId, status: "UNREADABLE" });
});

test("the list of agents shows a step with another status as failed, and lists the others", async () => {
  const [runId, healthy] = [await insertRun(), await insertRun()];
  await db.runNode.updateMany({ where: { runId, name: "a" }, data: { status: "BROKEN" } });
  const { agents } = await listAgents(localViewer, {});
  expect(agents.find(({ run, name }) => run === runId && name === "a")).toMatchObject({ status: "FAILED" });
  expect(agents.filter(({ run }) => run === healthy)).toHaveLength(2);
});

test("the list shows plain words for a run that cannot be read", async () => {
  const runId = await insertRun();
  await db.run.update({ where: { id: runId }, data: { usage: "no JSON" } });
  const { runs } = await listRuns(localViewer, { id: runId });
  expect(runs[0]?.error?.message).toBe(
    "The stored record of this run is damaged and cannot be read. Start the run again. The log of the server has the reason.",
  );
});
