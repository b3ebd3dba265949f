import { describe, expect, it } from "vitest";
import { readSource } from "../../read-source";
import { importFlow } from "./import-flow";
import { lossesOf } from "./imported";

const agent = (name: string, more: object = {}): object => ({
  name,
  model: "openai:gpt-4o-mini",
  instructions: `You are ${name}.`,
  max_steps: 10,
  temperature: 1.0,
  max_tokens: null,
  ...more,
});

const read = (value: object, format?: "json" | "orbiter-json") => {
  const imported = importFlow(JSON.stringify(value, null, 2), format);
  return { imported, flow: readSource(imported.source).flow, lost: lossesOf(imported).map(({ message }) => message) };
};

describe("Swarm.to_dict() of Orbiter", () => {
  it("of a team keeps its mode, its lead and every field of its agents", () => {
    const lead = agent("lead", { max_steps: 4, temperature: 0.2, max_tokens: 900 });
    const { imported, flow, lost } = read({
      agents: [agent("worker"), lead],
      flow: "lead >> worker",
      mode: "team",
      max_handoffs: 10,
    });
    expect([imported.format, lost]).toEqual(["orbiter-json", []]);
    expect(flow.swarm).toMatchObject({ mode: "team", agents: ["lead", "worker"] });
    expect(flow.agents.get("lead")).toMatchObject({
      model: "openai:gpt-4o-mini",
      instructions: "You are lead.",
      max_steps: 4,
      temperature: 0.2,
      max_tokens: 900,
    });
  });

  it("of a handoff swarm keeps its handoffs and their limit", () => {
    const { flow, lost, imported } = read({
      agents: [
        agent("triage", { handoffs: [agent("billing", { handoffs: [agent("deep")] }), agent("gone")] }),
        agent("billing"),
      ],
      flow: null,
      mode: "handoff",
      max_handoffs: 3,
    });
    expect(flow.swarm).toMatchObject({
      mode: "handoff",
      agents: ["triage", "billing"],
      edges: [["triage", "billing"]],
      max_handoffs: 3,
    });
    expect([[...flow.agents.keys()], flow.compat, lost]).toEqual([["triage", "billing"], "orbiter", []]);
    expect(imported.problems).toMatchObject([{ severity: "info", message: expect.stringContaining('"gone"') }]);
  });

  it("of a workflow keeps its flow, or the order of its agents", () => {
    const agents = [agent("c"), agent("a"), agent("b")];
    const line = (flow: string | null): string =>
      read({ agents, flow, mode: "workflow", max_handoffs: 10 }).imported.source;
    expect(line("a >> (b | c)")).toContain("flow: a >> (b | c)");
    expect(line(null)).toContain("flow: c >> a >> b");
  });

  it("without a mode is a workflow, as Swarm.from_dict() reads it", () => {
    expect(read({ agents: [agent("a"), agent("b")], flow: "b >> a" }).imported.source).toContain("flow: b >> a");
  });

  it.each<[what: string, value: object, field: string]>([
    ["a limit that is no number", { agents: [agent("a")], mode: "team", max_handoffs: "many" }, "max_handoffs"],
    ["a mode that is no text", { agents: { a: {} }, mode: 5, flow_order: ["a"] }, "mode"],
    ["an agent that is no mapping", { agents: [5], mode: "team", flow: null }, "agents.0"],
  ])("with %s is refused, and not read as something else", (_, value, field) => {
    const { imported } = read(value);
    expect([imported.source, imported.problems[0]?.severity]).toEqual(["", "error"]);
    expect(imported.problems[0]?.message).toContain(field);
  });

  it("is read as JSON, too, when the format is given", () => {
    const { flow } = read({ agents: [agent("a"), agent("b")], flow: null, mode: "team", max_handoffs: 10 }, "json");
    expect(flow.swarm).toMatchObject({ mode: "team", agents: ["a", "b"] });
  });

  it("loses the code of tools, but not that a person is asked; an output type is never enforced there", () => {
    const tools = ["desk.tools.look_up", "orbiter.human.HumanInputTool"];
    const { flow, lost, imported } = read({
      agents: [agent("a", { tools, output_type: "desk.models.Answer" })],
      flow: null,
      mode: "workflow",
      max_handoffs: 10,
    });
    expect([flow.agents.get("a")?.tools, lost]).toEqual([
      ["look_up", "ask_human"],
      ['the code of the tool look_up of agent "a"'],
    ]);
    expect(imported.quarantined.find(({ description: what }) => what.includes("output_type"))?.effect).toBe("note");
  });

  it.each<[what: string, value: object, message: RegExp]>([
    ["an unknown mode", { agents: [agent("a")], flow: null, mode: "debate", max_handoffs: 10 }, /The mode "debate"/],
    ["handoffs of another form", { agents: [agent("a", { handoffs: 5 })], mode: "handoff" }, /the handoffs of "a"/],
    ["a wrong value", { agents: [agent("a", { max_steps: "many" })], mode: "workflow" }, /`max_steps` of agent "a"/],
    [
      "text that would be replaced",
      { agents: [agent("a", { instructions: `Say \${input}` })], mode: "workflow" },
      /\$\{input\}/,
    ],
  ])("with %s is a loss", (_, value, message) => {
    expect(read(value, "orbiter-json").lost.join("\n")).toMatch(message);
  });
});

