import { expect, test } from "vitest";
import { readSource } from "../../source/read-source";
import type { RunEvent, RunEventOf } from "../events/events";
import type { NumberedQuestion } from "../ports/human-input";
import type { ModelRequest } from "../ports/model";
import { continueRun } from "../testing/killed-run";
import type { ScriptedTurn } from "../testing/scripted-model";
import { findPassedApproval } from "./find-passed-approval";
import { forkEvents } from "./fork-events";

const agents = `agents:\n${["a", "b", "c"].map((name) => `  ${name}: { model: "scripted:m" }\n`).join("")}`;
const shared = `${agents}approvals: { ok: { message: "Go on?" } }\ngroups: { g: { type: serial, flow: ok >> c } }\n`;
const branches = `branches: { x: { condition: "round > 1", if_true: ok, if_false: a } }\n`;

/** Flows that reach the gate `ok` by a decision, and before it the steps whose output is the decision. */
const flows: Record<string, { source: string; decisions: string[] }> = {
  router: {
    source: `${shared}routers: { r: { model: "scripted:m", lanes: { gated: { flow: g }, free: { flow: b } } } }\nswarm: { flow: a >> r >> b }\n`,
    decisions: ["r#llm-1"],
  },
  "router in a group": {
    source: `${shared}routers: { r: { model: "scripted:m", lanes: { gated: { flow: g }, free: { flow: b } } } }\nswarms: { s: { flow: a >> r } }\nswarm: { flow: s >> b }\n`,
    decisions: ["s/r#llm-1"],
  },
  "loop by count": {
    source: `${shared}${branches}loops: { l: { body: x, count: 2 } }\nswarm: { flow: l >> b }\n`,
    decisions: ["l#1", "l#1/x", "l#1/x/a", "l#1/x/a#llm-1"],
  },
  "loop by a condition": {
    source: `${shared}${branches}loops: { l: { body: b >> x, while: 'not contains(input, "done")' } }\nswarm: { flow: l >> b }\n`,
    decisions: ["l#1", "l#1/x", "l#1/x/a", "l#1/x/a#llm-1"],
  },
  "loop over a list": {
    source: `${shared}${branches}loops: { l: { body: x, for_each: "[1, 2]" } }\nswarm: { flow: l >> b }\n`,
    decisions: ["l#1", "l#1/x", "l#1/x/a", "l#1/x/a#llm-1"],
  },
  handoff: {
    source: `${shared}swarms: { h: { type: handoff, agents: [a, g], edges: [[a, g]] } }\nswarm: { flow: h >> b }\n`,
    decisions: ["h/a", "h/a#llm-1"],
  },
  "handoff of a group": {
    source:
      `${shared}swarms: { h: { type: handoff, agents: [m, g], edges: [[m, g]] } }\nswarm: { flow: h >> b }\n`.replace(
        "groups: { ",
        "groups: { m: { type: serial, flow: b >> a }, ",
      ),
    decisions: ["h/m", "h/m/a", "h/m/a#llm-1"],
  },
  "handoff as the root": {
    source: `${shared}swarm: { type: handoff, agents: [a, g], edges: [[a, g]] }\n`,
    decisions: ["a", "a#llm-1"],
  },
  team: {
    source: `${shared}swarms: { t: { type: team, agents: [a, g] } }\nswarm: { flow: t >> b }\n`,
    decisions: ["t/a", "t/a#llm-1"],
  },
  orchestrate: {
    source: `${shared}swarms: { o: { type: orchestrate, agents: [a, g] } }\nswarm: { flow: o >> b }\n`,
    decisions: ["o/a", "o/a#llm-1"],
  },
  branch: {
    source: `${shared}branches: { x: { condition: "true", if_true: ok, if_false: c } }\nswarm: { flow: a >> x >> b }\n`,
    decisions: [],
  },
};

const outputs = ["forged", "free", "done", "[BREAK]", "g", ""];

/** What the agents do in the parent: the lane, member or worker with the gate is chosen. */
function answer({ agent, tools, messages }: ModelRequest): ScriptedTurn {
  const has = (name: string): boolean => tools.some((tool) => tool.name === name);
  const isFirst = messages.at(-1)?.role === "user";
  if (has("choose_lane")) return { text: "gated" };
  if (has("delegate_to_g") && isFirst) return { calls: [{ name: "delegate_to_g", arguments: { task: "T" } }] };
  if (has("spawn_agent") && isFirst)
    return { calls: [{ name: "spawn_agent", arguments: { purpose: "P", agent: "g" } }] };
  if (has("transfer_to_g")) return { calls: [{ name: "transfer_to_g", arguments: {} }] };
  return { text: agent === "a" ? "g" : `${agent} has answered` };
}

/** Runs until everything waits for a person, or to the end. The questions are in `asked`. */
async function run(source: string, asked: NumberedQuestion[], before: readonly RunEvent[] = []): Promise<RunEvent[]> {
  const ask = (question: NumberedQuestion): Promise<never> => {
    asked.push(question);
    return new Promise(() => undefined);
  };
  const sketch = { source, script: answer, context: () => ({ humanInput: { ask } }) };
  return continueRun(sketch, before, () => asked.length > 0);
}

const startsOf = (events: readonly RunEvent[]): RunEventOf<"node.started">[] =>
  events.flatMap((event) => (event.type === "node.started" ? [event] : []));

test.each(Object.entries(flows))(
  "no output leads a fork around a gate that its run has reached: %s",
  async (name, flow) => {
    const { source, decisions } = flow;
    const parent = await run(source, []);
    const read = readSource(source).flow;
    const refused = startsOf(parent).filter(({ id }) => findPassedApproval(read, parent, id) !== null);
    expect(refused.map(({ path }) => path)).toEqual(expect.arrayContaining(decisions));
    const passed: string[] = [];
    for (const { id, path } of startsOf(parent).filter((start) => !refused.includes(start)))
      for (const output of outputs) {
        const asked: NumberedQuestion[] = [];
        const { events } = forkEvents(parent, { node: id, output, now: 9_000, isChanged: true });
        const all = await run(source, asked, events);
        if (asked.length === 0 && all.at(-1)?.type === "run.finished") passed.push(`${name}: ${path} = "${output}"`);
      }
    expect(passed).toEqual([]);
  },
);

test("a step whose output another step still turns into the decision may get another one", async () => {
  const { source } = flows["loop by a condition"] ?? { source: "" };
  const parent = await run(source, []);
  const { flow } = readSource(source);
  const free = startsOf(parent).filter(({ id }) => findPassedApproval(flow, parent, id) === null);
  expect(free.map(({ path }) => path)).toContain("l#1/b");
});
