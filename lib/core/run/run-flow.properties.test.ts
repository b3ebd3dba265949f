import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { emptyRunState, findNode, foldEvents } from "../trace/model/fold-events";
import type { RunEvent, RunEventOf } from "./events/events";
import { addUsage, noUsage } from "./events/usage";
import type { Tool } from "./ports/tool";
import type { ScriptedTurn } from "./testing/scripted-model";
import { type FinishedRun, type FlowSketch, runScripted } from "./testing/scripted-run";

type Shape =
  | { type: "agent"; turn: ScriptedTurn }
  | { type: "serial" | "parallel" | "group-serial" | "group-parallel" | "swarm"; members: Shape[] };

const textTurn = fc.record({ text: fc.array(fc.string({ maxLength: 3 })), delayMs: fc.constantFrom(0, 1, 5, 50) });
const toolTurn = fc.record({
  text: fc.constantFrom("", "pre"),
  calls: fc.array(fc.record({ name: fc.constantFrom("echo", "broken", "gone") }), { minLength: 1, maxLength: 3 }),
});
const badTurn = fc.record({
  text: fc.constantFrom("", "half"),
  delayMs: fc.constantFrom(0, 1, 20),
  end: fc.constantFrom(
    "interrupted" as const,
    "throws" as const,
    "never" as const,
    { class: "network" as const, message: "reset" },
    { class: "auth" as const, message: "no", status: 401 },
  ),
});
const turn: fc.Arbitrary<ScriptedTurn> = fc.oneof(
  { arbitrary: textTurn, weight: 12 },
  { arbitrary: toolTurn, weight: 2 },
  { arbitrary: badTurn, weight: 1 },
);
const kinds = ["serial", "parallel", "group-serial", "group-parallel", "swarm"] as const;
const shape = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ type: fc.constant("agent" as const), turn }),
    fc.record({ type: fc.constantFrom(...kinds), members: fc.array(tie("shape"), { minLength: 1, maxLength: 4 }) }),
  ),
})).shape;

interface Plan {
  text: FlowSketch;
  turns: Map<string, ScriptedTurn>;
}

/** Gives every agent, group and swarm of a shape a name of its own. */
function toPlan(root: Shape): Plan {
  const turns = new Map<string, ScriptedTurn>();
  const groups: NonNullable<FlowSketch["groups"]> = {};
  const swarms: NonNullable<FlowSketch["swarms"]> = {};
  let count = 0;
  const write = (part: Shape): string => {
    if (part.type === "agent") {
      const name = `a${++count}`;
      turns.set(name, part.turn);
      return name;
    }
    const join = part.type.endsWith("parallel") ? " | " : " >> ";
    const text = part.members.map(write).join(join);
    if (part.type === "serial" || part.type === "parallel") return part.members.length > 1 ? `(${text})` : text;
    const name = `c${++count}`;
    if (part.type === "swarm") swarms[name] = { flow: text };
    else groups[name] = { mode: part.type === "group-serial" ? "serial" : "parallel", flow: text };
    return name;
  };
  const flow = write(root);
  const agents = Object.fromEntries(
    [...turns.keys()].map((name) => [name, { tools: ["echo", "broken"], max_steps: 4 }]),
  );
  return { text: { flow, groups, swarms, agents }, turns };
}

const makeTool = (name: string, execute: Tool["execute"]): Tool => ({
  spec: { name, description: "", parameters: {} },
  input: z.unknown(),
  execute,
});
const tools = [
  makeTool("echo", async (input) => input),
  makeTool("broken", async () => {
    throw new Error("broken");
  }),
];

interface World {
  cancelAt: number | null;
  maxSeconds: number;
}

function perform({ text, turns }: Plan, { cancelAt, maxSeconds }: World): Promise<FinishedRun> {
  return runScripted(text, {
    script: ({ agent }, number) => (number === 0 ? (turns.get(agent) ?? {}) : { text: `later ${agent}` }),
    tools,
    options: { limits: { max_seconds: maxSeconds } },
    onEvent: (event, { abort }) => {
      if (event.seq === cancelAt) abort.abort();
    },
  });
}

