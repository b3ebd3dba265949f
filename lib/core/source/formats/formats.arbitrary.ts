import fc from "fast-check";
import { type Expression, nameExpression, parallelExpression, serialExpression } from "../../flow/expression";
import { defaultSeparator, type Flow } from "../../flow/flow";
import type { Agent } from "../../kinds/agent";
import { createAgent } from "../../kinds/agent-schema";
import type { Group } from "../../kinds/group";
import type { Swarm } from "../../kinds/swarm";
import { anyText } from "../read/source.arbitrary";

/** Names that Orbiter's lines can hold; some are words of Python or look like what they are not. */
const anyOrbiterName = fc.oneof(
  fc.constantFrom("a", "my agent", "x_1", "é", "研究者", "class", "Agent", "__proto__", "constructor", "12", "b\\s"),
  fc.constantFrom('"d"', "'s", "#b", "a #c", "x:", "{x}", "[y]", "a,b", "swarm", "tool", "a + b", "😀", "None"),
  fc
    .string({ minLength: 1, maxLength: 8, unit: "grapheme" })
    .map((text) => text.replaceAll(/\p{Cc}|[|()]|>>/gu, "").trim())
    .filter((text) => text !== ""),
);

const anyFields = fc.record({
  model: fc.constantFrom("openai:gpt-4o", "anthropic:claude-sonnet-5"),
  instructions: anyText.filter((text) => !text.includes("${")),
  tools: fc.uniqueArray(fc.constantFrom("calculator", "read_page", "on: off"), { maxLength: 2 }),
  max_steps: fc.integer({ min: 1, max: 50 }),
  temperature: fc.option(fc.constantFrom(0, 0.5, 1.25), { nil: undefined }),
  max_tokens: fc.option(fc.integer({ min: 1, max: 9000 }), { nil: undefined }),
});

type Fields = typeof anyFields extends fc.Arbitrary<infer T> ? T : never;

/** An agent of Orbiter hands its last text on at `max_steps`; `isCompat`: the flow says so. */
function toAgent(name: string, fields: Fields, isCompat: boolean): Agent {
  const set = Object.entries(fields).filter(([, value]) => value !== undefined);
  const end = fields.tools.length > 0 && !isCompat ? { on_limit: "answer" as const } : {};
  return { ...createAgent(name), ...Object.fromEntries(set), ...end };
}

const names = (list: readonly string[]): Expression[] => list.map((name) => nameExpression(name));

/**
 * Flows that Orbiter's constructors can express: a parallel and a serial group, a nested workflow, names side by side, and
 * (then with `compat: orbiter`: they hand over by name) a handoff swarm.
 */
export const anyOrbiterFlow: fc.Arbitrary<Flow> = fc
  .record({
    names: fc.uniqueArray(anyOrbiterName, { minLength: 18, maxLength: 18 }),
    fields: fc.array(anyFields, { minLength: 14, maxLength: 14 }),
    name: fc.constantFrom("Article", 'Say "hello"', "back\\slash", "研究"),
    separator: fc.constantFrom(" | ", "", "\n---\n"),
    roster: fc.boolean(),
  })
  .map(({ names: all, fields, name, separator, roster }) => {
    const [parallel = "", serial = "", nested = "", other = "", ...agentNames] = all;
    const agents = agentNames.flatMap((agent, i) => (fields[i] ? [toAgent(agent, fields[i], roster)] : []));
    const [a = "", b = "", c = "", d = "", e = "", f = "", ...rest] = agentNames;
    const groups: Group[] = [
      { type: "group", name: parallel, mode: "parallel", flow: parallelExpression(names([a, b])), separator },
      {
        type: "group",
        name: serial,
        mode: "serial",
        flow: serialExpression(names([c, d])),
        separator: defaultSeparator,
      },
    ];
    const swarms: Swarm[] = [
      {
        type: "swarm",
        name: nested,
        mode: "workflow",
        flow: serialExpression(names([e, f])),
        separator: defaultSeparator,
      },
      ...(roster ? [toRosterSwarm(other, rest)] : []),
    ];
    const beside = roster
      ? names(rest.slice(6))
      : [parallelExpression(names(rest.slice(0, 3))), ...names(rest.slice(3))];
    const flow = serialExpression([
      ...names(swarms.map((swarm) => swarm.name)),
      ...names([parallel, serial]),
      ...beside,
    ]);
    return {
      name,
      vars: new Map(),
      ...(roster && { compat: "orbiter" as const }),
      agents: new Map(agents.map((agent) => [agent.name, agent])),
      groups: new Map(groups.map((group) => [group.name, group])),
      swarms: new Map(swarms.map((swarm) => [swarm.name, swarm])),
      controls: new Map(),
      limits: {},
      swarm: { type: "swarm", name, mode: "workflow", flow, separator: defaultSeparator },
    };
  });

const toRosterSwarm = (name: string, [x = "", y = "", z = ""]: readonly string[]): Swarm => ({
  type: "swarm",
  name,
  mode: "handoff",
  agents: [x, y, z],
  edges: [
    [x, y],
    [y, x],
    [y, z],
  ],
  max_handoffs: 3,
  separator: defaultSeparator,
});
