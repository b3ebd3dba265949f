import { beforeAll, expect, test, vi } from "vitest";
import { runEventSchema } from "@/lib/core/run/events/events";
import { noUsage } from "@/lib/core/run/events/usage";
import { localViewer } from "../../auth/viewer";
import { type Db, getRunStore } from "../../db";
import { createFlow } from "../../flows/commands";
import { startServices } from "../../start";
import { RunRecorder } from "../drive/run-recorder";
import { readState } from "../store/run-rows";
import { newRow } from "../testing/insert-runs";
import { getRun } from "./queries";

let db: Db;
beforeAll(async () => {
  db = await startServices();
  await globalThis.swarmloomServices?.endRuns();
});

const usage = { ...noUsage, calls: 1, input: 3, output: 2 };

/** An agent of a chain and its call, which answers and may end. */
function* listEvents(index: number, isEnded: boolean): Generator<object> {
  const [agent, call, path] = [2 * index + 2, 2 * index + 3, `a[${index}]`];
  yield { type: "node.started", id: agent, parent: 1, path, kind: "agent", name: "a", input: { text: "go" } };
  const start = { type: "node.started", path: `${path}#llm-1`, kind: "llm_call", name: "demo:a" };
  yield { ...start, id: call, parent: agent, input: { text: "[]" } };
  yield { type: "request.sent", id: call, provider: "demo", url: "demo:", body: { text: "{}" } };
  yield { type: "text.appended", id: call, text: `answer ${index}` };
  if (!isEnded) return;
  for (const id of [call, agent])
    yield { type: "node.finished", id, status: "SUCCESS", output: { text: `answer ${index}` }, usage };
}

/** A run under way, and what adds agents to it: all but the last have ended. */
async function openRun() {
  const { id: flowId, revision: revisionId } = await createFlow(localViewer, {
    source: 'name: Long\nagents: { a: { model: "demo:a" } }\nswarm: { flow: a }\n',
  });
  const claim = { owner: "me", epoch: 1 };
  const columns = { flowId, revisionId, flowName: "Long", status: "RUNNING" };
  const { id: runId } = await db.run.create({ data: { ...newRow(), ...columns, ...claim } });
  const recorder = new RunRecorder(getRunStore(), { runId, ...claim });
  let [seq, agents] = [0, 0];
  const add = (event: object): void => {
    seq++;
    recorder.add(runEventSchema.parse({ seq, at: 1_000 + seq, ...event }));
  };
  add({ type: "run.started", input: { text: "go" }, flow: "Long" });
  add({ type: "node.started", id: 1, path: "/", kind: "swarm", name: "Long", input: { text: "go" } });
  const addAgents = async (count: number): Promise<void> => {
    for (let last = agents + count - 1; agents <= last; agents++)
      for (const event of listEvents(agents, agents < last)) add(event);
    await recorder.flush();
  };
  return { runId, addAgents };
}

test("a long run under way is the same by its rows and its last events as by all of its events", async () => {
  const { runId, addAgents } = await openRun();
  await addAgents(600);
  const findMany = vi.spyOn(db.runEvent, "findMany");
  expect((await getRun(localViewer, runId)).state).toEqual(await readState(db, runId));
  const [first] = findMany.mock.calls;
  expect(first?.[0]?.where).toMatchObject({ seq: { gt: 3_600 } });
  findMany.mockRestore();
});

test("what happened since the state was stored is read from the events", async () => {
  const { runId, addAgents } = await openRun();
  await addAgents(600);
  await addAgents(700);
  expect((await getRun(localViewer, runId)).state).toEqual(await readState(db, runId));
});

test("steps that begin and end while a reader takes its pages are not in its answer", async () => {
  const { runId, addAgents } = await openRun();
  await addAgents(600);
  const state = await readState(db, runId);
  const findMany = vi.spyOn(db.runNode, "findMany");
  findMany.mockImplementationOnce((...args) => {
    findMany.mockRestore();
    return addAgents(300).then(() => db.runNode.findMany(...args)) as never;
  });
  expect((await getRun(localViewer, runId)).state).toEqual(state);
});
