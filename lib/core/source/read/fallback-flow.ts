import type { Expression } from "../../flow/expression";
import { type Control, type Declaration, defaultSeparator, type Flow } from "../../flow/flow";
import { createAgent } from "../../kinds/agent";
import { loopLimits } from "../../kinds/loop";
import type { Swarm } from "../../kinds/swarm";
import { type DeclaringSection, declaringSections } from "./sections";

/** What `name` of a section was when it could be read, out of the flow that was read then. */
export function findPreviousDeclaration(flow: Flow, section: DeclaringSection, name: string): Declaration | null {
  if (section === "agents") {
    const value = flow.agents.get(name);
    return value ?? null;
  }
  if (section === "groups") {
    const value = flow.groups.get(name);
    return value ?? null;
  }
  if (section === "swarms") {
    const value = flow.swarms.get(name);
    return value ?? null;
  }
  const control = flow.controls.get(name);
  return control?.type === declaringSections[section] ? control : null;
}

/** The names that a flow declares in a section. */
export function namesOfSection(flow: Flow, section: DeclaringSection): string[] {
  if (section === "agents" || section === "groups" || section === "swarms") return [...flow[section].keys()];
  return [...flow.controls.values()].flatMap(({ type, name }) => (type === declaringSections[section] ? [name] : []));
}

/** A declaration of which only the name is known. */
export function emptyDeclaration(section: DeclaringSection, name: string): Declaration {
  const kind = declaringSections[section];
  switch (kind) {
    case "agent":
      return createAgent(name);
    case "group":
      return { type: kind, name, mode: "parallel", separator: defaultSeparator };
    case "swarm":
      return { type: kind, name, mode: "workflow", separator: defaultSeparator };
    case "branch":
      return { type: kind, name, condition: "" };
    case "router":
      return { type: kind, name, instructions: "", lanes: new Map() };
    case "loop":
      return { type: kind, name, limit: loopLimits.usual, separator: defaultSeparator };
    case "approval":
      return { type: kind, name, message: "" };
  }
}

/** The declaration with the members that it had when their text could be read. */
export function withPreviousMembers(declaration: Declaration, unread: readonly string[], before: Flow): Declaration {
  if (unread.length === 0 || declaration.type === "agent") return declaration;
  const { name } = declaration;
  if (declaration.type === "group") {
    const flow = before.groups.get(name)?.flow;
    return flow ? { ...declaration, flow } : declaration;
  }
  if (declaration.type === "swarm") return withPreviousSwarmMembers(declaration, before.swarms.get(name));
  const previousControl = before.controls.get(name);
  return previousControl ? withPreviousLanes(declaration, previousControl, unread) : declaration;
}

export function withPreviousSwarmMembers(swarm: Swarm, before: Swarm | undefined): Swarm {
  const { flow, agents, edges } = before ?? {};
  return { ...swarm, ...(flow && { flow }), ...(agents && { agents }), ...(edges && { edges }) };
}

function withPreviousLanes(control: Control, before: Control, unread: readonly string[]): Control {
  const previousFlow = <T extends Expression>(lane: string, flow: T | undefined): T | undefined =>
    unread.includes(lane) ? flow : undefined;
  if (control.type === "branch" && before.type === "branch") {
    const [yes, no] = [previousFlow("if_true", before.if_true), previousFlow("if_false", before.if_false)];
    return { ...control, ...(yes && { if_true: yes }), ...(no && { if_false: no }) };
  }
  if (control.type === "loop" && before.type === "loop") {
    const body = previousFlow("body", before.body);
    return { ...control, ...(body && { body }) };
  }
  if (control.type !== "router" || before.type !== "router") return control;
  const lanes = [...control.lanes].map(([name, lane]) => {
    const flow = previousFlow(name, before.lanes.get(name)?.flow);
    return [name, flow ? { ...lane, flow } : lane] as const;
  });
  return { ...control, lanes: new Map(lanes) };
}
