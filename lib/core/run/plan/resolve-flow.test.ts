import { describe, expect, test } from "vitest";
import { type Expression, nameExpression, parallelExpression, serialExpression } from "../../flow/expression";
import { type Flow, type JsonSchema, limits } from "../../flow/flow";
import { type FlowSketch, makeFlow, runScripted } from "../testing/scripted-run";
import { resolveFlow } from "./resolve-flow";

const messageOf = async (flow: Flow): Promise<string> => {
  const resolved = await resolveFlow(flow);
  if (resolved.ok) throw new Error("it was resolved");
  expect(resolved.error.code).toBe("invalid-flow");
  return resolved.error.message;
};
const root = (flow: Flow, swarm: Partial<Flow["swarm"]>): Flow => ({ ...flow, swarm: { ...flow.swarm, ...swarm } });
const plain = makeFlow({ flow: "a >> b" });

describe("flows that cannot run are refused before the first call", () => {
  const nested = (depth: number): FlowSketch => ({
    flow: "g0",
    groups: Object.fromEntries(
      Array.from({ length: depth }, (_, i) => [`g${i}`, { flow: i + 1 < depth ? `g${i + 1}` : "a" }]),
    ),
  });
  const doubling: FlowSketch = {
    flow: "l0",
    groups: Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [
        [`l${i}`, { flow: i < 29 ? `l${i + 1} | r${i + 1}` : "a" }],
        [`r${i}`, { flow: i < 29 ? `l${i + 1} | r${i + 1}` : "b" }],
      ]).flat(),
    ),
  };

  const withSchema = (output_schema: JsonSchema): Flow => {
    const [first, ...others] = [...plain.agents.values()];
    const changed = first ? [{ ...first, output_schema }, ...others] : [];
    return { ...plain, agents: new Map(changed.map((agent) => [agent.name, agent])) };
  };

  const cases: [string, Flow, RegExp][] = [
    ["an asynchronous schema", withSchema({ $async: true }), /output_schema of "a" is no schema: it uses `\$async`/],
    ["a schema that contains itself", withSchema({ items: { $ref: "#" } }), /output_schema of "a" .* contains itself/],
    [
      "an unknown name",
      root(plain, { flow: nameExpression("aa") }),
      /no agent, group or swarm "aa"\. Did you mean "a"/,
    ],
    ["a missing topology", root(plain, { flow: undefined }), /root swarm has no flow that can run/],
    ["a missing topology below", makeFlow({ flow: "s", swarms: { s: { flow: "((" } } }), /swarm "s" has no flow/],
    ["a team of one", root(plain, { mode: "team", agents: ["a"] }), /root swarm is a team of one/],
    [
      "a lead that is no agent",
      makeFlow({ flow: "s", groups: { g: { flow: "a" } }, swarms: { s: { flow: "g >> b", mode: "team" } } }),
      /"g" leads the swarm "s" and must be an agent/,
    ],
    ["a handoff swarm without members", root(plain, { mode: "handoff", flow: undefined }), /root swarm has no members/],
    ["a group in itself", makeFlow({ flow: "g", groups: { g: { flow: "a | g" } } }), /contain themselves: "g"/],
    [
      "groups in a ring",
      makeFlow({ flow: "g", groups: { g: { flow: "a | h" }, h: { flow: "b | g" } } }),
      /contain themselves: "g", "h"/,
    ],
    [
      "a name used twice",
      root(plain, { flow: serialExpression([nameExpression("a"), nameExpression("a")]) }),
      /"a" occurs in the root swarm twice/,
    ],
    ["too deep nesting", makeFlow(nested(limits.depth + 1)), /nest more than 200 deep/],
    ["too many steps", makeFlow(doubling), /more than 100000 steps/],
    [
      "a name of every object",
      root(plain, { flow: nameExpression("constructor") }),
      /no agent, group or swarm "constructor"/,
    ],
  ];
  test.each(cases)("%s", async (_name, flow, message) => {
    expect(await messageOf(flow)).toMatch(message);
    const { events, models } = await runScripted(flow, { script: {} });
    expect(models.requests).toEqual([]);
    expect(events).toMatchObject([
      { type: "run.started" },
      {
        type: "run.finished",
        status: "FAILED",
        error: { code: "invalid-flow", message: expect.stringMatching(message) },
      },
    ]);
  });

  test("what the root does not reach may be broken", async () => {
    expect(await resolveFlow(makeFlow({ flow: "a", groups: { g: { flow: "g | zz" } } }))).toMatchObject({ ok: true });
  });

  test("parentheses built deeper than any text can be", async () => {
    let expression: Expression = nameExpression("a0");
    for (let i = 1; i < 50_000; i++)
      expression = (i % 2 ? serialExpression : parallelExpression)([expression, nameExpression(`a${i}`)]);
    expect(await messageOf(root(plain, { flow: expression }))).toMatch(/Parentheses nest more than 200 deep/);
  });
});

describe("what the limits allow runs", () => {
  const answer = { script: ({ agent }: { agent: string }) => ({ text: agent }) };

  test("200 groups deep, and 198 parentheses deep in the innermost", async () => {
    let text = "a";
    for (let i = 0; i < 99; i++) text = `(p${i} | (${text} >> s${i}))`;
    const groups = Object.fromEntries(
      Array.from({ length: limits.depth }, (_, i) => [
        `g${i}`,
        i + 1 < limits.depth ? { flow: `g${i + 1}` } : { mode: "serial" as const, flow: text },
      ]),
    );
    const { last } = await runScripted({ flow: "g0", groups }, answer);
    expect(last.status).toBe("SUCCESS");
  });

  test("names of every object are names like any other", async () => {
    const { last } = await runScripted({ flow: "(__proto__ | constructor) >> toString >> hasOwnProperty" }, answer);
    expect(last).toMatchObject({ status: "SUCCESS", output: { text: "hasOwnProperty" } });
  });

  test("a name with # or / has a path of its own", async () => {
    const flow = root(makeFlow({ flow: "a", agents: { "a#llm-1": {}, "a/b": {} } }), {
      flow: serialExpression([nameExpression("a"), nameExpression("a#llm-1"), nameExpression("a/b")]),
    });
    const { started } = await runScripted(flow, answer);
    expect(started.map((node) => node.path)).toEqual([
      "/",
      "a",
      "a#llm-1",
      "a%23llm-1",
      "a%23llm-1#llm-1",
      "a%2Fb",
      "a%2Fb#llm-1",
    ]);
  });

  test.each([serialExpression, parallelExpression])("10,000 members of one stage (%o)", async (join) => {
    const names = Array.from({ length: 10_000 }, (_, i) => `n${i}`);
    const agents = Object.fromEntries(names.map((name) => [name, {}]));
    const flow = root(makeFlow({ flow: "", agents }), { flow: join(names.map((name) => nameExpression(name))) });
    const { last, started } = await runScripted(flow, answer);
    expect(last).toMatchObject({ status: "SUCCESS", usage: { calls: 10_000 } });
    expect(started).toHaveLength(20_001);
  });
});
