import fc from "fast-check";
import { accessTo } from "../../condition/condition";
import { shape } from "../../dsl/parse.arbitrary";
import { type Expression, nameExpression, parallelExpression, serialExpression } from "../../flow/expression";
import { type Control, defaultSeparator, type Flow } from "../../flow/flow";
import { canLookUp } from "../../flow/template-variables";
import type { Agent } from "../../kinds/agent";
import { agentDefaults, limitEnds, toolCallOrders } from "../../kinds/agent-defaults";
import { createAgent } from "../../kinds/agent-schema";
import type { RouterLane } from "../../kinds/declaration-reader";
import type { Group } from "../../kinds/group";
import { loopLimits } from "../../kinds/loop";
import { lanesOf } from "../../kinds/registry";
import type { Swarm } from "../../kinds/swarm";

/** Names that the DSL, or YAML, or both take for something else. */
const awkwardNames = [
  ...["a", "b", "my agent", "x_1", "é", "研究者", "__proto__", "constructor"],
  ...["true", "null", "~", "12", "1e3", "2026-11-21", "<<", "-", "- x", "? y", "k: v", "x:", "#b", "a #c"],
  ...["{x}", "[y]", "*n", "&m", "!t", "%d", "@at", "`tick", "'s", '"d"', "b\\s", "a|b", "x >> y", "(q)", "a,b"],
];
const anyName = fc.oneof(
  fc.constantFrom(...awkwardNames),
  fc
    .string({ minLength: 1, maxLength: 10, unit: "grapheme" })
    .map((text) => text.replaceAll(/\p{Cc}/gu, "").trim())
    .filter((text) => text !== ""),
);

const awkwardLines = [
  "",
  " ",
  "  two",
  "# no comment",
  "---",
  "...",
  "key: value",
  "- item",
  "\ttab",
  "end ",
  "'",
  '"',
  "$x",
];
/** Texts of several lines with everything that YAML could stumble over. */
export const anyText = fc.oneof(
  fc.string({ maxLength: 30, unit: "grapheme" }),
  fc
    .array(fc.oneof(fc.constantFrom(...awkwardLines), fc.string({ maxLength: 12, unit: "grapheme" })), { maxLength: 6 })
    .map((lines) => lines.join("\n")),
);

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });
const decimal = (max: number): fc.Arbitrary<number> => fc.integer({ min: 1, max: max * 100 }).map((n) => n / 100);

const anyFields = fc.record({
  model: maybe(fc.constantFrom("demo:writer", "openai:gpt-5", "yes")),
  description: maybe(anyText.filter((text) => text !== "")),
  instructions: anyText,
  tools: fc.array(fc.constantFrom("calculator", "read_page", "on: off"), { maxLength: 3 }),
  tool_calls: maybe(fc.constantFrom(...toolCallOrders)),
  max_steps: fc.constantFrom(agentDefaults.max_steps, 1, 1000),
  on_limit: maybe(fc.constantFrom(...limitEnds)),
  max_retries: fc.constantFrom(agentDefaults.max_retries, 0, 20),
  timeout_seconds: maybe(decimal(86_400)),
  temperature: maybe(decimal(2)),
  max_tokens: maybe(fc.integer({ min: 1, max: 10_000_000 })),
  output_schema: maybe(
    fc.record({
      type: fc.constant("object"),
      properties: fc.dictionary(fc.constantFrom("a", "b c", "d: e", "1"), fc.record({ description: anyText })),
      required: fc.array(fc.constantFrom("a", "b c")),
    }),
  ),
});

function toAgent(name: string, fields: typeof anyFields extends fc.Arbitrary<infer T> ? T : never): Agent {
  const set = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { ...createAgent(name), ...Object.fromEntries(set) };
}

/** Joins names to a tree, driven by the numbers. */
function join(names: readonly string[], choices: readonly number[]): Expression {
  let parts = names.map((name) => nameExpression(name)) as Expression[];
  for (const choice of choices) {
    if (parts.length < 2) break;
    const [taken, rest] = [parts.slice(0, 2 + (choice % 2)), parts.slice(2 + (choice % 2))];
    parts = [...rest, choice < 3 ? serialExpression(taken) : parallelExpression(taken)];
  }
  return serialExpression(parts);
}

const anyChoices = fc.array(fc.nat(5), { maxLength: 8 });

const [fewestNames, mostNames] = [22, 26];
/** The number of agents with random fields; the others have a model. More only make files longer, and tests slower. */
const agentsWithFields = 4;

/**
 * Random flows that can be drawn: up to 26 declarations with awkward names and texts, a named parallel and a named
 * serial group, a nested swarm and a handoff swarm, a branch, a loop, a router and an approval with members of their
 * own, agents that wait beside the flow. A condition and instructions name others.
 */
