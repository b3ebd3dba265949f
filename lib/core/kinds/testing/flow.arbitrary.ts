import { parseFlow } from "../../dsl/parse";
import { type Expression, namesOf } from "../../flow/expression";
import { defaultSeparator, type Flow } from "../../flow/flow";
import { createAgent } from "../agent-schema";
import type { Group } from "../group";

/** A flow whose root is `expression`; every name in it is an agent unless `groups` declares it. */
export function flowOf(
  expression: Expression,
  groups: Record<string, [Group["mode"], Expression]> = {},
  spare: string[] = [],
): Flow {
  const named = new Map(
    Object.entries(groups).map(([name, [type, flow]]): [string, Group] => [
      name,
      { type: "group", name, mode: type, flow, separator: defaultSeparator },
    ]),
  );
  const names = [expression, ...[...named.values()].flatMap(({ flow }) => (flow ? [flow] : []))].flatMap((part) =>
    namesOf(part),
  );
  const agents = [...names.map(({ name }) => name), ...spare].filter((name) => !named.has(name));
  return {
    name: "Test",
    vars: new Map(),
    agents: new Map(agents.map((name) => [name, createAgent(name, { model: "demo:x" })])),
    groups: named,
    swarms: new Map(),
    controls: new Map(),
    limits: {},
    swarm: { type: "swarm", name: "Test", mode: "workflow", flow: expression, separator: defaultSeparator },
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
