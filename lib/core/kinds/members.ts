import type { Expression } from "../flow/expression";
import { type Declaration, type DeclarationTypes, type Flow, findDeclaration } from "../flow/flow";
import { kindOf, membersOf } from "./registry";

/** A declaration that can contain others: all but agents. */
export type Container = Exclude<Declaration, DeclarationTypes["agent"]>;

export const isGroup = (declaration: Declaration): declaration is DeclarationTypes["group"] =>
  declaration.type === "group";

/** The texts of these fields that are set. */
export const textsOf = (declaration: Declaration, fields: readonly string[]): string[] =>
  Object.entries(declaration).flatMap(([field, value]) =>
    fields.includes(field) && typeof value === "string" ? [value] : [],
  );

/** The type of a declaration with its article, for messages: `an agent`. */
export const toTypeText = (declaration: Declaration): string => `${kindOf(declaration).article} ${declaration.type}`;

/** The names that one of two flows declares and the other does not. */
export function compareNames(before: Flow, after: Flow): Record<"removed" | "added", string[]> {
  const [old, next] = [new Set(declaredNames(before)), new Set(declaredNames(after))];
  return {
    removed: [...old].filter((name) => !next.has(name)),
    added: [...next].filter((name) => !old.has(name)),
  };
}

/** Every name that a declaration contains, directly or through others. */
function findReached(flow: Flow, declaration: Declaration): Set<string> {
  const reachedNames = new Set(membersOf(declaration));
  for (const name of reachedNames) {
    const member = findDeclaration(flow, name);
    if (member) for (const memberName of membersOf(member)) reachedNames.add(memberName);
  }
  return reachedNames;
}

/** Whether the declaration `container` contains `name`, directly or through others. */
export function containsDeclaration(flow: Flow, container: string, name: string): boolean {
  const declaration = findDeclaration(flow, container);
  return declaration !== null && findReached(flow, declaration).has(name);
}

/** The name of an approval that the declaration is or contains, directly or through others; null: it has none. */
export function findApproval(flow: Flow, declaration: Declaration): string | null {
  if (declaration.type === "approval") return declaration.name;
  const names = [...findReached(flow, declaration)];
  return names.find((name) => findDeclaration(flow, name)?.type === "approval") ?? null;
}

/** Declared names that the root swarm does not contain, in the order of the file. */
export function findUnreached(flow: Flow): string[] {
  const reachedNames = findReached(flow, flow.swarm);
  return declaredNames(flow).filter((name) => !reachedNames.has(name));
}

/** Agents, then groups, swarms and controls; each name once. */
export const declaredNames = (flow: Flow): string[] => [
  ...new Set([...flow.agents.keys(), ...containersOf(flow).keys()]),
];

/** Whether nothing is declared and the root swarm has no members, as in a new flow. */
export const isEmptyFlow = (flow: Flow): boolean =>
  flow.agents.size === 0 && containersOf(flow).size === 0 && membersOf(flow.swarm).length === 0;

/** Groups, swarms and controls by name. */
export const containersOf = (flow: Flow): Map<string, Container> =>
  new Map<string, Container>([...flow.groups, ...flow.swarms, ...flow.controls]);

/** The number of parallels around each name of an expression: the parentheses of its text. */
export function nameDepths(expression: Expression): { name: string; depth: number }[] {
  const depths: { name: string; depth: number }[] = [];
  const pending = [{ expression, depth: 0 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { expression: current, depth } = next;
    if (current.type === "name") depths.push({ name: current.name, depth });
    else
      for (const member of current.members)
        pending.push({ expression: member, depth: depth + Number(current.type === "parallel") });
  }
  return depths;
}
