import { describe, expect, it } from "vitest";
import { parseFlow } from "../dsl/parse";
import { type Expression, nameExpression, parallelExpression } from "../flow/expression";
import { defaultSeparator, type Flow } from "../flow/flow";
import { type FlowProblem, simulationBlockersOf } from "../flow/problem";
import type { Agent } from "../kinds/agent";
import { createAgent } from "../kinds/agent-schema";
import type { Group } from "../kinds/group";
import type { Swarm } from "../kinds/swarm";
import { flowOf } from "../kinds/testing/flow.arbitrary";
import { readSource } from "../source/read-source";
import { checkFlow } from "./check-flow";
import type { Offer } from "./offer";

const read = (dsl: string): Expression => {
  const { expression } = parseFlow(dsl);
  if (!expression) throw new Error(`not readable: ${dsl}`);
  return expression;
};
const without = (flow: Flow, ...names: string[]): Flow => ({
  ...flow,
  agents: new Map([...flow.agents].filter(([name]) => !names.includes(name))),
});
const withAgent = (flow: Flow, name: string, fields: Partial<Agent>): Flow => ({
  ...flow,
  agents: new Map(flow.agents).set(name, { ...createAgent(name, { model: "demo:x" }), ...fields }),
});
const swarm = (name: string, fields: Partial<Swarm>): Swarm => ({
  type: "swarm",
  name,
  mode: "workflow",
  separator: defaultSeparator,
  ...fields,
});
const unknown = `\${vars.tone}`;
const codes = (problems: readonly FlowProblem[]): string[] => problems.map(({ code }) => code);
const only = (flow: Flow, offer?: Offer): FlowProblem => {
  const [problem, ...more] = checkFlow(flow, offer);
  expect(codes(more)).toEqual([]);
  if (!problem) throw new Error("no problem was found");
  return problem;
};

describe("names", () => {
  it("reports nothing for a valid flow", () => {
    expect(checkFlow(flowOf(read("a >> review >> b"), { review: ["parallel", read("(x | y)")] }))).toEqual([]);
  });

  it("suggests the nearest declared name, and marks the unknown node", () => {
    const flow = withAgent(without(flowOf(read("researcher >> (analist | critic)")), "analist"), "analyst", {});
    const [wrong, unreached] = checkFlow(flow);
    expect(wrong).toMatchObject({ code: "unknown-name", severity: "error", owner: null, reference: "analist" });
    expect(wrong?.message).toContain('Did you mean "analyst"?');
    expect(wrong?.nodes).toEqual(["analist"]);
    expect(unreached).toMatchObject({ code: "not-reached", severity: "warning", owner: "analyst", nodes: ["analyst"] });
  });

  it("marks an unknown name at every node of its group", () => {
    const groups: Record<string, [Group["mode"], Expression]> = {
      inner: ["parallel", read("(x | y)")],
      outer: ["serial", read("b >> inner")],
    };
    const problem = only(without(flowOf(read("inner >> outer"), groups), "y"));
    expect(problem.nodes).toEqual(["inner/y", "outer/inner/y"]);
  });

  it("refuses a name that two kinds share", () => {
    const flow = withAgent(flowOf(read("review"), { review: ["parallel", read("(x | y)")] }), "review", {});
    expect(checkFlow(flow)[0]).toMatchObject({ code: "name-taken", owner: "review", nodes: ["review"] });
  });

  it("accepts the names of object members", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    expect(checkFlow(flowOf(read(names.join(" >> "))))).toEqual([]);
    expect(codes(checkFlow(without(flowOf(read(`a >> (${names.join(" | ")})`)), ...names)))).toEqual(
      names.map(() => "unknown-name"),
    );
  });

  it("refuses a repeated member of a list; in a DSL text the parser does", () => {
    const listed = parallelExpression([nameExpression("x"), nameExpression("x")]);
    const flow = flowOf(read("review"), { review: ["parallel", listed] });
    expect(only(flow)).toMatchObject({ code: "duplicate-name", owner: "review", nodes: ["review/x"] });
    expect(checkFlow(flowOf(read("a >> a")))).toEqual([]);
  });
});

