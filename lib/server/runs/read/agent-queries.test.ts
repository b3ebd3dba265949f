import { afterEach, beforeAll, expect, test } from "vitest";
import { GET as GET_LIST } from "@/app/api/v1/agents/route";
import { stepOperations } from "../../api/step-operations";
import { localViewer, type Viewer } from "../../auth/viewer";
import { startServices } from "../../start";
import { cancelRun } from "../commands";
import { insertWaitingRun, OwnExecutors, waitForEnd } from "../testing/own-executors";
import { getAgent, getAgentResult, listAgents } from "./agent-queries";

let executors: OwnExecutors;
beforeAll(async () => {
  const db = await startServices();
  await globalThis.swarmloomServices?.endRuns();
  executors = new OwnExecutors(db);
});
afterEach(() => executors.stop());

const source = `agents:
  lead: { model: "compatible:x" }
  clerk: { model: "compatible:x" }
swarms:
  desk: { type: orchestrate, agents: [lead, clerk], max_concurrent: 1 }
swarm: { flow: desk }
`;
const spawn = (purpose: string) => ({ name: "spawn_agent", arguments: { purpose, agent: "clerk" } });

test("an agent that waits for its turn is listed with the time of its spawning, and is found by its id", async () => {
  const run = await insertWaitingRun(source);
  const { executor } = executors.make({
    lead: [{ calls: [spawn("first"), spawn("second")] }, { text: "on my way" }],
    clerk: [{ text: "at work", end: "never" }],
  });
  executor.wake();
  const list = async () => {
    const address = new Request(`http://127.0.0.1:3000/api/v1/agents?run=${run}`, {
      headers: { host: "127.0.0.1:3000" },
    });
    const answer = await (await GET_LIST(address, { params: Promise.resolve({}) })).json();
    return stepOperations.listAgents.answer.parse(answer).agents;
  };
  await expect.poll(async () => (await list()).map(({ status }) => status)).toEqual(["INIT", "RUNNING", "SUCCESS"]);
  const [waiting, working, lead] = await list();
  expect(waiting).toMatchObject({ spawnedId: "desk/agent-2", name: "clerk", startedAt: null, toolCalls: 0 });
  expect(waiting?.createdAt).toBeGreaterThanOrEqual(lead?.startedAt ?? Number.POSITIVE_INFINITY);
  expect(working?.createdAt).toBeLessThanOrEqual(waiting?.createdAt ?? 0);
  expect(working?.createdAt).toBeLessThanOrEqual(working?.startedAt ?? 0);
  expect(lead?.createdAt).toBe(lead?.startedAt);

  const id = waiting?.id ?? "";
  expect(await getAgent(localViewer, { id })).toMatchObject({
    ...waiting,
    task: { text: "second" },
  });
  expect(await getAgentResult(localViewer, { id: "desk/agent-2", run })).toMatchObject({
    status: "INIT",
    isOver: false,
  });
  const stranger: Viewer = { ...localViewer, roles: new Map() };
  await expect(getAgent(stranger, { id })).rejects.toMatchObject({ code: "not_found" });
  expect((await listAgents(stranger, { run })).agents).toEqual([]);

  await cancelRun(localViewer, run);
  await executor.beat();
  await waitForEnd(run);
  expect((await list()).map(({ status }) => status)).not.toContain("INIT");
});

test("an agent that failed has its error", async () => {
  const run = await insertWaitingRun(source);
  const { executor } = executors.make({
    lead: [{ calls: [spawn("first")] }, { calls: [{ name: "await_agents" }] }, { text: "done" }],
    clerk: [{ end: { class: "invalid-request", message: "No such model." } }],
  });
  executor.wake();
  await waitForEnd(run);
  const { agents } = await listAgents(localViewer, { run });
  const failed = agents.find(({ status }) => status === "FAILED");
  expect(await getAgent(localViewer, { id: failed?.id ?? "" })).toMatchObject({
    error: { message: expect.stringContaining("No such model.") },
  });
});
