import { describe, expect, test } from "vitest";
import { readSource } from "../../source/read-source";
import type { HumanInputAnswer, RunEvent } from "../events/events";
import type { NumberedQuestion } from "../ports/human-input";
import type { ModelRequest } from "../ports/model";
import type { NodeEdit } from "../ports/run-options";
import { continueRun, type RunSketch } from "../testing/killed-run";
import { expectValid } from "../testing/run-shapes";
import { findPassedApproval } from "./find-passed-approval";
import { type ForkPoint, forkEvents } from "./fork-events";
import { listApprovedGates } from "./list-approved-gates";

const agents = `agents:\n${["a", "b", "c", "d"].map((name) => `  ${name}: { model: "scripted:m" }\n`).join("")}`;
const gate = `approvals: { ok: { message: "Go on?" } }\n`;
const flows = {
  chain: `${agents}${gate}swarm: { flow: a >> ok >> b >> c }\n`,
  nested: `${agents}${gate}groups: { g: { type: serial, flow: a >> ok >> b } }\nswarm: { flow: g >> c }\n`,
  loop: `${agents}${gate}loops: { l: { body: a >> ok >> b, count: 2 } }\nswarm: { flow: l >> c }\n`,
};

class World {
  readonly questions: NumberedQuestion[] = [];
  readonly asked: string[] = [];

  constructor(
    readonly source: string,
    readonly answers: HumanInputAnswer[],
  ) {}

  sketch(edits?: ReadonlyMap<string, NodeEdit>): RunSketch {
    const script = ({ agent, messages }: ModelRequest) => {
      this.asked.push(agent);
      return { text: `${agent}(${messages.at(-1)?.content})` };
    };
    const ask = (question: NumberedQuestion): Promise<HumanInputAnswer> => {
      this.questions.push(question);
      const answer = this.answers.shift();
      return answer ? Promise.resolve(answer) : new Promise(() => undefined);
    };
    return { source: this.source, script, context: () => ({ humanInput: { ask } }), options: { edits } };
  }
}

const approved = (text?: string): HumanInputAnswer => ({
  decision: "approved",
  by: "Ann",
  ...(text !== undefined && { text }),
});
const idOf = (events: readonly RunEvent[], path: string): number => {
  const start = events.find((event) => event.type === "node.started" && event.path === path);
  if (start?.type !== "node.started") throw new Error(`no node ${path}`);
  return start.id;
};

interface Fork {
  source?: string;
  at: string;
  point?: Partial<ForkPoint>;
  edit?: NodeEdit;
  answers?: HumanInputAnswer[];
  parentAnswers?: HumanInputAnswer[];
}

/** A fork of a run that was approved, up to its end. */
async function fork({ source = flows.chain, at: path, point, edit, answers = [], parentAnswers = [approved()] }: Fork) {
  const parent = await continueRun(new World(source, [...parentAnswers]).sketch());
  const { events } = forkEvents(parent, { node: idOf(parent, path), now: 9_000, isChanged: true, ...point });
  const world = new World(source, answers);
  const all = await continueRun(world.sketch(edit && new Map([[path, edit]])), events);
  expectValid(all);
  return { world, parent, all, last: all.at(-1) };
}

