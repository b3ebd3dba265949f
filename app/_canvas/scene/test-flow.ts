import { parseFlow } from "@/lib/core/dsl/parse";
import { namesOf } from "@/lib/core/flow/expression";
import { defaultSeparator, type Flow } from "@/lib/core/flow/flow";
import { type Agent, createAgent } from "@/lib/core/kinds/agent";
import type { Group } from "@/lib/core/kinds/group";

/** A flow for tests: every name in `dsl`, the groups and `beside` is an agent unless it is a group. */
export function flowOf(dsl: string, groups: Record<string, [Group["mode"], string]> = {}, beside: string[] = []): Flow {
  const root = parseFlow(dsl).expression;
  const read = Object.entries(groups).map(([name, [type, text]]): Group => {
    const flow = parseFlow(text, { as: `group-${type}` }).expression;
    return { type: "group", name, mode: type, separator: defaultSeparator, ...(flow ? { flow } : {}) };
  });
  const names = [root, ...read.map((group) => group.flow)].flatMap((expression) =>
    expression ? namesOf(expression) : [],
  );
  const agents = [...names.map(({ name }) => name), ...beside].filter((name) => !Object.hasOwn(groups, name));
  return {
    name: "Test",
    vars: new Map(),
    agents: new Map(agents.map((name): [string, Agent] => [name, createAgent(name, { model: "demo:x" })])),
    groups: new Map(read.map((group) => [group.name, group])),
    swarms: new Map(),
    controls: new Map(),
    limits: {},
    swarm: {
      type: "swarm",
      name: "Test",
      mode: "workflow",
      separator: defaultSeparator,
      ...(root ? { flow: root } : {}),
    },
  };
}
