import { numberAgents } from "../../flow/agent-numbers";
import { type Expression, namesOf } from "../../flow/expression";
import { type Flow, findDeclaration } from "../../flow/flow";
import { membersOf } from "../../kinds/registry";
import { drawFlow } from "./draw-flow";
import type { FlowThumbnail } from "./thumbnail";

/** Most names in a drawing, and most columns of blocks. */
const [mostNames, mostColumns] = [60, 160];

/** The small picture of a flow. Pure, deterministic; its size is limited whatever the flow's is. */
export function toThumbnail(flow: Flow): FlowThumbnail {
  const colors = numberAgents(flow);
  const drawing = countNames(flow, mostNames + 1) <= mostNames ? drawFlow(flow, colors) : null;
  return drawing ?? { type: "blocks", columns: toColumns(flow, colors).slice(0, mostColumns) };
}

/** How many names a flow has in it, at most `most`. */
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
  for (const names of steps.slice(0, mostColumns)) {
    const blocks = agentsOf(flow, names, blocksOfColumn * mostColumns).map((name) => colors.get(name) ?? 0);
    for (let index = 0; index < blocks.length; index += blocksOfColumn)
      columns.push(blocks.slice(index, index + blocksOfColumn).join(""));
  }
  return columns;
}

const stepsOf = (flow: Expression): string[][] =>
  (flow.type === "serial" ? flow.members : [flow]).map((step) => namesOf(step).map(({ name }) => name));

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
