import type { z } from "zod";
import { type Expression, nameExpression, parallelExpression, serialExpression } from "@/lib/core/flow/expression";
import { defaultSeparator, type Flow } from "@/lib/core/flow/flow";
import { type agentSchema, createAgent } from "@/lib/core/kinds/agent-schema";

type AgentFields = z.input<typeof agentSchema> & { model: string };

const makeNames = (count: number, prefix: string): string[] => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

/** Equal agents, joined to one topology. */
function makeFlow(names: readonly string[], flow: Expression, separator: string, fields: AgentFields): Flow {
  return {
    name: "Bench",
    vars: new Map(),
    agents: new Map(names.map((name) => [name, createAgent(name, fields)])),
    groups: new Map(),
    swarms: new Map(),
    controls: new Map(),
    limits: {},
    swarm: { type: "swarm", name: "Bench", mode: "workflow", flow, separator },
  };
}

const toExpressions = (names: readonly string[]): Expression[] => names.map((name) => nameExpression(name));

/** `count` agents one after another. */
export function makeChain(count: number, fields: AgentFields): Flow {
  const names = makeNames(count, "agent ");
  return makeFlow(names, serialExpression(toExpressions(names)), defaultSeparator, fields);
}

/** `count` agents at once. */
export function makeParallel(count: number, fields: AgentFields): Flow {
  const names = makeNames(count, "agent ");
  return makeFlow(names, parallelExpression(toExpressions(names)), defaultSeparator, fields);
}

/** One agent, `count` at once on its answer, and one that reads their answers with commas between. */
export function makeFanout(count: number, fields: AgentFields): Flow {
  const workers = makeNames(count, "worker ");
  const flow = serialExpression([
    nameExpression("first"),
    parallelExpression(toExpressions(workers)),
    nameExpression("last"),
  ]);
  return makeFlow(["first", ...workers, "last"], flow, ",", fields);
}
