import { setTimeout as sleepFor } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { RunEvent } from "@/lib/core/run/events/events";
import type { Script, ScriptedModels } from "@/lib/core/run/testing/scripted-model";
import { localViewer } from "../../auth/viewer";
import { type Db, getRunStore } from "../../db";
import { startServices } from "../../start";
import { cancelRun } from "../commands";
import { getRun } from "../read/queries";
import { readEvents } from "../store/run-rows";
import { tellAgent } from "../tell-agent";
import { chain, insertWaitingRun, OwnExecutors, waitForEnd } from "../testing/own-executors";
import { LostClaimError, RunRecorder } from "./run-recorder";

let db: Db;
let executors: OwnExecutors;
beforeAll(async () => {
  db = await startServices();
  // The executor of the services would take runs that wait for an executor of a test.
  await globalThis.swarmloomServices?.endRuns();
  executors = new OwnExecutors(db);
});
afterEach(() => executors.stop());

/** The heartbeats of another process for the duration of a lease; `between` happens between two of them. */
async function watchLeases(script: Script, between: () => Promise<unknown> = async () => {}): Promise<ScriptedModels> {
  let seconds = 0;
  const { executor, models } = executors.make(script, { monotonicNow: () => seconds * 1000 });
  for (; seconds <= 10; seconds += 5) {
    await executor.beat();
    await between();
  }
  return models;
}

const dead = { status: "RUNNING", owner: "dead", epoch: 1, leaseUntil: new Date(Date.now() - 1000) };
const at = Date.now() - 5000;
const call = { type: "node.started", path: "a#llm-1", kind: "llm_call", name: "compatible:x" } as const;
/** A run that was killed while its first agent answered. */
const begun: RunEvent[] = [
  { seq: 1, at, type: "run.started", input: { text: "go" }, flow: "Chain" },
  { seq: 2, at, type: "node.started", id: 1, path: "/", kind: "swarm", name: "Chain", input: { text: "go" } },
  { seq: 3, at, type: "node.started", id: 2, parent: 1, path: "a", kind: "agent", name: "a", input: { text: "go" } },
  { seq: 4, at, ...call, id: 3, parent: 2, input: { text: "[]" } },
  { seq: 5, at, type: "request.sent", id: 3, provider: "compatible", url: "x:", body: { text: "{}" } },
  { seq: 6, at, type: "text.appended", id: 3, text: "half a" },
];

async function insertEvents(id: string, events: readonly RunEvent[]): Promise<void> {
  const toRow = (event: RunEvent) => ({ seq: event.seq, type: event.type, body: JSON.stringify(event) });
  await db.runEvent.createMany({
    data: events.map((event) => ({ ...toRow(event), runId: id, at: new Date(event.at) })),
  });
}

async function insertDead(row: object = {}, input = "go"): Promise<string> {
  const id = await insertWaitingRun(chain, input, { ...dead, ...row });
  await insertEvents(id, begun);
  return id;
}

const answers: Script = { a: [{ text: "A" }], b: [{ text: "B" }] };

