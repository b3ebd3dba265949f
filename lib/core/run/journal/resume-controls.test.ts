import { describe, expect, test } from "vitest";
import type { RunEvent } from "../events/events";
import type { ModelRequest } from "../ports/model";
import { continueRun, type RunSketch } from "../testing/killed-run";
import { expectValid } from "../testing/run-shapes";
import type { ScriptedTurn } from "../testing/scripted-model";
import { forkEvents } from "./fork-events";

const agents = (...lines: string[]): string =>
  `agents:\n${lines.map((line) => `  ${line.includes(":") ? line : `${line}: { model: "scripted:m" }`}\n`).join("")}`;

/** Kills the run after each of its events in turn, or every `step`th, and continues it; `check` gets what both processes recorded. */
async function killAtEach(
  toSketch: () => RunSketch,
  check: (all: readonly RunEvent[], killedAt: number) => void,
  step = 1,
): Promise<void> {
  const whole = await continueRun(toSketch());
  for (let count = 1; count < whole.length; count += step) {
    const sketch = toSketch();
    const first = await continueRun(sketch, [], (events) => events.length >= count);
    const all = await continueRun(sketch, first.slice(0, count));
    check(all, count);
  }
}

const finalOutput = (events: readonly RunEvent[]): string => {
  const last = events.at(-1);
  return last?.type === "run.finished" ? last.output.text : `${last?.type}`;
};
const pathsOf = (events: readonly RunEvent[]): string[] =>
  events.flatMap((event) => (event.type === "node.started" ? [event.path] : []));

test("a while loop beside a parallel step keeps its finished rounds after a resume", async () => {
  const source = `${agents("a", "p")}loops: { l: { body: a, while: "not outputs.p and round < 4" } }\nswarm: { flow: (l | p) }\n`;
  const delays: Record<string, number> = { a: 2, p: 5 };
  const script = ({ agent }: ModelRequest, turn: number): ScriptedTurn => ({
    text: `${agent}${turn + 1}`,
    delayMs: delays[agent] ?? 0,
  });
  await killAtEach(
    () => ({ source, script }),
    (all, count) => {
      expectValid(all);
      const rounds = all.filter((event) => event.type === "node.started" && event.kind === "round");
      const end = all.find((event) => event.type === "node.finished" && event.metadata?.ended !== undefined);
      expect([count, end]).toMatchObject([count, { metadata: { rounds: rounds.length } }]);
    },
  );
});

test("a loop goes on through the list that it began with", async () => {
  const source = `${agents("a", "p", "q")}loops: { l: { body: a, for_each: "json(outputs.p)" } }\nswarms: { s: { flow: q >> p } }\nswarm: { flow: p >> (l | s) }\n`;
  const script = ({ agent, messages }: ModelRequest): ScriptedTurn => {
    const text = messages.at(-1)?.content ?? "";
    if (agent === "p") return { text: text === "q" ? '["z"]' : '["x","y"]', delayMs: 1 };
    return { text: agent === "q" ? "q" : text, delayMs: agent === "q" ? 1 : 4 };
  };
  await killAtEach(
    () => ({ source, script }),
    (all, count) => {
      expectValid(all);
      const inputs = all.flatMap((event) =>
        event.type === "node.started" && event.kind === "round" ? [event.input.text] : [],
      );
      expect([count, inputs]).toEqual([count, ["x", "y"]]);
    },
  );
});

test("the second visit of a loop in a handoff swarm and its second round are two nodes", async () => {
  const source = `${agents("a", "b")}loops: { A: { body: a, count: 2 } }\nswarm: { type: handoff, agents: [A, b], edges: [[A, b], [b, A]] }\n`;
  const script = ({ agent, messages }: ModelRequest): ScriptedTurn => {
    const isBack = messages.some(({ content }) => content.includes("B is back"));
    if (agent === "b") return { text: "B is back", calls: [{ name: "transfer_to_A" }] };
    return { text: isBack ? "done" : "b" };
  };
  await killAtEach(
    () => ({ source, script }),
    (all) => {
      expectValid(all);
      expect(pathsOf(all)).toEqual(
        expect.arrayContaining(["A", "A#1", "A#2", "A#visit-2", "A#visit-2#1", "A#visit-2#2"]),
      );
    },
    4,
  );
});

