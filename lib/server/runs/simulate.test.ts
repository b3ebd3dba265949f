import { setTimeout as sleepFor } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { isTerminal } from "@/lib/core/run/events/run-status";
import type { Usage } from "@/lib/core/run/events/usage";
import { Trace } from "@/lib/core/trace/model/trace";
import { applyBatch, toBatch } from "@/lib/core/trace/model/trace-batch";
import { listAgentSteps } from "@/lib/core/trace/timeline/agent-steps";
import { localViewer } from "../auth/viewer";
import { createFlow } from "../flows/commands";
import { listFlows } from "../flows/list-flows";
import { publishFlow } from "../flows/publish";
import { startServices } from "../start";
import { runAgain, startRun } from "./commands";
import { getRun, readRunEvents } from "./read/queries";

beforeAll(async () => {
  await startServices();
});

const everyKind = `name: Every kind
agents:
  triage: { model: "compatible:a" }
  coder: { model: "compatible:b", fallback_model: "compatible:c" }
  lead: { model: "compatible:d", instructions: "Delegate to the worker." }
  worker: { model: "compatible:e" }
  head: { model: "compatible:f" }
swarms:
  crew: { type: team, agents: [lead, worker] }
  office: { type: orchestrate, agents: [head] }
routers:
  desk: { model: "compatible:g", lanes: { code: { when: code, flow: coder }, text: { when: text, flow: triage } } }
swarm: { type: workflow, flow: desk >> crew >> office }
`;

async function ended(id: string) {
  for (;;) {
    const run = await getRun(localViewer, id);
    if (isTerminal(run.status)) return run;
    await sleepFor(5);
  }
}

const start = async (source: string, simulate?: boolean) => {
  const { id } = await createFlow(localViewer, { source });
  return startRun(localViewer, id, { input: "Look at this code.", simulate });
};

test("a simulated run needs no key, and every model of every kind of node is simulated", async () => {
  await expect(start(everyKind)).rejects.toThrow("COMPATIBLE_BASE_URL");
  const run = await ended((await start(everyKind, true)).id);
  expect(run).toMatchObject({ status: "SUCCESS", simulated: true });
  const calls = run.state.nodes.filter(({ kind }) => kind === "llm_call");
  expect(new Set(calls.map(({ request }) => request?.provider))).toEqual(new Set(["demo"]));
  // The models of the flow stay visible in the run.
  expect(new Set(calls.map(({ name }) => name))).toEqual(
    new Set(["compatible:g", "compatible:b", "compatible:d", "compatible:e", "compatible:f"]),
  );
  for (const kind of ["router", "swarm"]) expect(run.state.nodes.some((node) => node.kind === kind)).toBe(true);
});

test("a tool without its setting blocks a run, but not a simulated one", async () => {
  const source = `agents:\n  a: { model: "demo:writer", tools: [web_search, file_read] }\nswarm: { flow: a }\n`;
  const { id } = await createFlow(localViewer, { source });
  expect((await listFlows(localViewer)).flows.find((flow) => flow.id === id)).toMatchObject({ errors: 0 });
  await expect(startRun(localViewer, id, { input: "x" })).rejects.toMatchObject({
    code: "bad_request",
    details: {
      problems: [
        { code: "missing-setting", message: expect.stringContaining("sets TAVILY_API_KEY or BRAVE_API_KEY or") },
        { code: "missing-setting", message: expect.stringContaining("sets SWARMLOOM_WORKSPACE on the server") },
      ],
    },
  });
  // Settings come and go without a save.
  await publishFlow(localViewer, id);
  const run = await startRun(localViewer, id, { input: "x", simulate: true });
  expect(await ended(run.id)).toMatchObject({ status: "SUCCESS" });
});

test("a simulated run is marked so before its first model call, and so is a run of it again", async () => {
  const { id } = await start(everyKind, true);
  expect((await getRun(localViewer, id)).simulated).toBe(true);
  await ended(id);
  const again = await ended((await runAgain(localViewer, id)).id);
  expect(again).toMatchObject({ status: "SUCCESS", simulated: true });
  const { events } = await readRunEvents(localViewer, again.id, 0, 1);
  expect(events).toMatchObject([{ type: "run.started", simulated: true }]);
});

test("a run with demo models of its own is not started again as a simulated one", async () => {
  const source = `agents:\n  a: { model: "demo:writer" }\nswarm: { type: workflow, flow: a }\n`;
  const first = await ended((await start(source)).id);
  expect(first.simulated).toBe(true);
  const again = await ended((await runAgain(localViewer, first.id)).id);
  const { events } = await readRunEvents(localViewer, again.id, 0, 1);
  expect(events[0]).not.toHaveProperty("simulated");
});

test("problems that are not about keys block a simulated run too", async () => {
  const source = `agents:\n  a: { model: "compatible:x", tools: [nothing] }\nswarm: { type: workflow, flow: a }\n`;
  await expect(start(source, true)).rejects.toThrow('"nothing"');
});

test("the steps of a run add up to its usage, also where agents call agents", async () => {
  const run = await ended((await start(everyKind, true)).id);
  const { events } = await readRunEvents(localViewer, run.id, 0, 2000);
  const trace = new Trace();
  const batch = toBatch(events);
  if (batch) applyBatch(trace, batch);
  const steps = listAgentSteps(trace);
  expect(new Set(steps.map(({ key }) => key))).toEqual(
    new Set(["desk", "desk/coder", "crew/lead", "crew/worker", "office/head"]),
  );
  const sum = (pick: (usage: Usage) => number): number => steps.reduce((total, { usage }) => total + pick(usage), 0);
  expect(sum(({ input }) => input)).toBe(run.usage.input);
  expect(sum(({ output }) => output)).toBe(run.usage.output);
  expect(sum(({ calls }) => calls)).toBe(run.usage.calls);
});
