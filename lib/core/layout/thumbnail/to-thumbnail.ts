import { agentColorCount, numberAgents } from "../../flow/agent-numbers";
import type { Expression } from "../../flow/expression";
import { type Flow, findDeclaration } from "../../flow/flow";
import { membersOf } from "../../kinds/registry";
import { drawFlow } from "./draw-flow";
import type { FlowThumbnail } from "./thumbnail";

/** Most nodes of a drawing, and most columns of blocks. */
const [mostNodes, mostColumns] = [60, 160];

/** The small picture of a flow. Pure, deterministic; its size is limited whatever the flow's is. */
export function toThumbnail(flow: Flow): FlowThumbnail {
  const colors = new Map(Array.from(numberAgents(flow), ([name, number]) => [name, number % agentColorCount]));
  if (countNames(flow, mostNodes + 1) <= mostNodes) return drawFlow(flow, colors);
  return { type: "blocks", columns: toColumns(flow, colors).slice(0, mostColumns) };
}

/** How many cards a flow has, at most `most`. */
function countNames(flow: Flow, most: number): number {
  const names = new Set(membersOf(flow.swarm));
  for (const name of names) {
    if (names.size >= most) return most;
    const declaration = findDeclaration(flow, name);
    if (declaration) for (const member of membersOf(declaration)) names.add(member);
  }
  return names.size === 0 ? Math.min(most, flow.agents.size) : names.size;
}

const blocksOfColumn = 4;

function toColumns(flow: Flow, colors: ReadonlyMap<string, number>): string[] {
  const { swarm } = flow;
  const steps = swarm.flow ? stepsOf(swarm.flow) : membersOf(swarm).map((name) => [name]);
  const columns: string[] = [];
  for (const names of steps) {
    if (columns.length >= mostColumns) break;
    const blocks = agentsOf(flow, names, blocksOfColumn * mostColumns).map((name) => colors.get(name) ?? 0);
    for (let index = 0; index < blocks.length; index += blocksOfColumn)
      columns.push(blocks.slice(index, index + blocksOfColumn).join(""));
  }
  return columns;
}

const stepsOf = (flow: Expression): string[][] =>
  flow.type === "serial" ? flow.members.map((member) => namesIn(member)) : [namesIn(flow)];

function namesIn(expression: Expression): string[] {
  const names: string[] = [];
  const pending = [expression];
  for (let next = pending.pop(); next; next = pending.pop())
    if (next.type === "name") names.push(next.name);
    else pending.push(...next.members.toReversed());
  return names;
}

/** The agents among some names and in the containers among them, each once. */
function agentsOf(flow: Flow, names: readonly string[], most: number): string[] {
  const reachedNames = new Set(names);
  const agents: string[] = [];
  for (const name of reachedNames) {
    if (agents.length >= most) break;
    const declaration = findDeclaration(flow, name);
    if (!declaration || declaration.type === "agent") agents.push(name);
    else for (const member of membersOf(declaration)) reachedNames.add(member);
  }
  return agents;
}
