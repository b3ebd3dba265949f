import { describe, expect, test } from "vitest";
import { writeTowerFlow } from "../../kinds/testing/repeating-flow.arbitrary";
import { readSource } from "../../source/read-source";
import { emptyRunState, foldEvents } from "../../trace/model/fold-events";
import type { RunEvent } from "../events/events";
import { agents, call, echo, reply, runFile } from "../orbiter/flow-file.arbitrary";
import type { ScriptedRunOptions } from "../testing/scripted-run";
import { PlannedNodes } from "./list-planned";
import { planFlow } from "./resolve-flow";

/** The paths of the planned nodes after these events. */
function plannedAfter(file: string, events: readonly RunEvent[]): string[] {
  const root = planFlow(readSource(file).flow);
  if (!root) throw new Error("the flow cannot run");
  const planned = new PlannedNodes(root);
  for (const node of foldEvents(emptyRunState, events).nodes) planned.add(node);
  return [...planned.list()].map(({ path, kind, status }) => {
    expect(status).toBe("INIT");
    return `${kind} ${path}`;
  });
}

/** The events of a run up to the start of the node of that path, included. */
async function until(file: string, path: string, trial: ScriptedRunOptions): Promise<RunEvent[]> {
  const { events } = await runFile(file, trial);
  const index = events.findIndex((event) => event.type === "node.started" && event.path === path);
  expect(index, path).toBeGreaterThan(0);
  return events.slice(0, index + 1);
}

const answers: ScriptedRunOptions = { script: ({ agent }) => reply(agent) };
const nested = `${agents("a", "b", "c", "d", "e")}
groups: { pair: { type: parallel, flow: b | c } }
branches: { fork: { condition: 'contains(input, "b")', if_true: d >> e } }
loops: { again: { body: c >> d, count: 2 } }
swarm: { flow: a >> pair >> fork >> again }
`;

describe("planned nodes", () => {
  test("of loops that each have the next several times are those of one place", () => {
    expect(plannedAfter(writeTowerFlow(10, 10, "loops"), [])).toEqual(["swarm /", "loop g0"]);
  });

  test("of a run that has not begun are its root and what the flow has for certain", () => {
    const all = ["swarm /", "agent a", "group pair", "agent pair/b", "agent pair/c", "branch fork", "loop again"];
    expect(plannedAfter(nested, [])).toEqual(all);
  });

  test.each([
    ["a", ["group pair", "agent pair/b", "agent pair/c", "branch fork", "loop again"]],
    ["pair/b", ["branch fork", "loop again", "agent pair/c"]],
    ["fork/d", ["loop again", "agent fork/e"]],
    ["again#1/c", ["agent again#1/d"]],
    ["again#2/d", []],
  ])("at %s are what has not begun; a branch and a loop have what is decided", async (path, planned) => {
    expect(plannedAfter(nested, await until(nested, path, answers))).toEqual(planned);
  });

  test("end with the run, and after a member that failed", async () => {
    const file = `${agents("a", "b", "c").replaceAll('" }', '", max_retries: 0 }')}\nswarm: { flow: a >> b >> c }\n`;
    const script = ({ agent }: { agent: string }) =>
      agent === "b" ? { end: { class: "server", message: "no", status: 500 } as const } : reply(agent);
    const { events } = await runFile(file, { script });
    expect(plannedAfter(file, events)).toEqual([]);
    const failed = events.findIndex((event) => event.type === "node.finished" && event.error?.path === "b#llm-1");
    const agentEnd = events.findIndex((event, index) => index > failed && event.type === "node.finished");
    expect(plannedAfter(file, events.slice(0, failed))).toEqual(["agent c"]);
    expect(plannedAfter(file, events.slice(0, agentEnd + 1))).toEqual([]);
  });

  test("are the calls of a turn that wait for the one before", async () => {
    const file = agents("a").replace('" }', '", tools: [echo], tool_calls: sequential }');
    const calls = [1, 2, 3].map((n) => ({ name: "echo", arguments: { text: String(n) } }));
    const begun = await until(file, "a#llm-1#tool-1", { tools: [echo], script: { a: [{ calls }, reply("fin")] } });
    expect(plannedAfter(file, begun)).toEqual(["tool_call a#llm-1#tool-2", "tool_call a#llm-1#tool-3"]);
  });

  test("are background agents that wait for their turn", async () => {
    const file = `${agents("lead", "w")}\nswarm: { type: orchestrate, agents: [lead, w], max_concurrent: 1 }\n`;
    const spawn = { name: "spawn_agent", arguments: { purpose: "p", agent: "w" } };
    const begun = await until(file, "lead#llm-2", {
      script: ({ agent }, turn) =>
        agent === "w" ? reply("W", { delayMs: 1000 }) : turn === 0 ? { calls: [spawn, spawn, spawn] } : reply("fin"),
    });
    expect(plannedAfter(file, begun)).toEqual(["agent w#spawn-2", "agent w#spawn-3"]);
  });

  test("inside a worker are those of its own flow", async () => {
    const file = `${agents("lead", "x", "y")}\nswarms: { w: { flow: x >> y } }\nswarm: { type: team, agents: [lead, w] }\n`;
    const begun = await until(file, "w#call-1-1/x", {
      script: ({ agent }, turn) =>
        agent === "lead" && turn === 0 ? call("delegate_to_w", { task: "t" }) : reply(agent),
    });
    expect(plannedAfter(file, begun)).toEqual(["agent w#call-1-1/y"]);
  });
});