export const anyFlow: fc.Arbitrary<Flow> = fc
  .record({
    names: fc.uniqueArray(anyName, { minLength: fewestNames, maxLength: mostNames }),
    fields: fc.array(anyFields, { minLength: agentsWithFields, maxLength: agentsWithFields }),
    choices: fc.tuple(anyChoices, anyChoices),
    flowName: anyName,
    lane: anyName,
    when: anyText,
    separator: fc.constantFrom(defaultSeparator, "", " | ", "\n---\n"),
    vars: fc.dictionary(fc.constantFrom("tone", "max_words", "on"), fc.oneof(anyText, fc.integer(), fc.boolean())),
    waiting: fc.nat(1),
    description: maybe(anyText.filter((text) => text !== "" && !text.includes("\n"))),
    looked: maybe(
      fc.record({ model: fc.constantFrom("demo:x", "openai:gpt-5"), steps: fc.integer({ min: 1, max: 1000 }) }),
    ),
  })
  .map(({ names, fields, choices: [rootChoices, swarmChoices], lane, when, separator, waiting, ...rest }) => {
    const { flowName, description, looked } = rest;
    const vars = { ...rest.vars, ...looked };
    const [parallel = "", serial = "", swarm = "", handoff = "", ...left] = names;
    const [controlNames, agentNames] = [left.slice(0, 4), left.slice(4)];
    const agents = agentNames.map((name, i) => {
      const agent = fields[i] ? toAgent(name, fields[i]) : { ...createAgent(name), model: "demo:writer" };
      return looked && i % 2 === 0 ? { ...agent, ...toLookUps(looked) } : agent;
    });
    const [a = "", b = "", c = "", d = "", e = "", first = "", second = "", third = "", ...more] = agentNames;
    const [inControls, others] = [more.slice(0, 4), more.slice(4)];
    const groups: Group[] = [
      {
        type: "group",
        name: parallel,
        mode: "parallel",
        flow: join([a, b], [5]),
        ...(looked
          ? { separator: `- ${looked.steps} -`, written: { separator: `- \${vars.steps} -` } }
          : { separator }),
      },
      { type: "group", name: serial, mode: "serial", flow: join([c, d], [0]), separator: defaultSeparator },
    ];
    const swarms: Swarm[] = [
      { type: "swarm", name: swarm, mode: "workflow", flow: join([e], swarmChoices), separator },
      { ...toHandoff(first, second, third), name: handoff },
    ];
    const controls = toControls(controlNames, inControls, { lane, when, separator });
    const members = [parallel, ...others.slice(waiting), swarm, serial, handoff, ...controlNames];
    return {
      name: flowName,
      ...(description !== undefined && { description }),
      vars: new Map(Object.entries(vars)),
      agents: new Map(agents.map((agent) => [agent.name, agent])),
      groups: new Map(groups.map((group) => [group.name, group])),
      swarms: new Map(swarms.map((one) => [one.name, one])),
      controls: new Map(controls.map((one) => [one.name, one])),
      limits: waiting === 0 ? {} : { max_tokens: 1000 },
      swarm: {
        type: "swarm",
        name: flowName,
        mode: "workflow",
        flow: join(members, rootChoices),
        separator: defaultSeparator,
      },
    };
  });

/** Fields of an agent that look up variables, and what they come to. */
const toLookUps = ({ model, steps }: { model: string; steps: number }): Partial<Agent> => ({
  model,
  max_steps: steps,
  fallback_model: `${model}-${steps}`,
  written: { model: `\${vars.model}`, max_steps: `\${vars.steps}`, fallback_model: `\${vars.model}-\${vars.steps}` },
});

const toHandoff = (first: string, second: string, third: string): Omit<Swarm, "name"> => ({
  type: "swarm",
  mode: "handoff",
  agents: [first, second, third],
  edges: [
    [first, second],
    [second, first],
    [first, third],
  ],
  max_handoffs: 3,
  separator: defaultSeparator,
});

function toControls(
  [branch = "", loop = "", router = "", approval = ""]: readonly string[],
  [inBranch = "", inLoop = "", one = "", two = ""]: readonly string[],
  { lane, when, separator }: { lane: string; when: string; separator: string },
): Control[] {
  const told = canLookUp(inLoop) ? `Mind \${outputs.${inLoop}}.` : "";
  const lanes = new Map<string, RouterLane>([
    [lane, { when, flow: serialExpression([nameExpression(one), nameExpression(two)]) }],
    ["the rest of it", { when: "" }],
  ]);
  return [
    {
      type: "branch",
      name: branch,
      condition: `contains(outputs${accessTo(inLoop)}, "x")`,
      if_true: nameExpression(inBranch),
    },
    { type: "router", name: router, model: "demo:router", instructions: told, lanes },
    { type: "loop", name: loop, body: nameExpression(inLoop), count: 2, limit: loopLimits.usual, separator },
    { type: "approval", name: approval, message: when, timeout_seconds: 60 },
  ];
}

/** A flow without the places in its text. */
export function plain({ name, description, vars, agents, groups, swarms, controls, limits, swarm }: Flow): unknown {
  const part = <T extends Group | Swarm>(one: T) => ({ ...one, ...(one.flow ? { flow: shape(one.flow) } : {}) });
  return {
    name,
    description,
    vars: [...vars],
    limits,
    agents: [...agents.values()],
    groups: [...groups.values()].map(part),
    swarms: [...swarms.values()].map(part),
    controls: [...controls.values()].map(plainControl),
    swarm: part(swarm),
  };
}

/** A control without the places in its text. */
export function plainControl(control: Control): unknown {
  const lanes = lanesOf(control).map(([lane, flow]) => [lane, flow && shape(flow)]);
  if (control.type !== "router") return { ...control, ...Object.fromEntries(lanes) };
  return { ...control, lanes, when: [...control.lanes.values()].map(({ when }) => when) };
}

/** A text as a person keeps it: whole-line comments and empty lines between the declarations, `\n` or `\r\n`, with a last line break or without. */
export const anyCare = fc.record({
  places: fc.array(fc.nat(60), { maxLength: 8 }),
  crlf: fc.boolean(),
  open: fc.boolean(),
});

export function takeCare(
  text: string,
  { places, crlf, open }: typeof anyCare extends fc.Arbitrary<infer T> ? T : never,
) {
  const lines = text.split("\n").flatMap((line, i) => {
    const isKey = /^ {0,2}[^\s]/.test(line);
    return isKey && places.includes(i) ? ["", `# note ${i}: "keep" >> this`, line] : [line];
  });
  // Not every editor ends the last line.
  return (open ? lines.slice(0, -1) : lines).join(crlf ? "\r\n" : "\n");
}
