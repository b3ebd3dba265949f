import type { NodeType } from "../../flow/flow";

/** The sections of a flow file that declare controls, and of what type. */
export const controlSections = { branches: "branch", routers: "router", loops: "loop", approvals: "approval" } as const;
export type ControlSection = keyof typeof controlSections;
export const isControlSection = (key: string): key is ControlSection => Object.hasOwn(controlSections, key);

/** The sections that contain declarations, with the kind that each declares. */
export const declaringSections = { agents: "agent", groups: "group", swarms: "swarm", ...controlSections } as const;
export type DeclaringSection = keyof typeof declaringSections;
export const isDeclaringSection = (key: string): key is DeclaringSection => Object.hasOwn(declaringSections, key);
/** In the order in which they are read and written. */
export const declaringKeys: readonly DeclaringSection[] = Object.keys(declaringSections).filter(isDeclaringSection);

/** The section that declares what is of this kind. */
export const sectionOfKind = (kind: NodeType): DeclaringSection =>
  declaringKeys.find((section) => declaringSections[section] === kind) ?? "agents";

/** The sections of a flow file, in the order in which they are written. */
export const topKeys = ["name", "description", "vars", "compat", "limits", ...declaringKeys, "swarm"];
