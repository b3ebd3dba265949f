import { expect } from "vitest";
import { z } from "zod";
import { readSource } from "../../source/read-source";
import { emptyRunState, foldEvents } from "../../trace/model/fold-events";
import type { RunEvent } from "../events/events";
import { Journal } from "../journal/journal";
import type { ModelRequest } from "../ports/model";
import type { RunOptions } from "../ports/run-options";
import type { Tool } from "../ports/tool";
import type { ScriptedTurn } from "./scripted-model";
import { type FinishedRun, runScripted } from "./scripted-run";

const model = 'model: "scripted:m"';
const agents = (...names: string[]): string =>
  `agents:\n${names.map((name) => `  ${name}: { ${model}, tools: [note] }\n`).join("")}`;
/** One flow of each shape, with the agents of `decide`. */
export const flows: Record<string, string> = {
  serial: `${agents("a", "b", "c")}swarm: { flow: a >> b >> c }\n`,
  parallel: `${agents("a", "b", "c", "d", "e")}swarm: { flow: (a >> b | c | d) >> e }\n`,
  nested: `${agents("a", "b", "c")}swarms: { s: { flow: (a | b) } }\nswarm: { flow: a >> s >> c }\n`,
  loop: `${agents("a", "b", "c")}loops: { l: { body: a >> b, count: 3 } }\nswarm: { flow: l >> c }\n`,
  branch: `${agents("a", "b", "c")}branches: { x: { condition: "len(input) > 3", if_true: b, if_false: c } }\nswarm: { flow: a >> x >> c }\n`,
  team: `${agents("lead", "w")}swarm: { type: team, agents: [lead, w] }\n`,
  handoff: `${agents("x", "y")}swarm: { type: handoff, agents: [x, y], edges: [[x, y], [y, x]] }\n`,
  orchestrate: `${agents("boss", "w")}swarm: { type: orchestrate, agents: [boss, w] }\n`,
  approval: `${agents("a", "b")}approvals: { ok: { message: "Go on?" } }\nswarm: { flow: a >> ok >> b }\n`,
};

/** What the model of an agent does next depends on the conversation alone, as that of a model with no randomness. */
function decide({ agent, messages }: ModelRequest): ScriptedTurn {
  const results = messages.filter((message) => message.role === "tool").length;
  const usage = { input: 3, output: 2, cost: 0.5 };
  const call = (name: string, input = {}): ScriptedTurn => ({ calls: [{ name, arguments: input }], usage, delayMs: 2 });
  const text = `${agent}${results} of ${messages.at(-1)?.content.length ?? 0}`;
  const answer: ScriptedTurn = { text: [text.slice(0, 2), text.slice(2)], paceMs: 1, usage };
  if (agent === "lead" && results < 2) return call("delegate_to_w", { task: `t${results}` });
  if (agent === "boss" && results < 2) return call("spawn_agent", { purpose: `p${results}`, agent: "w" });
  if (agent === "boss" && results === 2) return call("await_agents");
  if ((agent === "x" || agent === "y") && messages.filter(({ role }) => role === "user").length < 3)
    return call(`transfer_to_${agent === "x" ? "y" : "x"}`, { reason: "r" });
  return results === 0 && agent !== "c" ? call("note", { text: agent }) : answer;
}

/** What reached the outside: `path` is not known there, so calls are told apart by what they were asked. */
export class Outside {
  readonly modelCalls: string[] = [];
  readonly toolCalls: string[] = [];
  readonly tool: Tool = {
    spec: { name: "note", description: "", parameters: {} },
    input: z.object({ text: z.string() }),
    execute: async (_, { idempotencyKey }) => {
      this.toolCalls.push(idempotencyKey);
      return "noted";
    },
  };
  readonly script = (request: ModelRequest): ScriptedTurn => {
    this.modelCalls.push(JSON.stringify([request.agent, request.messages]));
    return decide(request);
  };
}

/** Approves everything. */
export const humanInput = { ask: async () => ({ decision: "approved", by: "Ann" }) as const };

export const readFlow = (name: string) =>
  readSource(
    `name: ${name}
${flows[name]}`,
    { tools: ["note"] },
  );

/** Runs the flow to its end. */
export const finish = (name: string, outside: Outside, options: RunOptions = {}): Promise<FinishedRun> =>
  runScripted(readFlow(name).flow, {
    script: outside.script,
    tools: [outside.tool],
    context: { humanInput },
    options: { runId: "run", ...options },
  });

export function toJournal(events: readonly RunEvent[]): Journal {
  const journal = new Journal();
  for (const event of events) journal.add(event);
  return journal;
}

export const withoutTimes = (events: readonly RunEvent[]) => {
  const { nodes, ...run } = foldEvents(emptyRunState, events);
  const toFacts = ({ path, kind, name, status, output, usage, parent }: (typeof nodes)[number]) => {
    const above = nodes.find(({ id }) => id === parent)?.path;
    return { path, kind, name, status, output: output.text, calls: usage.calls, above };
  };
  return {
    status: run.status,
    output: run.output.text,
    nodes: nodes.map(toFacts).sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
};

export function expectValid(events: readonly RunEvent[]): void {
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  const times = events.map(({ at }) => at);
  expect(times.toSorted((a, b) => a - b)).toEqual(times);
  const started = events.filter((event) => event.type === "node.started");
  expect(new Set(started.map(({ id }) => id)).size).toBe(started.length);
  expect(new Set(started.map(({ path }) => path)).size).toBe(started.length);
  const finished = events.filter((event) => event.type === "node.finished").map(({ id }) => id);
  expect(finished.toSorted((a, b) => a - b)).toEqual(started.map(({ id }) => id).toSorted((a, b) => a - b));
  expect(events.filter(({ type }) => type === "run.finished")).toHaveLength(1);
  expect(events.at(-1)?.type).toBe("run.finished");
}