describe("structure", () => {
  it("names the section whose form is wrong", () => {
    const { problems } = readSource("branches: 3\n");
    expect(problems.map(({ message }) => message).join()).toContain("a mapping of names to branches");
  });

  it("requires agents", () => {
    const flow = flowOf(read("a"));
    expect(codes(checkFlow({ ...flow, agents: new Map() }))).toEqual(["no-agents", "unknown-name"]);
  });

  it("reports groups and swarms that contain themselves, directly or indirectly", () => {
    const direct = flowOf(read("loop"), { loop: ["serial", read("a >> loop")] });
    expect(only(direct)).toMatchObject({ code: "cycle", owner: "loop" });
    const groups = { one: ["serial", read("a >> two")] as [Group["mode"], Expression] };
    const through = flowOf(read("one"), groups);
    const swarms = new Map([["two", swarm("two", { flow: read("b >> one") })]]);
    const problem = only({ ...withAgent(without(through, "two"), "b", {}), swarms });
    expect(problem.message).toContain("one → two → one");
  });

  it("reports declarations that never run, also in groups", () => {
    const flow = flowOf(read("a"), { spare: ["parallel", read("(x | y)")] }, ["z"]);
    const problems = checkFlow(flow);
    expect(problems.map(({ owner }) => owner)).toEqual(["x", "y", "z", "spare"]);
    expect(new Set(codes(problems))).toEqual(new Set(["not-reached"]));
  });

  it("refuses swarms whose members do not fit the mode", () => {
    const flow = flowOf(read("a >> polish"));
    const polish = (one: Partial<Swarm>): FlowProblem[] =>
      checkFlow({ ...without(flow, "polish"), swarms: new Map([["polish", swarm("polish", one)]]) });
    expect(polish({ mode: "team", agents: ["a"] })).toMatchObject([
      { code: "no-members", severity: "error", nodes: ["polish"] },
    ]);
    expect(polish({ mode: "handoff", agents: ["a", "b"] }).map(({ code }) => code)).toContain("no-handoffs");
    const empty = { ...flowOf(read("a")), swarm: swarm("Test", { mode: "team" }) };
    expect(codes(checkFlow(empty))).toEqual(["no-members"]);
  });

  it("counts parentheses, groups and swarms together, in whatever order they are declared", () => {
    const chain = (length: number, reverse: boolean): Flow => {
      const groups = Array.from({ length }, (_, i): [string, [Group["mode"], Expression]] => [
        `g${i}`,
        ["serial", read(i + 1 < length ? `a${i} >> g${i + 1}` : `a${i}`)],
      ]);
      return flowOf(read("g0"), Object.fromEntries(reverse ? groups.reverse() : groups));
    };
    for (const reverse of [false, true]) {
      expect(checkFlow(chain(200, reverse))).toEqual([]);
      expect(codes(checkFlow(chain(201, reverse)))).toEqual(["too-deep"]);
    }
    expect(codes(checkFlow(chain(20_000, false)))).toEqual(["too-deep"]);
  });

  it("refuses groups that expand beyond any run", () => {
    const names = (level: number): string => (level < 40 ? `(a${level} | b${level})` : "(x | y)");
    const groups = Array.from({ length: 40 }, (_, level) =>
      ["a", "b"].map((side): [string, [Group["mode"], Expression]] => [
        `${side}${level}`,
        ["parallel", read(names(level + 1))],
      ]),
    );
    expect(only(flowOf(read(names(0)), Object.fromEntries(groups.flat()))).code).toBe("too-large");
  });
});

