import { describe, expect, test } from "vitest";
import { readSource } from "../../source/read-source";
import { agents, runFile, say, sentTo } from "./flow-file.arbitrary";

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
    const ran = await runFile(told(text), { script: { a: [say("A")] } });
    expect(sentTo(ran, "a")[0]?.[0]).toBe(`S:${text}`);
  });

  test("192: a number of vars is put into the text", async () => {
    const text = `\${vars.n} of \${vars.n}`;
    const ran = await runFile(`vars: { n: 3 }\n${told(text)}`, { script: { a: [say("A")] } });
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
    const ran = await runFile(agents("b", "a"), { script: { b: [say("B")], a: [say("A")] } });
    expect(ran.models.requests.map(({ agent }) => agent)).toEqual(["b", "a"]);
  });

  test("197: an order of names is a chain", async () => {
    const ran = await runFile(`${agents("a", "b")}\nswarm: { order: [b, a] }\n`, {
      script: { b: [say("B")], a: [say("A")] },
    });
    expect(ran.models.requests.map(({ agent }) => agent)).toEqual(["b", "a"]);
  });

  test("198: edges of a handoff swarm say who may hand over to whom", async () => {
    const file = `${agents("a", "b")}\nswarm: { type: handoff, edges: [[a, b]], order: [a, b] }\n`;
    const ran = await runFile(file, { script: { a: [say("b")], b: [say("B")] } });
    expect(ran.last.output.text).toBe("B");
  });

  test("199: tools, groups, nested swarms and handoffs can be said", () => {
    const file = `agents:\n  a: { model: "demo:x", tools: [calculator] }\n  b: { model: "demo:x" }\n  c: { model: "demo:x" }\ngroups: { g: { flow: "a | b" } }\nswarms: { s: { type: handoff, agents: [g, c], edges: [[g, c]] } }\nswarm: { flow: s }\n`;
    expect(messagesOf(file)).toBe("");
  });
});
