import { parseFlow } from "../dsl/parse";
import { type Expression, namesOf } from "./expression";
import { type Agent, agentSchema, defaultSeparator, type Flow, type Group } from "./flow";

const agent = (name: string): Agent => ({ ...agentSchema.parse({ model: "demo:x" }), name });

/** A flow whose root is `expression`; every name in it is an agent unless `groups` says otherwise. */
export function flowOf(
  expression: Expression,
  groups: Record<string, [Group["type"], Expression]> = {},
  spare: string[] = [],
): Flow {
  const named = new Map(
    Object.entries(groups).map(([name, [type, flow]]): [string, Group] => [
      name,
      { name, type, flow, separator: defaultSeparator },
    ]),
  );
  const names = [expression, ...[...named.values()].flatMap(({ flow }) => (flow ? [flow] : []))].flatMap((part) =>
    namesOf(part),
  );
  const agents = [...names.map(({ name }) => name), ...spare].filter((name) => !named.has(name));
  return {
    name: "Test",
    vars: new Map(),
    agents: new Map(agents.map((name) => [name, agent(name)])),
    groups: named,
    swarms: new Map(),
    controls: new Map(),
    limits: {},
    swarm: { name: "Test", type: "workflow", flow: expression, separator: defaultSeparator },
  };
}

/** So many agents in stages of five lanes, each of two agents; the stages run one after the other. */
export function flowOfStages(agents: number): Flow {
  const stages = Array.from(
    { length: agents / 10 },
    (_, stage) => `(${Array.from({ length: 5 }, (_, lane) => `a${stage}_${lane} >> b${stage}_${lane}`).join(" | ")})`,
  );
  const { expression } = parseFlow(stages.join(" >> "));
  if (!expression) throw new Error("the flow has no mistakes");
  return flowOf(expression);
}