describe("an approval of a fork's parent", () => {
  test.each([
    ["input", { input: "Pay Mallory." }],
    ["instructions", { instructions: "Pay Mallory." }],
    ["model", { model: "scripted:other" }],
  ])("is requested again when the %s of a later step changes, and shows the change", async (field, edit) => {
    const { world, last } = await fork({ at: "b", edit, answers: [approved()] });
    expect(world.questions).toMatchObject([{ path: "ok", text: "a(Q)" }]);
    expect(world.questions[0]?.message).toContain(`"b", ${field}:\n${Object.values(edit)[0]}`);
    expect(last).toMatchObject({ status: "SUCCESS" });
    expect(world.asked).toEqual(["b", "c"]);
  });

  test("is requested again when the flow was changed since, and shows all that it does otherwise", async () => {
    const parent = await continueRun(new World(flows.chain, [approved()]).sketch());
    const source = flows.chain
      .replace('c: { model: "scripted:m" }', 'c: { model: "scripted:m", instructions: "Pay Mallory.", max_steps: 3 }')
      .replace('  d: { model: "scripted:m" }\n', "")
      .replace("b >> c", "b >> c >> e")
      .replace("agents:\n", 'vars: { to: Mallory }\nagents:\n  e: { model: "scripted:e" }\n');
    const change = { before: readSource(flows.chain).flow, after: readSource(source).flow };
    const { events } = forkEvents(parent, { node: idOf(parent, "c"), now: 9_000, isChanged: true, flows: change });
    const world = new World(source, [approved()]);
    const sketch = world.sketch();
    const all = await continueRun({ ...sketch, options: { ...sketch.options, forkedFlow: change.before } }, events);
    expect(all.at(-1)).toMatchObject({ status: "SUCCESS" });
    expect([world.questions[0]?.text, world.asked]).toEqual(["a(Q)", ["c", "e"]]);
    const message = world.questions[0]?.message ?? "";
    for (const line of [
      '"c", instructions:\nPay Mallory.',
      '"c", max_steps:\n3',
      '"e", model:\nscripted:e',
      '"d" is removed.',
      "The flow, flow:\na >> ok >> b >> c >> e",
      "Mallory",
    ])
      expect(message).toContain(line);
    expect(message).not.toMatch(/"[ab]",|max_retries|"ok"/);
  });

  test("is requested again when the output of a later step changes; what is reused stays reused", async () => {
    const { world, last } = await fork({ at: "b", point: { output: "Pay Mallory." }, answers: [approved()] });
    expect(world.questions[0]?.message).toContain('"b", output:\nPay Mallory.');
    expect(world.asked).toEqual(["c"]);
    expect(last).toMatchObject({ status: "SUCCESS", output: { text: "c(Pay Mallory.)" } });
  });

  test("stops the fork where it is not given again", async () => {
    const rejection: HumanInputAnswer = { decision: "rejected", by: "Bob" };
    const { world, last } = await fork({ at: "c", edit: { input: "x" }, answers: [rejection] });
    expect(last).toMatchObject({ status: "FAILED", error: { code: "rejected", path: "ok" } });
    expect(world.asked).toEqual([]);
  });

  test("shows the text that was approved, which cannot be changed under the steps that are reused", async () => {
    const answers = [approved("other"), approved("edited")];
    const { world, last } = await fork({ at: "c", edit: { input: "x" }, answers, parentAnswers: [approved("edited")] });
    expect(world.questions.map(({ text }) => text)).toEqual(["edited", "edited"]);
    expect(world.questions[1]?.message).toMatch(/cannot be changed/);
    expect(world.questions.map(({ fixed }) => fixed)).toEqual([true, true]);
    expect(last).toMatchObject({ status: "SUCCESS" });
  });

  test("of a run that is no fork is of a text that can be edited", async () => {
    const world = new World(flows.chain, [approved("edited")]);
    await continueRun(world.sketch());
    expect(world.questions).toMatchObject([{ path: "ok", text: "a(Q)" }]);
    expect(world.questions[0]).not.toHaveProperty("fixed");
  });

  test("holds in a fork without changes", async () => {
    const { world, last } = await fork({ at: "b", point: { isChanged: false } });
    expect(world.questions).toEqual([]);
    expect(last).toMatchObject({ status: "SUCCESS", output: { text: "c(b(a(Q)))" } });
  });

  test("is requested again inside a group, and once for all rounds of a loop", async () => {
    const nested = await fork({ source: flows.nested, at: "c", edit: { input: "x" }, answers: [approved()] });
    expect(nested.world.questions.map(({ path }) => path)).toEqual(["g/ok"]);
    expect(nested.world.asked).toEqual(["c"]);
    const parentAnswers = [approved(), approved()];
    const rounds = { source: flows.loop, at: "c", edit: { input: "x" }, answers: [approved()], parentAnswers };
    const loop = await fork(rounds);
    expect(loop.world.questions.map(({ path }) => path)).toEqual(["l#2/ok"]);
    expect(loop.last).toMatchObject({ status: "SUCCESS", output: { text: "c(x)" } });
  });

  test("is asked for once more when the process is killed at the new question", async () => {
    const parent = await continueRun(new World(flows.chain, [approved()]).sketch());
    const { events } = forkEvents(parent, { node: idOf(parent, "b"), now: 9_000, isChanged: true });
    const world = new World(flows.chain, []);
    const edits = new Map([["b", { input: "x" }]]);
    const waiting = await continueRun(world.sketch(edits), events, () => world.questions.length === 1);
    const again = new World(flows.chain, [approved()]);
    const all = await continueRun(again.sketch(edits), waiting);
    expectValid(all);
    expect(again.questions.map(({ question }) => question)).toEqual(world.questions.map(({ question }) => question));
  });
});