describe("a run whose process died", () => {
  test("is taken over and goes on; the cut answer is kept as an attempt", async () => {
    const id = await insertDead();
    const models = await watchLeases(answers);
    const run = await waitForEnd(id);
    expect([run.status, run.output.text]).toEqual(["SUCCESS", "B"]);
    expect(run.state.resumedAt).toHaveLength(1);
    expect(run.state.nodes.map(({ path, status, output }) => [path, status, output.text])).toEqual([
      ["/", "SUCCESS", "B"],
      ["a", "SUCCESS", "A"],
      ["a#llm-1", "SUCCESS", "A"],
      ["b", "SUCCESS", "B"],
      ["b#llm-1", "SUCCESS", "B"],
    ]);
    expect(run.state.nodes[2]?.attempts).toMatchObject([
      { attempt: 1, error: { code: "interrupted" }, output: { text: "half a" } },
    ]);
    const [interrupted, answered] = [run.state.nodes[2]?.usage, run.state.nodes[4]?.usage];
    expect(interrupted).toMatchObject({ calls: 2, output: (answered?.output ?? 0) + 2, estimated: true });
    expect(models.requests.map(({ agent }) => agent)).toEqual(["a", "b"]);
    const seqs = (await readEvents(db, id, 0)).map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    const row = await db.run.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ status: "SUCCESS", epoch: 2, owner: null, models: "\ncompatible:x\n" });
    expect(row.search).toBe("go\nb");
  });

  test("makes no call again that had ended, however long its answer", async () => {
    const long = "x".repeat(50_000);
    const first = executors.make({ a: [{ text: long }], b: [{ text: "B", delayMs: 60_000 }] });
    const id = await insertWaitingRun(chain, "go", {});
    first.executor.wake();
    while (first.models.requestsOf("b").length === 0) await sleepFor(5);
    first.executor.stop();
    await db.run.update({ where: { id }, data: { owner: "dead" } });
    const models = await watchLeases({ b: [{ text: "B" }] });
    expect((await waitForEnd(id)).output.text).toBe("B");
    expect(models.requests.map(({ agent }) => agent)).toEqual(["b"]);
    expect(models.requests[0]?.messages.at(-1)?.content).toBe(long);
  });

  test("gets each message that was accepted once, in order: what its agents have read, and what they have not", async () => {
    const longChain = `${chain.replace("swarm:", `  c: { model: "compatible:x" }\nswarm:`).replace("a >> b", "a >> b >> c")}`;
    const first = executors.make({ a: [{ text: "A" }], b: [{ text: "B", delayMs: 60_000 }] });
    const id = await insertWaitingRun(longChain, "go", {});
    await tellAgent(localViewer, id, "a", "Early.");
    first.executor.wake();
    while (first.models.requestsOf("b").length === 0) await sleepFor(5);
    first.executor.stop();
    // As a process stores it whose driver has died since.
    const message = { runId: id, agent: "c", by: "Ann", at: new Date() };
    await db.runMessage.create({ data: { ...message, number: 2, text: "Late.", takenAt: new Date() } });
    await db.runMessage.create({ data: { ...message, number: 3, text: "Later." } });
    await db.run.update({ where: { id }, data: { owner: "dead" } });
    await watchLeases({ b: [{ text: "B" }], c: [{ text: "C" }] });
    const { state } = await waitForEnd(id);
    const notes = state.nodes.flatMap(({ name, notes = [] }) => notes.map(({ message: text }) => `${name}: ${text}`));
    expect(notes).toEqual(["a: Early.", "c: Late.", "c: Later."]);
  });

  test("is taken over once by several processes that notice it", async () => {
    const id = await insertDead();
    const models = await Promise.all([watchLeases(answers), watchLeases(answers), watchLeases(answers)]);
    await waitForEnd(id);
    expect(models.flatMap(({ requests }) => requests)).toHaveLength(2);
    const events = await readEvents(db, id, 0);
    expect(events.filter(({ type }) => type === "run.finished")).toHaveLength(1);
  });

  test("is left alone while its owner goes on with its heartbeats, whatever time they name", async () => {
    const id = await insertDead();
    let heartbeat = Date.now() - 3_600_000;
    await watchLeases({}, async () => {
      heartbeat += 1000;
      await db.run.update({ where: { id }, data: { leaseUntil: new Date(heartbeat) } });
    });
    expect((await getRun(localViewer, id)).status).toBe("RUNNING");
    await db.run.update({ where: { id }, data: { status: "FAILED" } });
  });

  test("is taken over although the clock was set back by an hour since, and ends as cancelled if that was asked for", async () => {
    const leaseUntil = new Date(Date.now() + 3_600_000);
    const [left, cancelled] = [await insertDead({ leaseUntil }), await insertDead({ leaseUntil })];
    await cancelRun(localViewer, cancelled);
    await watchLeases(answers);
    expect((await waitForEnd(left)).status).toBe("SUCCESS");
    const { status, error, output, usage } = await getRun(localViewer, cancelled);
    expect([status, error?.code, output.text]).toEqual(["CANCELLED", "cancelled", "half a"]);
    expect(usage).toMatchObject({ calls: 1, output: 2, cost: null, estimated: true });
  });

  test("is not taken over by a process whose clock was set forward by an hour while its own is alive", async () => {
    const id = await insertWaitingRun(chain, "go", {});
    const { executor } = executors.make({ a: [{ text: ["x", "y"], paceMs: 300 }], b: [{ text: "B" }] });
    executor.wake();
    while ((await getRun(localViewer, id)).status !== "RUNNING") await sleepFor(5);
    const late = executors.make({}, { now: () => Date.now() + 3_600_000 });
    await late.executor.beat();
    await late.executor.beat();
    expect((await waitForEnd(id)).status).toBe("SUCCESS");
  });

  test("takes no writes of that process any more if it was only slow", async () => {
    const id = await insertDead();
    const late = new RunRecorder(getRunStore(), { runId: id, owner: "dead", epoch: 1 });
    await watchLeases(answers);
    while ((await db.run.findUniqueOrThrow({ where: { id } })).epoch === 1) await sleepFor(5);
    late.add({ seq: 7, at: Date.now(), type: "text.appended", id: 3, text: " sentence" });
    await expect(late.flush()).rejects.toThrow(LostClaimError);
    expect((await waitForEnd(id)).output.text).toBe("B");
  });

  test("ends as interrupted when three processes died at the same step; its text and its input are kept", async () => {
    const id = await insertDead({}, `${"x".repeat(20_000)} NEEDLE`);
    await insertEvents(
      id,
      [7, 8, 9].map((seq) => ({ seq, at: at + seq, type: "run.resumed" })),
    );
    const models = await watchLeases({});
    const run = await waitForEnd(id);
    expect(run).toMatchObject({ status: "FAILED", error: { code: "interrupted" }, output: { text: "half a" } });
    expect(run.state.nodes.map(({ usage }) => usage.calls)).toEqual([1, 1, 1]);
    expect(models.requests).toEqual([]);
    const row = await db.run.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ errorCode: "interrupted", models: "\ncompatible:x\n" });
    expect(row.search).toContain("needle");
  });

  test("counts what the cut attempt sent as one call of unknown cost", async () => {
    const id = await insertDead();
    await watchLeases(answers);
    const { usage } = await waitForEnd(id);
    expect(usage).toMatchObject({ calls: 3, cost: null });
    const events = await readEvents(db, id, 0);
    expect(events.find((event) => event.type === "attempt.failed")).toMatchObject({ id: 3, attempt: 1 });
  });
});
