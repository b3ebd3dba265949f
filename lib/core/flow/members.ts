import { type Expression, namesOf } from "./expression";
import { type Flow, findDeclaration, type Group, type Swarm } from "./flow";

/** The names that a group or swarm holds, in written order, each once. */
export function membersOf(part: Group | Swarm): string[] {
  const names = new Set(part.flow ? namesOf(part.flow).map(({ name }) => name) : []);
  if ("agents" in part) for (const name of part.agents ?? []) names.add(name);
  if ("edges" in part) for (const link of part.edges ?? []) for (const name of link) names.add(name);
  return [...names];
}

/** Every name that the root swarm holds, directly or through groups and swarms. */
function findReached(flow: Flow): Set<string> {
  const reached = new Set(membersOf(flow.swarm));
  for (const name of reached) {
    const found = findDeclaration(flow, name);
    if (found && found.kind !== "agent") for (const member of membersOf(found.value)) reached.add(member);
  }
  return reached;
}

/** Declared names that the root swarm does not hold, in the order of the file. */
export function findUnreached(flow: Flow): string[] {
  const reached = findReached(flow);
  return declaredNames(flow).filter((name) => !reached.has(name));
}

/** Agents, then groups, then swarms; each name once. */
export const declaredNames = (flow: Flow): string[] => [
  ...new Set([...flow.agents.keys(), ...flow.groups.keys(), ...flow.swarms.keys()]),
];

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