describe("Swarm.describe() of Orbiter", () => {
  const summary = (name: string, more: object = {}): object => ({
    name,
    model: "openai:gpt-4o-mini",
    tools: [],
    handoffs: [],
    max_steps: 10,
    output_type: null,
    ...more,
  });

  it("keeps modes, orders, handoffs and nested swarms, and reports what it does not hold", () => {
    const inner = {
      mode: "handoff",
      flow: null,
      flow_order: ["x", "y"],
      agents: { x: summary("x", { handoffs: ["y"], tools: ["human_input"] }), y: summary("y") },
    };
    const { flow, lost } = read({
      mode: "team",
      flow: null,
      flow_order: ["lead", "g", "n"],
      agents: {
        lead: summary("lead"),
        g: { type: "parallel", name: "g", agents: ["p", "q"] },
        n: { type: "nested_swarm", name: "n", inner },
      },
    });
    expect(flow.swarm).toMatchObject({ mode: "team", agents: ["lead", "g", "n"] });
    expect(flow.swarms.get("n")).toMatchObject({ mode: "handoff", agents: ["x", "y"], edges: [["x", "y"]] });
    expect(flow.agents.get("x")?.tools).toEqual(["ask_human"]);
    expect(lost).toEqual([
      expect.stringMatching(/no instructions, temperature and max_tokens/),
      expect.stringMatching(/members of group "g", and not its separator/),
      expect.stringMatching(/does not hold max_handoffs/),
    ]);
  });

  it("with something that is no agent is a loss", () => {
    const { lost } = read({
      mode: "workflow",
      flow: null,
      flow_order: ["a"],
      agents: { a: { type: "custom", name: "a" } },
    });
    expect(lost.join("\n")).toMatch(/"a" is not described as Orbiter describes agents/);
  });
});

describe("a YAML file of Orbiter", () => {
  it("loses agents of a class of their own, and nothing that Orbiter ignores, too", () => {
    const text =
      "agents:\n  a: { system_prompt: Hi, type: custom, mood: good }\n  b: { type: builtin }\nswarm: { flow: a >> b }\n";
    const { quarantined } = importFlow(text, "orbiter-yaml");
    expect(quarantined.map(({ text: kept, effect }) => [kept, effect])).toEqual([
      ["type: custom", "lost"],
      ["mood: good", "note"],
      ["type: builtin", "note"],
    ]);
  });

  it.each<[text: string, marked: string]>([
    ["{ agents: { a: {}, b: {} }, swarm: { flow: (a | b) } }", "{ compat: orbiter, agents:"],
    ["---\n  agents: { a: {}, b: {} }\n  swarm: { flow: (a | b) }\n", "---\n  compat: orbiter\n  agents:"],
  ])("is marked where it means something else here: %j", (text, marked) => {
    const { source } = importFlow(text, "orbiter-yaml");
    expect([source.startsWith(marked), readSource(source).flow.compat]).toEqual([true, "orbiter"]);
  });
});

it("Agent.to_dict() of Orbiter becomes a flow of that agent", () => {
  const { imported, flow, lost } = read(
    agent("solo", { tools: ["desk.tools.search"], max_steps: 4, handoffs: ["gone"] }),
  );
  expect(imported.format).toBe("orbiter-json");
  expect(flow.agents.get("solo")).toMatchObject({ model: "openai:gpt-4o-mini", max_steps: 4, tools: ["search"] });
  expect(flow.swarm.mode).toBe("workflow");
  expect(lost).toEqual(['the code of the tool search of agent "solo"']);
  expect(imported.problems).toMatchObject([{ severity: "info", message: expect.stringContaining('"gone"') }]);
});
