import { agentKind } from "./agent";
import { approvalKind } from "./approval";
import { branchKind } from "./branch";
import { groupKind } from "./group";
import { loopKind } from "./loop";
import type { NodeKind } from "./node-kind";
import { routerKind } from "./router";
import { swarmKind } from "./swarm";

/** Every kind of node, in the order in which the user is offered them. A test compares it with the core's registry. */
export const nodeKinds = {
  agent: agentKind,
  branch: branchKind,
  router: routerKind,
  loop: loopKind,
  approval: approvalKind,
  group: groupKind,
  swarm: swarmKind,
} as const satisfies Readonly<Record<string, NodeKind>>;

export type NodeKindName = keyof typeof nodeKinds;