const started = (events: readonly RunEvent[]) => events.filter((event) => event.type === "node.started");

function checkOrder({ events }: FinishedRun): void {
  expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => i + 1));
  expect(events.map((event) => event.at)).toEqual(events.map((event) => event.at).toSorted((a, b) => a - b));
  expect(events[0]?.type).toBe("run.started");
  expect(events.filter((event) => event.type === "run.finished")).toEqual(events.slice(-1));
  const nodes = started(events);
  expect(nodes.map((node) => node.id)).toEqual(nodes.map((_, i) => i + 1));
  expect(new Set(nodes.map((node) => node.path)).size).toBe(nodes.length);
  const open = new Map<number, RunEventOf<"node.started">>();
  for (const event of events) {
    if (event.type === "node.started") {
      expect(event.parent === undefined || open.has(event.parent)).toBe(true);
      open.set(event.id, event);
    } else if ("id" in event) expect(open.has(event.id)).toBe(true);
    if (event.type !== "node.finished") continue;
    open.delete(event.id);
    expect([...open.values()].filter((node) => node.parent === event.id)).toEqual([]);
  }
  expect([...open]).toEqual([]);
}

function checkPicture({ events, last }: FinishedRun): void {
  const state = foldEvents(emptyRunState, events);
  expect(state).toMatchObject({ status: last.status, output: last.output, usage: last.usage, seq: events.length });
  for (const event of events) {
    if (event.type !== "node.finished") continue;
    const { status, output, usage } = event;
    expect(findNode(state, event.id)).toMatchObject({ status, output, usage, endedAt: event.at });
  }
  const calls = state.nodes.filter((node) => node.kind === "llm_call");
  expect(calls.map((node) => node.usage).reduce(addUsage, noUsage)).toEqual(last.usage);
  const root = state.nodes[0];
  expect(root).toMatchObject({ status: last.status, output: last.output, usage: last.usage });
  if (last.error?.path !== undefined)
    expect(state.nodes.find((node) => node.path === last.error?.path)?.status).toMatch(/FAILED|TIMEOUT/);
  expect(last.error === undefined).toBe(last.status === "SUCCESS");
}

function checkCalls({ events, last, models, clock }: FinishedRun, plan: Plan): void {
  const agents = started(events).filter((node) => node.kind === "agent");
  expect(new Set(agents.map((node) => node.name)).size).toBe(agents.length);
  if (last.status === "SUCCESS")
    expect(agents.map((node) => node.name).toSorted()).toEqual([...plan.turns.keys()].toSorted());
  // A call that was stopped before its request was sent used nothing.
  expect(last.usage.calls).toBe(events.filter(({ type }) => type === "request.sent").length);
  expect(last.usage.calls).toBeLessThanOrEqual(models.requests.length);
  expect(clock.sleeping).toBe(0);
}

test("any flow ends with one terminal event, every started node is finished, every agent runs once", async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      shape,
      fc.record({
        cancelAt: fc.option(fc.integer({ min: 1, max: 60 }), { freq: 3 }),
        maxSeconds: fc.constantFrom(1, 100),
      }),
      async (root, world) => {
        const plan = toPlan(root);
        const ran = await perform(plan, world);
        seen.set(ran.last.status, (seen.get(ran.last.status) ?? 0) + 1);
        checkOrder(ran);
        checkPicture(ran);
        checkCalls(ran, plan);
      },
    ),
    { numRuns: 400 },
  );
  expect([...seen.keys()].toSorted()).toEqual(["CANCELLED", "FAILED", "SUCCESS", "TIMEOUT"]);
});

test("the same run gives the same events twice", async () => {
  await fc.assert(
    fc.asyncProperty(shape, async (root) => {
      const world = { cancelAt: null, maxSeconds: 100 };
      const [one, two] = [await perform(toPlan(root), world), await perform(toPlan(root), world)];
      expect(one.events).toEqual(two.events);
    }),
    { numRuns: 60 },
  );
});
