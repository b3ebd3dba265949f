import { type Flow, findDeclaration } from "../flow/flow";
import { type NodeKey, nodeKey } from "../flow/node-key";
import { kindOf, membersOf } from "../kinds/registry";

/** An agent that a folded card contains, with the key that it has when the card is unfolded. */
export interface FoldedAgent {
  key: NodeKey;
  name: string;
}

/** A folded card tells no more apart. */
const mostAgents = 500;
/** A few containers that contain each other have exponentially many places: so many are looked at. */
const mostVisits = 5_000;

/** The agents in a group, swarm or control and in all that it contains, in written order; at most 500, of the first 5,000 places. */
export function listFoldedAgents(flow: Flow, { key, name }: FoldedAgent): FoldedAgent[] {
  const agents: FoldedAgent[] = [];
  let visits = 0;
  const visit = (node: FoldedAgent, open: readonly string[]): void => {
    if (agents.length >= mostAgents || visits >= mostVisits) return;
    visits++;
    const declaration = findDeclaration(flow, node.name);
    const isContainer =
      declaration !== null && !open.includes(node.name) && kindOf(declaration).content(declaration) !== null;
    if (isContainer)
      for (const member of membersOf(declaration))
        visit({ key: nodeKey(node.key, member), name: member }, [...open, node.name]);
    else if (declaration === null || declaration.type === "agent") agents.push(node);
  };
  visit({ key, name }, []);
  return agents;
}

/** Whether a declaration may be drawn as one card: a group, a swarm or a loop with members. */
export function isFoldable(flow: Flow, name: string): boolean {
  const declaration = findDeclaration(flow, name);
  if (!declaration || kindOf(declaration).content(declaration) === null) return false;
  const { isControl, isContainer, repeats } = kindOf(declaration);
  return isControl ? repeats : isContainer;
}
