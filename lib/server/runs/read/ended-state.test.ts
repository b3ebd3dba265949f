import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test, vi } from "vitest";
import { isTerminal } from "@/lib/core/run/events/run-status";
import type { RunNode } from "@/lib/core/trace/model/run-state";
import { localViewer } from "../../auth/viewer";
import type { Db } from "../../db";
import { createFlow } from "../../flows/commands";
import { startServices } from "../../start";
import { cancelRun, startRun } from "../commands";
import { readState } from "../store/run-rows";
import { readEndedState, readStoredNodes } from "./ended-state";
import { getRun } from "./queries";

let db: Db;
beforeAll(async () => {
  vi.stubEnv("SWARMLOOM_DEMO_SPEED", "1000");
  db = await startServices();
});

async function perform(flow: string, input: string, cancel = false): Promise<string> {
  const agents = ["a", "b", "c"].map((name) => `  ${name}: { model: "demo:writer", tools: [calculator] }`).join("\n");
  const source = `name: Mixed\nagents:\n${agents}\n${flow}`;
  const { id: flowId } = await createFlow(localViewer, { source });
  const { id } = await startRun(localViewer, flowId, { input });
  if (cancel) await cancelRun(localViewer, id);
  while (!isTerminal((await getRun(localViewer, id)).status)) await sleep(5);
  return id;
}

test.each([
  ["swarm: { flow: a >> (b | c) }\n", "Tell me.", false],
  ["swarm: { flow: a >> b }\n", 'demo: call calculator {"expression": "6*7"}', false],
  ["swarm: { flow: a >> b }\n", "demo: error 401", false],
  ["loops: { l: { body: a >> b, count: 3 } }\nswarm: { flow: l >> c }\n", `${"long ".repeat(10_000)}`, false],
  ["swarm: { flow: a }\n", "demo: slow", true],
])("an ended run is the same by its rows as by its events: %s", async (flow, input, cancel) => {
  const id = await perform(flow, input, cancel);
  const run = await db.run.findUniqueOrThrow({ where: { id } });
  const nodes: RunNode[] = [];
  for await (const page of readStoredNodes(db, id)) nodes.push(...page);
  expect({ ...(await readEndedState(db, run)), nodes }).toEqual(await readState(db, id));
});

test("of the events of an ended run only the first and the last are read", async () => {
  const id = await perform("swarm: { flow: a >> b }\n", "Tell me.");
  const findMany = vi.spyOn(db.runEvent, "findMany");
  await getRun(localViewer, id);
  expect(findMany).not.toHaveBeenCalled();
  findMany.mockRestore();
});