describe("agents", () => {
  const base = flowOf(read("a"));
  const offer: Offer = {
    tools: ["calculator", "read_page"],
    providers: [
      { id: "demo", label: "Demo", available: true, models: ["writer"] },
      { id: "openai", label: "OpenAI", available: true, models: ["gpt-5"] },
      { id: "anthropic", label: "Anthropic", available: false, missing: "ANTHROPIC_API_KEY", models: ["claude-x"] },
      { id: "compatible", label: "Own", available: true, models: ["llama"] },
      { id: "strict", label: "Strict", available: true, models: ["one"], missingModelIsError: true },
    ],
  };
  const problems = (fields: Partial<Agent>): string[] =>
    checkFlow(withAgent(base, "a", fields), offer).map(({ code, severity }) => `${severity} ${code}`);

  it.each<[Partial<Agent>, string[]]>([
    [{ model: "demo:anything" }, []],
    [{ model: "compatible:anything" }, []],
    [{ model: "openai:gpt-5" }, []],
    [{ model: "gpt-5" }, []],
    [{ model: "gpt-5-2025-08-07" }, []],
    [{ model: "openai:gpt-5-20250807" }, []],
    [{ model: undefined }, ["error missing-model"]],
    [{ model: "openia:gpt-5" }, ["error unknown-provider"]],
    [{ model: "openai:" }, ["error unknown-model"]],
    [{ model: "openai:gpt-99" }, ["warning unknown-model"]],
    [{ model: "strict:two" }, ["error unknown-model"]],
    [{ model: "anthropic:claude-x" }, ["error missing-key"]],
    [{ tools: ["calculator", "calculater"] }, ["error unknown-tool"]],
    [{ instructions: `Be ${unknown}, ${unknown}.` }, ["warning unknown-variable"]],
  ])("judges %j", (fields, expected) => expect(problems(fields)).toEqual(expected));

  it("reports a missing key once for each provider, with all nodes that use it", () => {
    const both = flowOf(read("a >> b"));
    const flow = ["a", "b"].reduce((now, name) => withAgent(now, name, { model: "anthropic:claude-x" }), both);
    const [problem, ...others] = checkFlow(flow, offer);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ code: "missing-key", provider: "anthropic", owner: "a", field: "model" });
    expect(problem?.nodes).toEqual(["a", "b"]);
    expect(problem?.message).toContain("2 agents use it");
  });

  it("reports a tool that is switched off, also beside others", () => {
    const flow = withAgent(base, "a", { tools: ["calculator", "clock"] });
    const [problem, ...others] = checkFlow(flow, { tools: ["calculator", "clock"], switchedOffTools: ["clock"] });
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ code: "switched-off-tool", severity: "error", owner: "a", reference: "clock" });
  });

  it("reports a tool that lacks a setting, with a repair, unless it is switched off", () => {
    const flow = withAgent(base, "a", { tools: ["calculator", "search", "clock"] });
    const tools = {
      tools: ["calculator", "search", "clock"],
      unavailableTools: [
        { name: "search", missing: "SEARXNG_URL" },
        { name: "clock", missing: "CLOCK_URL" },
      ],
      switchedOffTools: ["clock"],
    };
    const [off, problem, ...others] = checkFlow(flow, tools);
    expect([off?.code, others]).toEqual(["switched-off-tool", []]);
    const remove = { type: "set-agent-field", name: "a", field: "tools", value: ["calculator", "clock"] };
    expect(problem).toMatchObject({
      code: "missing-setting",
      severity: "error",
      owner: "a",
      reference: "search",
      message:
        'Agent "a" uses the tool "search", which does not work here: an administrator sets SEARXNG_URL on the server and restarts it. Or remove the tool.',
      repairs: [{ title: "Remove search", edit: remove }],
    });
    expect(simulationBlockersOf(problem ? [problem] : [])).toEqual([]);
    const approved = withAgent(base, "a", { tools: ["search"], needs_approval: ["search"] });
    // Removing the tool alone would leave an approval without a tool.
    expect(checkFlow(approved, tools).map(({ repairs }) => repairs)).toEqual([undefined]);
  });

  it("suggests a correction", () => {
    const [key] = checkFlow(withAgent(base, "a", { model: "anthropic:claude-x" }), offer);
    expect(key?.message).toContain("ANTHROPIC_API_KEY");
    const [tool] = checkFlow(withAgent(base, "a", { tools: ["calculater"] }), offer);
    expect(tool).toMatchObject({ owner: "a", field: "tools", reference: "calculater", nodes: ["a"] });
    expect(tool?.message).toContain('Did you mean "calculator"?');
  });

  it("checks only the fields of the offer", () => {
    const flow = withAgent(base, "a", { model: "unlisted:x", tools: ["nothing"] });
    expect(checkFlow(flow)).toEqual([]);
    expect(codes(checkFlow(flow, { tools: [] }))).toEqual(["unknown-tool"]);
  });
});

describe("size", () => {
  it("is fast for twenty thousand agents with a problem each", () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `agent_${i}`);
    const flow = flowOf(read(names.join(" >> ")));
    const renamed = new Map([...flow.agents.values()].map((agent) => [`${agent.name}x`, agent]));
    const problems = checkFlow({ ...flow, agents: renamed });
    expect(problems.filter(({ code }) => code === "unknown-name")).toHaveLength(200);
    expect(problems[0]?.message).toContain("Did you mean");
  });

  it("is linear in instructions full of invalid look-ups", () => {
    const instructions = unknown.slice(0, -1).repeat(200_000);
    expect(checkFlow(withAgent(flowOf(read("a")), "a", { instructions }))).toEqual([]);
  });
});

describe("output schemas", () => {
  it.each([
    ["$async", { $async: true, type: "string" }],
    ["itself", { type: "array", items: { $ref: "#" } }],
    ["example.com", { $ref: "https://example.com/schema.json" }],
  ])("that cannot be checked safely are an error before the run: %s", (part, output_schema) => {
    const problem = only(withAgent(flowOf(nameExpression("a")), "a", { output_schema }));
    expect(problem).toMatchObject({ code: "invalid-schema", severity: "error", field: "output_schema" });
    expect(problem.message).toContain(part);
  });
});
