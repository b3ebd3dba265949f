import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { readSource } from "../../source/read-source";
import { emptyRunState, foldEvents } from "../../trace/model/fold-events";
import type { RunEvent } from "../events/events";
import type { ModelRequest } from "../ports/model";
import type { Tool } from "../ports/tool";
import { runFlow } from "../run-flow";
import type { ScriptedTurn } from "../testing/scripted-model";
import { type FinishedRun, makeScriptedWorld, runScripted } from "../testing/scripted-run";
import { Journal } from "./journal";

const model = 'model: "scripted:m"';
const agents = (...names: string[]): string =>
  `agents:\n${names.map((name) => `  ${name}: { ${model}, tools: [note] }\n`).join("")}`;
const flows: Record<string, string> = {
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
class Outside {
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

const humanInput = { ask: async () => ({ decision: "approved", by: "Ann" }) as const };

const readFlow = (name: string) =>
  readSource(
    `name: ${name}
${flows[name]}`,
    { tools: ["note"] },
  );

const finish = (name: string, outside: Outside, journal?: Journal): Promise<FinishedRun> =>
  runScripted(readFlow(name).flow, {
    script: outside.script,
    tools: [outside.tool],
    context: { humanInput },
    options: { runId: "run", journal },
  });

/** The run up to its event `count`; whatever was under way is dropped without an event, as in a process that is killed. */
async function kill(name: string, outside: Outside, count: number): Promise<RunEvent[]> {
  const { clock, context } = makeScriptedWorld(outside.script, [outside.tool], { humanInput });
  const events: RunEvent[] = [];
  const run = runFlow(readFlow(name).flow, "Q", context, { runId: "run" });
  let isOver = false;
  const consuming = (async () => {
    while (events.length < count) {
      const { value } = await run.next();
      if (value) events.push(value);
    }
    isOver = true;
  })();
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    if (!isOver) clock.advance();
  }
  await consuming;
  return events;
}

function toJournal(events: readonly RunEvent[]): Journal {
  const journal = new Journal();
  for (const event of events) journal.add(event);
  return journal;
}

const withoutTimes = (events: readonly RunEvent[]) => {
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

function expectValid(events: readonly RunEvent[]): void {
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

describe.each(Object.keys(flows))("a run of %s that is killed", (name) => {
  test("after any event goes on to the same end, and makes no finished call twice", async () => {
    expect(readFlow(name).problems.filter(({ severity }) => severity === "error")).toEqual([]);
    const whole = new Outside();
    const { events } = await finish(name, whole);
    const expected = withoutTimes(events);
    expect(expected.status).toBe("SUCCESS");
    for (let count = 1; count < events.length; count++) {
      const outside = new Outside();
      const first = await kill(name, outside, count);
      const open = toJournal(first);
      const endedCalls = [...open.listEnded()].filter(({ kind }) => kind === "llm_call" || kind === "tool_call").length;
      const again = await finish(name, outside, toJournal(first));
      const all = [...first, ...again.events];
      expectValid(all);
      const { nodes, ...run } = withoutTimes(all);
      expect({ ...run, nodes: nodes.map(({ calls: _, ...node }) => node) }).toEqual({
        ...expected,
        nodes: expected.nodes.map(({ calls: _, ...node }) => node),
      });
      const started = first.filter((event) => event.type === "node.started");
      const begun = started.filter(({ kind }) => kind === "llm_call" || kind === "tool_call").length;
      const made = outside.modelCalls.length + outside.toolCalls.length;
      const needed = whole.modelCalls.length + whole.toolCalls.length;
      expect(made).toBeLessThanOrEqual(needed + begun - endedCalls);
    }
  });
});

test("property: a run that is killed several times ends as one that is not", async () => {
  const names = Object.keys(flows);
  const trial = fc.record({
    name: fc.constantFrom(...names),
    cuts: fc.array(fc.double({ min: 0.05, max: 0.95, noNaN: true }), { minLength: 1, maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(trial, async ({ name, cuts }) => {
      const outside = new Outside();
      const whole = await finish(name, new Outside());
      let events: RunEvent[] = await kill(name, outside, 1 + Math.floor((whole.events.length - 1) * (cuts[0] ?? 0)));
      for (const cut of cuts.slice(1)) {
        const { events: rest } = await finish(name, new Outside(), toJournal(events));
        events = [...events, ...rest.slice(0, Math.floor(rest.length * cut))];
      }
      const { events: last } = await finish(name, outside, toJournal(events));
      expectValid([...events, ...last]);
      expect(withoutTimes([...events, ...last]).output).toBe(withoutTimes(whole.events).output);
    }),
    { numRuns: 40 },
  );
});
