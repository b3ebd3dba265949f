import type { RunNodeKind } from "./events";

interface RunNodeTraits {
  isDeclared?: true;
  isContainer?: true;
  isAgent?: true;
  doesWork?: true;
  isCall?: true;
}

/** What differs between the kinds of RunNode; the functions below explain each trait. */
const traitsByKind: Readonly<Record<RunNodeKind, RunNodeTraits>> = {
  swarm: { isDeclared: true, isContainer: true },
  group: { isDeclared: true, isContainer: true },
  agent: { isDeclared: true, isAgent: true, doesWork: true },
  llm_call: { doesWork: true, isCall: true },
  tool_call: { doesWork: true, isCall: true },
  handoff: {},
  approval: { isDeclared: true },
  branch: { isDeclared: true, isContainer: true },
  router: { isDeclared: true, doesWork: true },
  loop: { isDeclared: true, isContainer: true },
  round: { isContainer: true },
};

/** Whether a flow declares nodes of this kind, so that the canvas draws them. */
export const isDeclaredKind = (kind: RunNodeKind): boolean => traitsByKind[kind].isDeclared === true;

/** Whether nodes of this kind only contain others, and do nothing themselves. */
export const isContainerKind = (kind: RunNodeKind): boolean => traitsByKind[kind].isContainer === true;

/** Whether nodes of this kind take turns with a model: they author answers, and accept messages meanwhile. */
export const isAgentKind = (kind: RunNodeKind): boolean => traitsByKind[kind].isAgent === true;

/** Whether a model or a tool works in nodes of this kind. */
export const isWorkKind = (kind: RunNodeKind): boolean => traitsByKind[kind].doesWork === true;

/** Whether other nodes are done inside nodes of this kind, whatever it does itself. */
export const containsNodes = (kind: RunNodeKind): boolean =>
  isContainerKind(kind) || isAgentKind(kind) || kind === "router";

/** Whether a node of this kind is one call of a model or a tool. */
export const isCallKind = (kind: RunNodeKind): boolean => traitsByKind[kind].isCall === true;
