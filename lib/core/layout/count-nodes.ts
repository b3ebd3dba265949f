import type { Layout } from "../flow/edit";
import { type Declaration, type Flow, findDeclaration, limits } from "../flow/flow";
import { type NodeKey, nodeKey } from "../flow/node-key";
import { findUnreached } from "../kinds/members";
import { membersOf } from "../kinds/registry";
import { foldedKeys } from "./arrange-flow";

/** An open frame whose members are counted. */
interface OpenFrame {
  declaration: Declaration;
  key: NodeKey;
  /** Names of the frames around it, and its own. */
  open: readonly string[];
}

/**
 * How many nodes an arrangement of the flow has. It is counted up to `most`, and a little further: what contains itself in
 * several ways has more nodes than can be arranged.
 */
export function countNodes(flow: Flow, layout: Layout, most: number): number {
  const folded = foldedKeys(layout);
  let nodes = findUnreached(flow).length;
  const pending: OpenFrame[] = [{ declaration: flow.swarm, key: "", open: [] }];
  for (let frame = pending.pop(); frame && nodes <= most; frame = pending.pop()) {
    const { declaration, key: scope, open } = frame;
    const names = new Set(membersOf(declaration));
    nodes += names.size;
    for (const name of names) {
      if (nodes + pending.length > most) break;
      const member = findDeclaration(flow, name);
      const key = nodeKey(scope, name);
      if (member && member.type !== "agent" && !open.includes(name) && open.length < limits.depth && !folded?.has(key))
        pending.push({ declaration: member, key, open: [...open, name] });
    }
  }
  return nodes;
}
