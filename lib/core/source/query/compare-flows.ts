import { type Flow, findDeclaration } from "../../flow/flow";
import { declaredNames } from "../../kinds/members";

export type NodeDifference = "added" | "removed" | "changed";

/** How the declared nodes of two flows differ, by name; nodes that are the same are missing. */
export function compareFlows(before: Flow, after: Flow): Map<string, NodeDifference> {
  const differences = new Map<string, NodeDifference>();
  for (const name of new Set([...declaredNames(before), ...declaredNames(after)])) {
    const [old, current] = [findDeclaration(before, name), findDeclaration(after, name)];
    if (!old) differences.set(name, "added");
    else if (!current) differences.set(name, "removed");
    else if (toText(old) !== toText(current)) differences.set(name, "changed");
  }
  return differences;
}

const toText = (declaration: unknown): string =>
  JSON.stringify(declaration, (_, value: unknown) => (value instanceof Map ? [...value] : value));
