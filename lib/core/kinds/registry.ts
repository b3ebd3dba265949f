import type { Declaration, DeclarationTypes, NodeType } from "../flow/flow";
import { agentKind } from "./agent";
import { approvalKind } from "./approval";
import { branchKind } from "./branch";
import { groupKind } from "./group";
import { loopKind } from "./loop";
import type { Lane, NodeKind } from "./node-kind";
import { routerKind } from "./router";
import { swarmKind } from "./swarm";

/** The node kinds of Swarmloom, in the order of their sections in a flow file. */
export const builtInKinds = {
  agent: agentKind,
  group: groupKind,
  swarm: swarmKind,
  branch: branchKind,
  router: routerKind,
  loop: loopKind,
  approval: approvalKind,
} satisfies { readonly [Type in NodeType]?: NodeKind<DeclarationTypes[Type]> };
export type BuiltInNodeType = keyof typeof builtInKinds;

const kindsByType = new Map<string, NodeKind>();
const kindsBySection = new Map<string, NodeKind>();

/** Adds a node kind to everything that reads, checks, draws, edits and runs flows. Its type extends `DeclarationTypes`. */
export function registerNodeKind(kind: NodeKind): void {
  kindsByType.set(kind.type, kind);
  kindsBySection.set(kind.section, kind);
}
for (const kind of Object.values<NodeKind>(builtInKinds)) registerNodeKind(kind);

/** All kinds, in the order of their sections in a flow file. */
export const listNodeKinds = (): NodeKind[] => [...kindsByType.values()];

/** The fields of all kinds that hold a condition. */
export const listConditionFields = (): string[] => listNodeKinds().flatMap(({ conditionFields }) => conditionFields);

/** The kind of a declaration. Throws for a type that is not registered. */
export function kindOf({ type }: Pick<Declaration, "type">): NodeKind {
  const kind = kindsByType.get(type);
  if (!kind) throw new Error(`No node kind is registered for the type ${type}.`);
  return kind;
}

/** The kind that a section of a flow file declares, e.g. of `branches`; undefined for other sections. */
export const kindOfSection = (section: string): NodeKind | undefined => kindsBySection.get(section);

/** The topologies of a declaration, by the name that each has in the flow file and on the canvas. */
export const lanesOf = (declaration: Declaration): Lane[] => kindOf(declaration).lanes(declaration);

/** The names of the nodes in a declaration, in written order, each once. */
export const membersOf = (declaration: Declaration): string[] => kindOf(declaration).members(declaration);