test("a run of an earlier version, whose second visit has the path of a round, goes on with it", async () => {
  const source = `${agents("a", "b")}loops: { A: { body: a, count: 1 } }\nswarm: { type: handoff, agents: [A, b], edges: [[A, b], [b, A]] }\n`;
  const script = ({ agent, messages }: ModelRequest): ScriptedTurn => {
    const isBack = messages.some(({ content }) => content.includes("B is back"));
    if (agent === "b") return { text: "B is back", calls: [{ name: "transfer_to_A" }] };
    return { text: isBack ? "done" : "b" };
  };
  const whole = await continueRun({ source, script });
  const started = whole.findIndex((event) => event.type === "node.started" && event.path === "A#visit-2#1/a#llm-1");
  const old = whole
    .slice(0, started)
    .map((event) =>
      event.type === "node.started" ? { ...event, path: event.path.replace("A#visit-2", "A#2") } : event,
    );
  const all = await continueRun({ source, script }, old);
  expectValid(all);
  expect(all.at(-1)).toMatchObject({ status: "SUCCESS", output: { text: "done" } });
});

describe("outputs that later steps refer to", () => {
  test("are those that ended last, in the order of their ends, after a resume and in a fork", async () => {
    // Both members set "a": the second one in the flow's order ends first.
    const both = `${agents("a", `c: { model: "scripted:m", instructions: "Saw \${outputs.a}." }`)}groups:
  x: { type: serial, flow: a }
  y: { type: serial, flow: a }
swarm: { flow: (x | y) >> c }
`;
    const script = ({ agent, messages }: ModelRequest, turn: number): ScriptedTurn =>
      agent === "a"
        ? { text: `a${turn}`, delayMs: turn === 0 ? 5 : 1 }
        : { text: messages[0]?.content ?? "", delayMs: 1 };
    const whole = await continueRun({ source: both, script });
    expect(finalOutput(whole)).toBe("Saw a0.");
    await killAtEach(
      () => ({ source: both, script }),
      (all) => expectValid(all),
    );
    const start = whole.find((event) => event.type === "node.started" && event.path === "c");
    const node = start?.type === "node.started" ? start.id : 0;
    const fork = await continueRun({ source: both, script }, forkEvents(whole, { node, now: 9_000 }).events);
    expect(finalOutput(fork)).toBe("Saw a0.");
    const ended = whole.findIndex((event) => event.type === "node.started" && event.path === "c");
    expect(finalOutput(await continueRun({ source: both, script }, whole.slice(0, ended)))).toBe("Saw a0.");
  });

  test("are kept of what succeeded inside a failed group", async () => {
    const failing = `${agents("a", "b", "d", `c: { model: "scripted:m", instructions: "Saw \${outputs.a}." }`)}groups:
  x: { type: serial, flow: a >> b }
  g: { on_error: continue, flow: x | d }
swarm: { flow: g >> c }
`;
    const script = ({ agent, messages }: ModelRequest): ScriptedTurn => {
      if (agent === "b") return { end: { class: "invalid-request", message: "no" } };
      return agent === "c" ? { text: messages[0]?.content ?? "" } : { text: agent.toUpperCase() };
    };
    const whole = await continueRun({ source: failing, script });
    expect(finalOutput(whole)).toBe("Saw A.");
    const index = whole.findIndex((event) => event.type === "node.started" && event.path === "c");
    expect(finalOutput(await continueRun({ source: failing, script }, whole.slice(0, index)))).toBe("Saw A.");
  });

  test("are those of when an agent began, for as long as it works", async () => {
    const early = `${agents(`a: { model: "scripted:m", tools: [ask_human], instructions: "Saw [\${outputs.p}]." }`, "p")}swarm: { flow: (a | p) }\n`;
    const sent: string[] = [];
    const script = ({ agent, messages }: ModelRequest): ScriptedTurn => {
      if (agent === "p") return { text: "P", delayMs: 2 };
      sent.push(messages[0]?.content ?? "");
      if (messages.some(({ role }) => role === "tool")) return { text: "done" };
      return { calls: [{ name: "ask_human", arguments: { prompt: "?" } }], delayMs: 5 };
    };
    const ask = async () => ({ decision: "approved", by: "Ann", text: "yes" }) as const;
    const sketch = { source: early, script, context: () => ({ humanInput: { ask } }) };
    const whole = await continueRun(sketch);
    const index = whole.findIndex((event) => event.type === "node.started" && event.path === "a#llm-2");
    await continueRun(sketch, whole.slice(0, index));
    expect(new Set(sent)).toEqual(new Set(["Saw []."]));
  });
});
