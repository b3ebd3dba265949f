import type { Group } from "../kinds/group";
import { controlTypes, lanesOf } from "../kinds/registry";
import type { Swarm } from "../kinds/swarm";
import { type Expression, namesOf, sourcesOf } from "./expression";
import { type Control, type Flow, findDeclaration } from "./flow";
import { compareCodePoints } from "./graph";

/** What holds others: everything that can be declared, apart from agents. */
export type Part = Group | Swarm | Control;

export const isControl = (part: Part): part is Control => controlTypes.some((type) => type === part.type);

export const isGroup = (part: Part): part is Group => part.type === "group";

/** The names that a part holds, in written order, each once. */
export function membersOf(part: Part): string[] {
  if (isControl(part))
    return [...new Set(lanesOf(part).flatMap(([, flow]) => (flow ? namesOf(flow).map(({ name }) => name) : [])))];
  const names = new Set(part.flow ? namesOf(part.flow).map(({ name }) => name) : []);
  if ("agents" in part) for (const name of part.agents ?? []) names.add(name);
  if ("edges" in part) for (const link of part.edges ?? []) for (const name of link) names.add(name);
  return [...names];
}

/**
 * The members of a handoff, team or orchestrate swarm, the one that starts or leads in front: the first of `agents:`, or
 * what stands first in `flow:` (of several the first by name).
 */
export function rosterOf(swarm: Swarm): string[] {
  if (swarm.agents) return [...new Set(swarm.agents)];
  if (!swarm.flow) return [];
  const names = [...new Set(namesOf(swarm.flow).map(({ name }) => name))];
  const [first] = sourcesOf(swarm.flow).toSorted(compareCodePoints);
  return first === undefined ? names : [first, ...names.filter((name) => name !== first)];
}

/** The group, swarm or control of that name. */
export const findPart = (flow: Flow, name: string): Part | undefined =>
  flow.groups.get(name) ?? flow.swarms.get(name) ?? flow.controls.get(name);

/** Every name that a part holds, directly or through others. */
function findReached(flow: Flow, part: Part): Set<string> {
  const reached = new Set(membersOf(part));
  for (const name of reached) {
    const part = flow.agents.has(name) ? undefined : findPart(flow, name);
    if (part) for (const member of membersOf(part)) reached.add(member);
  }
  return reached;
}

/** Whether the part called `holder` holds `name`, directly or through others. */
export function holds(flow: Flow, holder: string, name: string): boolean {
  const found = findDeclaration(flow, holder);
  return found !== null && found.type !== "agent" && findReached(flow, found).has(name);
}

/** Declared names that the root swarm does not hold, in the order of the file. */
export function findUnreached(flow: Flow): string[] {
  const reached = findReached(flow, flow.swarm);
  return declaredNames(flow).filter((name) => !reached.has(name));
}

/** Agents, then groups, swarms and controls; each name once. */
export const declaredNames = (flow: Flow): string[] => [...new Set([...flow.agents.keys(), ...partsOf(flow).keys()])];

/** Whether nothing is declared and the root swarm has no members, as in a new flow. */
export const isEmptyFlow = (flow: Flow): boolean =>
  flow.agents.size === 0 && partsOf(flow).size === 0 && membersOf(flow.swarm).length === 0;

/** Groups, swarms and controls by name. */
export const partsOf = (flow: Flow): Map<string, Part> =>
  new Map<string, Part>([...flow.groups, ...flow.swarms, ...flow.controls]);

/** How many parallels stand round each name of an expression: the parentheses of its text. */
export function nameDepths(expression: Expression): { name: string; depth: number }[] {
  const found: { name: string; depth: number }[] = [];
  const waiting: { part: Expression; depth: number }[] = [{ part: expression, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { part, depth } = next;
    if (part.type === "name") found.push({ name: part.name, depth });
    else
      for (const member of part.members)
        waiting.push({ part: member, depth: depth + Number(part.type === "parallel") });
  }
  return found;
}
