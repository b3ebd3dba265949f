import { type Flow, findDeclaration } from "../flow/flow";
import type { Container } from "./members";
import { membersOf } from "./registry";

/**
 * The groups, swarms and controls among `names` and inside them, each after its members, and the cycles among them, in the
 * order in which they contain each other. Linear, without recursion.
 */
export function orderContainers(flow: Flow, names: Iterable<string>): { order: Container[]; cycles: string[][] } {
  const order: Container[] = [];
  const cycles: string[][] = [];
  const entered = new Map<string, number>();
  const done = new Set<string>();
  const trail: { container: Container; waiting: string[] }[] = [];
  const enter = (name: string): void => {
    const container = findDeclaration(flow, name);
    if (!container || container.type === "agent" || done.has(name)) return;
    const since = entered.get(name);
    if (since !== undefined) {
      cycles.push(trail.slice(since).map(({ container: { name: cycleName } }) => cycleName));
      return;
    }
    entered.set(name, trail.length);
    trail.push({ container, waiting: membersOf(container).reverse() });
  };
  for (const name of names) {
    enter(name);
    for (let top = trail.at(-1); top; top = trail.at(-1)) {
      const next = top.waiting.pop();
      if (next !== undefined) enter(next);
      else {
        trail.pop();
        entered.delete(top.container.name);
        done.add(top.container.name);
        order.push(top.container);
      }
    }
  }
  return { order, cycles };
}
