import { afterEach, beforeAll, expect, test } from "vitest";
import { POST } from "@/app/api/v1/flows/[id]/runs/route";
import { GET } from "@/app/api/v1/runs/[id]/route";
import type { RunEvent } from "@/lib/core/run/events/events";
import type { ScriptedTurn } from "@/lib/core/run/testing/scripted-model";
import { localViewer } from "../auth/viewer";
import type { Db } from "../db";
import { createFlow } from "../flows/commands";
import { startServices } from "../start";
import { runAgain } from "./commands";
import { forkRun, retryRun } from "./fork";
import { readRunEvents } from "./read/queries";
import { insertWaitingRun, OwnExecutors, waitForEnd } from "./testing/own-executors";

let db: Db;
let executors: OwnExecutors;
beforeAll(async () => {
  db = await startServices();
  // The executor of the services would take runs that wait for an executor of a test.
  await globalThis.swarmloomServices?.endRuns();
  executors = new OwnExecutors(db);
});
afterEach(() => executors.stop());

const source = `name: Limited
agents:
  a: { model: "demo:x" }
  b: { model: "demo:x" }
swarm: { type: workflow, flow: a >> b }
`;
const headers = { host: "127.0.0.1:3000", "content-type": "application/json" };
const address = "http://127.0.0.1:3000/api/v1";
const parameters = { max_steps: 1, max_retries: 0 };

async function post(flow: string, body: object, key?: string) {
  const request = new Request(`${address}/flows/${flow}/runs`, {
    method: "POST",
    headers: { ...headers, ...(key !== undefined && { "idempotency-key": key }) },
    body: JSON.stringify({ input: "go", ...body }),
  });
  const response = await POST(request, { params: Promise.resolve({ id: flow }) });
  const text = await response.text();
  return { status: response.status, text, id: /"id":"([^"]+)"/.exec(text)?.[1] ?? "" };
}

/** `a` answers; `b` calls a tool that it does not have, again and again. */
const script = ({ agent }: { agent: string }, turn: number): ScriptedTurn =>
  agent === "a" ? { text: "A" } : { text: `try ${turn}`, calls: [{ name: "gone", arguments: { turn } }] };

const makeFlow = async (): Promise<string> => (await createFlow(localViewer, { source })).id;
const stepLimit = { status: "FAILED", error: { code: "step-limit", path: "b" } };

async function startedWith(id: string): Promise<unknown> {
  const { events } = await readRunEvents(localViewer, id, 0, 1);
  return events[0]?.type === "run.started" ? events[0].parameters : null;
}

test("a run has the parameters that the request names, and its events and state show them", async () => {
  const { executor } = executors.make(script);
  const { id, status } = await post(await makeFlow(), { parameters });
  expect(status).toBe(202);
  executor.wake();
  const ended = await waitForEnd(id);
  expect(ended).toMatchObject({ ...stepLimit, state: { parameters } });
  expect(ended.state.nodes.filter(({ path }) => /^b#llm-\d+$/.test(path))).toHaveLength(1);
  expect(await startedWith(id)).toEqual(parameters);
  const response = await GET(new Request(`${address}/runs/${id}`, { headers }), { params: Promise.resolve({ id }) });
  expect(await response.json()).toMatchObject({ state: { parameters } });
});

test.each([
  [{ max_steps: 0 }, "parameters.max_steps"],
  [{ loop_threshold: "3" }, "parameters.loop_threshold"],
  [{ temperature: 1 }, "temperature"],
])("parameters that are not valid (%j) are refused with their path", async (wrong, path) => {
  const { status, text } = await post(await makeFlow(), { parameters: wrong });
  expect(status).toBe(400);
  expect(text).toContain(path);
});

test("a run again, a retry and a fork keep them", async () => {
  const { executor } = executors.make(script);
  const { id } = await post(await makeFlow(), { parameters });
  executor.wake();
  const ended = await waitForEnd(id);
  const node = ended.state.nodes.find(({ path }) => path === "b")?.id ?? 0;
  const later = [
    await runAgain(localViewer, id),
    await retryRun(localViewer, id),
    await forkRun(localViewer, id, { node, input: "other" }),
    await forkRun(localViewer, id, { node, revision: "current" }),
  ];
  executor.wake();
  for (const run of later) {
    expect(await waitForEnd(run.id)).toMatchObject(stepLimit);
    expect(await startedWith(run.id)).toEqual(parameters);
  }
});

test("a run that was killed goes on with them, whether or not it had begun", async () => {
  const dead = { status: "RUNNING", owner: "dead", epoch: 1, leaseUntil: new Date(Date.now() - 1000) };
  const row = { ...dead, parameters: JSON.stringify(parameters) };
  const notBegun = await insertWaitingRun(source, "go", row);
  const begun = await insertWaitingRun(source, "go", row);
  const at = Date.now() - 5000;
  const events: RunEvent[] = [
    { seq: 1, at, type: "run.started", input: { text: "go" }, flow: "Limited", parameters },
    { seq: 2, at, type: "node.started", id: 1, path: "/", kind: "swarm", name: "Limited", input: { text: "go" } },
  ];
  await db.runEvent.createMany({
    data: events.map((event) => ({
      ...{ seq: event.seq, type: event.type, body: JSON.stringify(event) },
      ...{ runId: begun, at: new Date(event.at) },
    })),
  });
  let seconds = 0;
  const { executor } = executors.make(script, { monotonicNow: () => seconds * 1000 });
  for (; seconds <= 10; seconds += 5) await executor.beat();
  for (const id of [notBegun, begun]) {
    expect(await waitForEnd(id)).toMatchObject(stepLimit);
    expect(await startedWith(id)).toEqual(parameters);
  }
});

test("a key that was used with other parameters is refused", async () => {
  const flow = await makeFlow();
  const first = await post(flow, { parameters }, "p-1");
  expect(await post(flow, { parameters }, "p-1")).toMatchObject({ status: 202, id: first.id });
  expect((await post(flow, {}, "p-1")).status).toBe(409);
  expect((await post(flow, { parameters: { max_steps: 2 } }, "p-1")).status).toBe(409);
});
