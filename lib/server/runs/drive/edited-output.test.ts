import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { localViewer } from "../../auth/viewer";
import type { Db } from "../../db";
import { startServices } from "../../start";
import { forkRun } from "../fork";
import { insertWaitingRun, OwnExecutors, waitForEnd } from "../testing/own-executors";

const flow = `name: Long
agents:
  a: { model: "compatible:x" }
swarm: { flow: a }
`;

let db: Db;
let executors: OwnExecutors;
beforeAll(async () => {
  vi.stubEnv("COMPATIBLE_BASE_URL", "http://127.0.0.1:9/v1");
  db = await startServices();
  await globalThis.swarmloomServices?.endRuns();
  executors = new OwnExecutors(db);
});
afterAll(async () => {
  await executors.stop();
  vi.unstubAllEnvs();
});

test("an edited output takes the place of a long answer with long facts: no model and no tool is called", async () => {
  const long = { name: "gone", arguments: { text: "x".repeat(20_000) } };
  const first = executors.make({ a: [{ calls: [long], text: "t".repeat(20_000) }, { text: "done" }] });
  const parent = await insertWaitingRun(flow);
  first.executor.wake();
  const { state } = await waitForEnd(parent);
  const node = state.nodes.find(({ path }) => path === "a#llm-1")?.id ?? 0;
  expect(await db.runPayload.count({ where: { runId: parent, nodeId: node, field: "metadata" } })).toBe(1);
  const output = "edited ".repeat(4_000);
  const { id } = await forkRun(localViewer, parent, { node, output });
  const second = executors.make({ a: [{ text: "billed" }] });
  second.executor.wake();
  const fork = await waitForEnd(id);
  expect(second.models.requests).toEqual([]);
  expect([fork.status, fork.usage.calls]).toEqual(["SUCCESS", 0]);
  expect(fork.state.nodes.map(({ path }) => path)).toEqual(["/", "a", "a#llm-1"]);
  const fields = await db.runPayload.findMany({ where: { runId: id, nodeId: 3 }, select: { field: true } });
  expect(fields.map(({ field }) => field)).not.toContain("metadata");
});