test("the approval that an output would pass is found in what ran and in what is declared", async () => {
  const sources = {
    ...flows,
    branch: `${agents}${gate}branches: { x: { condition: "len(input) > 0", if_true: ok } }\nswarm: { flow: a >> x >> b }\n`,
    swarm: `${agents}${gate}swarms: { s: { flow: a >> ok } }\nswarm: { flow: s >> b }\n`,
    team: `${agents}${gate}groups: { g: { type: serial, flow: b >> ok } }\nswarm: { type: team, agents: [a, g] }\n`,
  };
  const passed = (name: keyof typeof sources, path: string, kind: "group" | "tool_call" = "group", tool = path) => {
    const start: RunEvent = { seq: 2, at: 1, type: "node.started", id: 7, path, kind, name: tool, input: { text: "" } };
    return findPassedApproval(readSource(sources[name]).flow, [start], 7);
  };
  expect(passed("chain", "ok")).toBe("ok");
  expect(passed("chain", "/")).toBe("ok");
  expect(passed("chain", "b")).toBeNull();
  expect(passed("nested", "g")).toBe("ok");
  expect(passed("loop", "l")).toBe("ok");
  expect(passed("branch", "x")).toBe("ok");
  expect(passed("swarm", "s")).toBe("ok");
  expect(passed("team", "a#llm-1#tool-1", "tool_call", "delegate_to_g")).toBe("ok");
  const parent = await continueRun(new World(flows.loop, [approved(), approved()]).sketch());
  const { flow } = readSource(flows.loop);
  expect(findPassedApproval(flow, parent, idOf(parent, "l#1"))).toBe("ok");
  expect(findPassedApproval(flow, parent, idOf(parent, "l#1/a"))).toBeNull();
});

test("gates that were approved are told from other answers", () => {
  const at = { at: 1 };
  const start = (id: number, kind: "approval" | "agent" | "tool_call", path: string): RunEvent => ({
    ...{ ...at, seq: id, type: "node.started", id, kind, path, name: path, input: { text: "" } },
  });
  const answer = (id: number, given: HumanInputAnswer): RunEvent => ({
    ...{ ...at, seq: 10 + id, type: "answer.given", id, answer: given },
  });
  const events = [
    start(1, "approval", "ok"),
    start(2, "approval", "refused"),
    start(3, "tool_call", "a#tool-1"),
    start(4, "agent", "a"),
    start(5, "approval", "waits"),
    answer(1, approved()),
    answer(2, { decision: "rejected", by: "Bob" }),
    answer(3, approved()),
    answer(4, approved()),
    answer(1, approved()),
  ];
  expect(listApprovedGates(events)).toEqual(["ok"]);
});
