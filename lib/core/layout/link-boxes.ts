import type { NodeKey } from "../flow/node-key";
import type { ArrangedEdge, ArrangedNode, EdgeType } from "./arrangement";
import type { Box, ListBox } from "./build-boxes";

/**
 * More links than this between two neighbours are thinned out: every end keeps at least one, and ends are joined in
 * order. (400 links between the same two places are a grey area to the eye already.)
 */
const mostLinks = 400;

/** The links of a list: every sink of a member to every source of the next. A frame is one end, whatever it holds. */
export function linkMembers(box: ListBox, edges: ArrangedEdge[]): void {
  const { scope, extra, members } = box;
  for (const [from, to] of extra?.links ?? []) {
    const [source, target] = [extra?.nodes.get(from), extra?.nodes.get(to)];
    if (source && target) edges.push(toEdge(source, target, scope, extra?.type ?? "flow"));
  }
  if (box.type !== "serial" || !box.linked) return;
  for (let i = 1; i < members.length; i++) {
    const [before, after] = [members[i - 1], members[i]];
    if (before && after) linkAll(endsOf(before, "last"), endsOf(after, "first"), scope, edges);
  }
}

function linkAll(
  sinks: readonly ArrangedNode[],
  sources: readonly ArrangedNode[],
  scope: NodeKey,
  edges: ArrangedEdge[],
): void {
  if (sinks.length * sources.length <= mostLinks) {
    for (const from of sinks) for (const to of sources) edges.push(toEdge(from, to, scope, "flow"));
    return;
  }
  const count = Math.max(sinks.length, sources.length);
  for (let i = 0; i < count; i++) {
    const from = sinks[Math.floor((i * sinks.length) / count)];
    const to = sources[Math.floor((i * sources.length) / count)];
    if (from && to) edges.push(toEdge(from, to, scope, "flow"));
  }
}

/** A key never holds two slashes in a row, so the key of the edge tells its ends. */
const toEdge = (from: ArrangedNode, to: ArrangedNode, scope: NodeKey, type: EdgeType): ArrangedEdge => ({
  key: `${from.key}//${to.key}`,
  from: from.key,
  to: to.key,
  type,
  scope,
  fromName: from.name,
  toName: to.name,
});

/** The nodes that the first or last links of a box meet. */
function endsOf(box: Box, side: "first" | "last", ends: ArrangedNode[] = []): ArrangedNode[] {
  if ("node" in box) ends.push(box.node);
  else if (box.type === "parallel") for (const member of box.members) endsOf(member, side, ends);
  else {
    const member = side === "first" ? box.members[0] : box.members.at(-1);
    if (member) endsOf(member, side, ends);
  }
  return ends;
}
