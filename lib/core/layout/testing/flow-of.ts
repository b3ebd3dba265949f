import { parseFlow } from "../../dsl/parse";
import { namesOf } from "../../flow/expression";
import type { Flow } from "../../flow/flow";
import type { Group } from "../../kinds/group";
import { readSource } from "../../source/read-source";

/** A flow for tests: every name in `dsl`, the groups and `beside` is an agent unless it is a group. */
export function flowOf(dsl: string, groups: Record<string, [Group["mode"], string]> = {}, beside: string[] = []): Flow {
  const parsed = [
    parseFlow(dsl),
    ...Object.values(groups).map(([mode, text]) => parseFlow(text, { as: `group-${mode}` })),
  ];
  const names = parsed.flatMap(({ expression }) => (expression ? namesOf(expression).map(({ name }) => name) : []));
  const agents = [...names, ...beside].filter((name) => !Object.hasOwn(groups, name));
  const file = {
    name: "Test",
    agents: Object.fromEntries(agents.map((name) => [name, { model: "demo:x" }])),
    groups: Object.fromEntries(Object.entries(groups).map(([name, [type, flow]]) => [name, { type, flow }])),
    swarm: { type: "workflow", flow: dsl },
  };
  return readSource(JSON.stringify(file)).flow;
}
