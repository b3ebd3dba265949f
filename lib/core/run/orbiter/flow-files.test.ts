import { describe, expect, test } from "vitest";
import { readSource } from "../../source/read-source";
import { agents, reply, runFile, sentTo } from "./flow-file.arbitrary";

const messagesOf = (text: string): string =>
  readSource(text)
    .problems.map(({ message }) => message)
    .join("\n");
const told = (text: string): string => `agents:\n  a: { model: "scripted:m", instructions: "${text}" }\n`;

describe("flow files", () => {
  test.each([
    ["190: the environment is never read: a flow could carry a key away", `\${HOME}`],
    ["191: also not inside a text", `x-\${HOME}-y`],
    ["193: an unknown name is reported", `\${NOBODY_HAS_THIS}`],
  ])("%s", async (_, text) => {
    expect(messagesOf(told(text))).toContain("The environment is never read");
    const ran = await runFile(told(text), { script: { a: [reply("A")] } });
    expect(sentTo(ran, "a")[0]?.[0]).toBe(`S:${text}`);
  });

  test("192: a number of vars is put into the text", async () => {
    const text = `\${vars.n} of \${vars.n}`;
    const ran = await runFile(`vars: { n: 3 }\n${told(text)}`, { script: { a: [reply("A")] } });
    expect(sentTo(ran, "a")[0]?.[0]).toBe("S:3 of 3");
  });

  test.each([
    ["194: no mapping", "- a\n- b\n", "A flow file is a mapping"],
    ["194: no agents", "name: x\n", "has no agents"],
    ["197: an unknown name in the order", `${agents("a")}\nswarm: { order: [a, b] }\n`, '"b"'],
    [
      "198: an unknown name in the edges",
      `${agents("a", "b")}\nswarm: { type: handoff, agents: [a, b], edges: [[a, c]] }\n`,
      '"c"',
    ],
  ])("%s is a problem", (_, text, part) => expect(messagesOf(text)).toContain(part));

  test("195: of system_prompt and instructions the former wins", () => {
    const { flow } = readSource('agents:\n  a: { model: "demo:x", instructions: "i", system_prompt: "s" }\n');
    expect(flow.agents.get("a")?.instructions).toBe("s");
  });

  test("196: without a swarm part the agents are a workflow in the order of the file", async () => {
    const ran = await runFile(agents("b", "a"), { script: { b: [reply("B")], a: [reply("A")] } });
    expect(ran.models.requests.map(({ agent }) => agent)).toEqual(["b", "a"]);
  });

  test("197: an order of names is a chain", async () => {
    const ran = await runFile(`${agents("a", "b")}\nswarm: { order: [b, a] }\n`, {
      script: { b: [reply("B")], a: [reply("A")] },
    });
    expect(ran.models.requests.map(({ agent }) => agent)).toEqual(["b", "a"]);
  });

  test("198: edges of a handoff swarm define its targets", async () => {
    const file = `${agents("a", "b")}\nswarm: { type: handoff, edges: [[a, b]], order: [a, b] }\n`;
    const ran = await runFile(file, { script: { a: [reply("b")], b: [reply("B")] } });
    expect(ran.last.output.text).toBe("B");
  });

  const names = (ran: Awaited<ReturnType<typeof runFile>>) => ran.models.requests.map(({ agent }) => agent);
  const every = { script: ({ agent }: { agent: string }) => reply(agent.toUpperCase()) };

  test("240: variables resolve in models and numbers, and the resolved model is asked", async () => {
    const fields = `model: "\${vars.m}", max_steps: "\${vars.n}", description: "for \${vars.n}"`;
    const file = `vars: { m: "scripted:other", n: 3 }\nagents:\n  a: { ${fields} }\nswarm: { flow: a }\n`;
    const ran = await runFile(file, every);
    expect(ran.models.requests.map(({ model }) => model)).toEqual(["other"]);
    expect(readSource(file).flow.agents.get("a")).toMatchObject({ max_steps: 3, description: "for 3" });
  });

  test("241: a variable that is missing is a problem, and the file cannot run", () => {
    const { problems } = readSource(`vars: { m: "demo:x" }\nagents:\n  a: { model: "\${vars.mm}" }\n`);
    expect(problems).toMatchObject([{ code: "unknown-variable", severity: "error", fix: { title: "Write m" } }]);
  });

  test("242: a workflow without a flow runs all agents in declared order", async () => {
    expect(names(await runFile(`${agents("b", "a")}\nswarm: { type: workflow }\n`, every))).toEqual(["b", "a"]);
  });

  test("243: the first agent leads a team and starts a handoff swarm that lists no members", async () => {
    const team = await runFile(`${agents("b", "a")}\nswarm: { type: team }\n`, every);
    expect(names(team)).toEqual(["b"]);
    expect(team.models.requests[0]?.tools.map(({ name }) => name)).toEqual(["delegate_to_a"]);
    const file = `${agents("b", "a", "c")}\nswarm: { type: handoff, edges: [[b, a], [a, c]] }\n`;
    const handoff = await runFile(file, { script: { b: [reply("a")], a: [reply("c")], c: [reply("C")] } });
    expect(names(handoff)).toEqual(["b", "a", "c"]);
  });

  test("244: an order names the members, and leaves the others out", async () => {
    const file = (type: string) => `${agents("a", "b", "c")}\nswarm: { type: ${type}, order: [c, a] }\n`;
    expect(names(await runFile(file("workflow"), every))).toEqual(["c", "a"]);
    const team = await runFile(file("team"), every);
    expect(team.models.requests[0]).toMatchObject({ agent: "c", tools: [{ name: "delegate_to_a" }] });
  });

  test("245: with an order and a flow, the flow defines when agents run, the order defines the members", async () => {
    const flow = `${agents("a", "b", "c")}\nswarm: { flow: b >> a, order: [a, b, c] }\n`;
    expect(names(await runFile(flow, every))).toEqual(["b", "a"]);
    const file = `${agents("a", "b", "c")}\nswarm: { type: handoff, flow: b >> a, order: [a, b, c], edges: [[b, c]] }\n`;
    const handoff = await runFile(file, { script: { b: [reply("c")], c: [reply("C")] } });
    expect(names(handoff)).toEqual(["b", "c"]);
  });

  test("246: a file in the form of Orbiter's quickstart runs as written", async () => {
    const agent = `{ model: "\${vars.model}", temperature: 0.3 }`;
    const file = `vars:\n  model: "scripted:mini"\nagents:\n  x: ${agent}\n  y: ${agent}\nswarm:\n  type: workflow\n  flow: "x >> y"\n  order:\n    - x\n    - y\n`;
    const ran = await runFile(file, every);
    expect(ran.models.requests.map(({ agent, model }) => `${agent} ${model}`)).toEqual(["x mini", "y mini"]);
    expect(readSource(file).problems).toEqual([]);
  });

  test("199: tools, groups, nested swarms and handoffs can be declared", () => {
    const file = `agents:\n  a: { model: "demo:x", tools: [calculator] }\n  b: { model: "demo:x" }\n  c: { model: "demo:x" }\ngroups: { g: { flow: "a | b" } }\nswarms: { s: { type: handoff, agents: [g, c], edges: [[g, c]] } }\nswarm: { flow: s }\n`;
    expect(messagesOf(file)).toBe("");
  });
});
