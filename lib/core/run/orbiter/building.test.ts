import { describe, expect, test } from "vitest";
import { runBlockersOf } from "../../flow/problem";
import { readSource } from "../../source/read-source";
import { resolveFlow } from "../plan/resolve-flow";
import { agents, reply, runFile, sentTo } from "./flow-file.arbitrary";

const errorsOf = (text: string): string =>
  runBlockersOf(readSource(text).problems)
    .map(({ message }) => message)
    .join("\n");
const answer = { script: ({ agent }: { agent: string }) => reply(agent.toUpperCase()) };
const orderOf = async (text: string): Promise<string[]> =>
  (await runFile(text, answer)).started.filter(({ kind }) => kind === "agent").map(({ name }) => name);

describe("building a swarm", () => {
  test("52: one agent and nothing else is a workflow of that agent, with 10 handoffs at most", async () => {
    const { flow } = readSource(agents("a"));
    expect(flow.swarm).toMatchObject({ mode: "workflow" });
    expect(await orderOf(agents("a"))).toEqual(["a"]);
    const pingPong = `${agents("a", "b")}\nswarm: { type: handoff, agents: [a, b], edges: [[a, b], [b, a]] }\n`;
    const ran = await runFile(pingPong, { script: ({ agent }) => reply(agent === "a" ? "b" : "a") });
    expect(ran.started.filter(({ kind }) => kind === "handoff")).toHaveLength(10);
  });

  test("53: the flow wins over the order of the agents", async () => {
    expect(await orderOf(`${agents("c", "b", "a")}\nswarm: { flow: a >> b >> c }\n`)).toEqual(["a", "b", "c"]);
  });

  test("54: without a flow the agents run in the order of the file", async () => {
    expect(await orderOf(agents("c", "a", "b"))).toEqual(["c", "a", "b"]);
  });

  const bad: [title: string, text: string, part: string][] = [
    ["55: no agents", "name: x\nswarm: { flow: '' }\n", "has no agents"],
    [
      "56: two agents of one name",
      "agents:\n  - { name: a, model: 'demo:x' }\n  - { name: a, model: 'demo:x' }\n",
      '"a"',
    ],
    ["57: a flow that names an agent that is not there", `${agents("a")}\nswarm: { flow: a >> b }\n`, '"b"'],
    ["58: an empty flow text", `${agents("a")}\nswarm: { flow: "" }\n`, "Expected at least one name"],
    ["59: a flow in a circle", `${agents("a", "b")}\nswarm: { flow: a >> b >> a }\n`, '"a"'],
    ["61: names are case sensitive", `${agents("A", "b")}\nswarm: { flow: a >> b }\n`, '"a"'],
    [
      "62: a name with a space at its end",
      `agents:\n  "a ": { model: "demo:x" }\n`,
      "must not begin or end with a space",
    ],
    [
      "64: a mode that does not exist",
      `${agents("a")}\nswarm: { type: committee, flow: a }\n`,
      "must be one of workflow",
    ],
    [
      "67: a parallel group without members",
      `${agents("a")}\ngroups: { g: { type: parallel } }\nswarm: { flow: a >> g }\n`,
      "no members",
    ],
    [
      "67: a serial group without members",
      `${agents("a")}\ngroups: { g: { type: serial } }\nswarm: { flow: a >> g }\n`,
      "no members",
    ],
    [
      "68: a swarm as a node that has nothing to run",
      `${agents("a")}\nswarms: { s: { type: workflow } }\nswarm: { flow: a >> s }\n`,
      "no flow yet",
    ],
  ];
  test.each(bad)("%s is an error before the run", (_, text, part) => expect(errorsOf(text)).toContain(part));

  test("60: agents that are never reached are pointed out", () => {
    const { problems } = readSource(`${agents("a", "b", "c")}\nswarm: { flow: c }\n`);
    expect(problems.map(({ code, severity }) => [code, severity])).toEqual([
      ["not-reached", "warning"],
      ["not-reached", "warning"],
    ]);
  });

  test("63: a name with an arrow in it must be quoted, and then is one name", async () => {
    const file = `agents:\n  "x >> y": { model: "scripted:m" }\nswarm: { flow: '"x >> y"' }\n`;
    expect(await orderOf(file)).toEqual(["x >> y"]);
    expect(errorsOf(file.replace(`'"x >> y"'`, "x >> y"))).toContain('"x"');
  });

  test("65: a flow declares its mode, its order and its agents", async () => {
    const { flow } = readSource(`${agents("b", "a")}\nswarm: { flow: a >> b }\n`);
    expect([flow.swarm.mode, [...flow.agents.keys()]]).toEqual(["workflow", ["b", "a"]]);
    expect(await resolveFlow(flow)).toMatchObject({
      ok: true,
      root: { body: { members: [{ agent: { name: "a" } }, { agent: { name: "b" } }] } },
    });
  });

  test("66: without a name it is called after the first agent of its order", () => {
    expect(readSource(`${agents("b", "a")}\nswarm: { flow: a >> b }\n`).flow.name).toBe("a");
  });

  test("69: a swarm as a node goes by its own name", async () => {
    const file = `${agents("a", "b")}\nswarms: { inner: { flow: b } }\nswarm: { flow: a >> inner }\n`;
    const ran = await runFile(file, answer);
    expect(ran.started.find(({ path }) => path === "inner")).toMatchObject({ kind: "swarm", name: "inner" });
  });
});

describe("workflow", () => {
  test("77: every model call of a chain is a step that is counted", async () => {
    const ran = await runFile(`${agents("a", "b", "c")}\nswarm: { flow: a >> b >> c }\n`, answer);
    expect(ran.last.usage.calls).toBe(3);
    expect(ran.started.filter(({ kind }) => kind === "llm_call")).toHaveLength(3);
  });

  test("72: the history can be left out for one agent", async () => {
    const file = `${agents("a", "b").replace('I am b"', 'I am b", use_history: false')}\nswarm: { flow: a >> b }\n`;
    const ran = await runFile(file, { ...answer, messages: [{ role: "user", content: "old" }] });
    expect(sentTo(ran, "a")).toEqual([["S:I am a", "U:old", "U:Q"]]);
    expect(sentTo(ran, "b")).toEqual([["S:I am b", "U:A"]]);
  });

  test("74: an agent that is given an empty text is called, and that is noted", async () => {
    const ran = await runFile(`${agents("a", "b")}\nswarm: { flow: a >> b }\n`, {
      script: { a: [reply("")], b: [reply("B")] },
    });
    expect(ran.events).toContainEqual(expect.objectContaining({ type: "node.noted", code: "empty-input" }));
    expect(ran.last.status).toBe("SUCCESS");
  });

  test("71: compat: orbiter makes an order of a parallel stage, by name", async () => {
    const file = `compat: orbiter\n${agents("a", "b", "c")}\nswarm: { flow: (b | a) >> c }\n`;
    const ran = await runFile(file, answer);
    expect(ran.models.requests.map(({ agent, messages }) => [agent, messages.at(-1)?.content])).toEqual([
      ["a", "Q"],
      ["b", "A"],
      ["c", "B"],
    ]);
  });
});
