import { emptyLayout, type Layout } from "@/lib/core/flow/edit";
import type { NodeStatuses } from "@/lib/core/trace/model/node-statuses";

interface SampleFlow {
  source: string;
  layout: Layout;
  statuses: NodeStatuses;
}

const none: NodeStatuses = new Map();
const done = {
  status: "SUCCESS",
  simulated: false,
  runs: 1,
  elapsedMs: 2300,
  runningSince: null,
  tokens: 1101,
  cost: 0.007,
} as const;

export const sampleFlows: Record<"sample" | "empty" | "broken", SampleFlow> = {
  sample: {
    source: `name: Sample
agents:
  planner: { model: "demo:planner", tools: [calculator] }
  analyst: { model: "demo:analyst" }
  critic: { model: "openai:gpt-5.4-mini", tools: [web_search, read_page] }
  writer: { model: "demo:writer" }
  editor: { model: "demo:critic" }
  desk: { model: "demo:writer" }
  billing: { model: "demo:writer" }
groups:
  review: { type: parallel, flow: "analyst | critic" }
loops:
  refine: { body: writer >> editor, count: 3 }
swarms:
  help: { type: handoff, agents: [desk, billing], edges: [[desk, billing]] }
swarm:
  flow: planner >> review >> refine >> help
`,
    layout: {
      ...emptyLayout,
      notes: { why: { x: 0, y: 320, width: 220, height: 90, text: "The critic may take its time.", color: "yellow" } },
    },
    statuses: new Map([
      ["planner", { ...done, simulated: true }],
      ["review", { ...done, status: "RUNNING" }],
      ["review/analyst", { ...done, status: "FAILED" }],
      ["review/critic", { ...done, status: "RUNNING", runs: 2 }],
      ["refine", { ...done, status: "WAITING", runs: 3 }],
      ["refine/writer", { ...done, status: "TIMEOUT", runs: 12 }],
      ["refine/editor", { ...done, status: "CANCELLED" }],
      ["help", { ...done, status: "INIT" }],
      ["help/desk", { ...done, runs: 2 }],
      ["help/desk//help/billing", { ...done, runs: 2 }],
    ]),
  },
  empty: { source: "name: Empty\n", layout: emptyLayout, statuses: none },
  broken: { source: 'name: Broken\nagents: { a: "\n', layout: emptyLayout, statuses: none },
};
