import "server-only";

/**
 * Groups of nodes that reach each other, and nodes with an edge to themselves: Tarjan's strongly connected components
 * (SIAM Journal on Computing 1, 1972), without recursion. Members and groups are sorted.
 */
export function findCycles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const state = new Map<string, { index: number; low: number; isOpen: boolean }>();
  const open: string[] = [];
  const cycles: string[][] = [];
  const enter = (node: string) => {
    const entry = { index: state.size, low: state.size, isOpen: true };
    state.set(node, entry);
    open.push(node);
    return { node, entry, targets: [...(edges.get(node) ?? [])] };
  };
  const leave = (node: string) => {
    const group = open.splice(open.lastIndexOf(node));
    for (const member of group) {
      const entry = state.get(member);
      if (entry) entry.isOpen = false;
    }
    if (group.length > 1 || edges.get(node)?.includes(node)) cycles.push(group.sort());
  };

  for (const start of edges.keys()) {
    if (state.has(start)) continue;
    const path = [enter(start)];
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const target = top.targets.pop();
      if (target === undefined) {
        path.pop();
        const parent = path.at(-1);
        if (parent) parent.entry.low = Math.min(parent.entry.low, top.entry.low);
        if (top.entry.low === top.entry.index) leave(top.node);
        continue;
      }
      const targetEntry = state.get(target);
      if (!targetEntry) path.push(enter(target));
      else if (targetEntry.isOpen) top.entry.low = Math.min(top.entry.low, targetEntry.index);
    }
  }
  return cycles.sort((a, b) => (a.join() < b.join() ? -1 : 1));
}
