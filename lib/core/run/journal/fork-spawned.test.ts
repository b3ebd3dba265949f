import { expect, test } from "vitest";
import type { RunEvent } from "../events/events";
import type { ModelRequest } from "../ports/model";
import type { NodeEdit } from "../ports/run-options";
import { continueRun, type RunSketch } from "../testing/killed-run";
import { expectValid } from "../testing/run-shapes";
import type { ScriptedTurn } from "../testing/scripted-model";
import { forkEvents } from "./fork-events";

const source = `agents:
  boss: { model: "scripted:m" }
  w: { model: "scripted:m" }
  v: { model: "scripted:m" }
swarm: { type: orchestrate, agents: [boss, w, v] }
`;

/** The lead starts two agents, waits for both, and answers with what it was told. */
class World {
  readonly asked: string[] = [];

  sketch(edits?: ReadonlyMap<string, NodeEdit>): RunSketch {
    const script = ({ agent, model, messages }: ModelRequest): ScriptedTurn => {
      const task = messages.at(-1)?.content ?? "";
      if (agent !== "boss") {
        this.asked.push(`${agent}: ${task}`);
        return { text: `${agent} did ${task} with ${model}`, delayMs: agent === "w" ? 9 : 3 };
      }
      const turn = messages.filter(({ role }) => role === "assistant").length;
      this.asked.push(`boss ${turn + 1}`);
      if (turn === 0) {
        const spawn = (agentName: string) => ({ name: "spawn_agent", arguments: { purpose: "P", agent: agentName } });
        return { calls: [spawn("w"), spawn("v")] };
      }
      return turn === 1 ? { calls: [{ name: "await_agents" }], delayMs: 1 } : { text: task };
    };
    return { source, script, options: { edits } };
  }
}

const idOf = (events: readonly RunEvent[], path: string): number => {
  const start = events.find((event) => event.type === "node.started" && event.path === path);
  if (start?.type !== "node.started") throw new Error(`no node ${path}`);
  return start.id;
};
const outputOf = (events: readonly RunEvent[]): string => {
  const last = events.at(-1);
  return last?.type === "run.finished" ? last.output.text : "";
};

async function fork(path: string, edit: NodeEdit, editedPath = path) {
  const parent = await continueRun(new World().sketch());
  const { events } = forkEvents(parent, { node: idOf(parent, path), now: 9_000 });
  const world = new World();
  const all = await continueRun(world.sketch(new Map([[editedPath, edit]])), events);
  expectValid(all);
  return { asked: world.asked, output: outputOf(all) };
}

test.each(["w#spawn-1", "v#spawn-2"])("a fork at the background agent %s quotes its new result", async (path) => {
  const { asked, output } = await fork(path, { model: "scripted:new" });
  expect(output).toContain(`${path.slice(0, 1)} did P with new`);
  expect(asked).toEqual([`${path.slice(0, 1)}: P`, "boss 3"]);
});

test("a fork inside a background agent does again what its lead was told of it", async () => {
  const { asked } = await fork("w#spawn-1#llm-1", { model: "scripted:new" }, "w#spawn-1");
  expect(asked).toEqual(["w: P", "boss 3"]);
});

test("a fork at spawn_agent with a new purpose starts a new agent, and keeps the other one", async () => {
  const { asked, output } = await fork("boss#llm-1#tool-2", { input: '{"purpose":"N","agent":"v"}' });
  expect(output).toContain("v did N with m");
  expect(output).toContain("w did P with m");
  expect(output).not.toContain("v did P");
  expect(asked).toEqual(["v: N", "boss 2", "boss 3"]);
});

test("a fork at the lead, or at a call of it, does again what it leads to", async () => {
  const { asked } = await fork("boss", { model: "scripted:new" });
  expect(asked.toSorted()).toEqual(["boss 1", "boss 2", "boss 3", "v: P", "w: P"]);
});
