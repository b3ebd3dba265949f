import type { NodeKey } from "../flow/node-key";
import type { ArrangedEdge, ArrangedNode, EdgeType } from "./arrangement";
import type { Box, ListBox } from "./build-boxes";

/**
 * More links than this between two neighbours are thinned out: every end keeps at least one, and ends are linked in
 * order. (400 links between the same two boxes are not distinguishable.)
 */
const mostLinks = 400;

/**
 * The links of a list: every sink of a member to every source of the next. A frame is one end, whatever it contains.
 * `trunks`: where the links to each member turn.
 */
export function linkMembers(box: ListBox, trunks: readonly number[], edges: ArrangedEdge[]): void {
  const { scope, extra, members } = box;
  for (const [sourceName, targetName] of extra?.links ?? []) {
    const [source, target] = [extra?.nodes.get(sourceName), extra?.nodes.get(targetName)];
    if (source && target) edges.push(toEdge(source, target, { scope, type: extra?.type ?? "flow" }));
  }
  if (box.type !== "serial" || !box.linked) return;
  for (let i = 1; i < members.length; i++) {
    const [before, after] = [members[i - 1], members[i]];
    if (before && after)
      linkAll(endsOf(before, "last"), endsOf(after, "first"), { scope, trunk: trunks[i] ?? 0 }, edges);
  }
}

interface SerialLinks {
  scope: NodeKey;
  trunk?: number;
}

interface EdgeFields {
  scope: NodeKey;
  type: EdgeType;
  trunk?: number | undefined;
}

/** The links from the end of a line to the start of the next, which run back at `turn`. */
export function linkLines(before: ListBox, after: ListBox, turn: number, edges: ArrangedEdge[]): void {
  const [last, first] = [before.members.at(-1), after.members[0]];
  if (!last || !first) return;
  const start = edges.length;
  linkAll(endsOf(last, "last"), endsOf(first, "first"), { scope: before.scope }, edges);
  for (const edge of edges.slice(start)) edge.turn = turn;
}

function linkAll(
  sinks: readonly ArrangedNode[],
  sources: readonly ArrangedNode[],
  { scope, trunk }: SerialLinks,
  edges: ArrangedEdge[],
): void {
  const fields: EdgeFields = { scope, type: "flow", trunk };
  const link = (source: ArrangedNode, target: ArrangedNode): void => void edges.push(toEdge(source, target, fields));
  if (sinks.length * sources.length <= mostLinks) {
    for (const source of sinks) for (const target of sources) link(source, target);
    return;
  }
  const count = Math.max(sinks.length, sources.length);
  for (let i = 0; i < count; i++) {
    const source = sinks[Math.floor((i * sinks.length) / count)];
    const target = sources[Math.floor((i * sources.length) / count)];
    if (source && target) link(source, target);
  }
}

/** A node key never contains two slashes in a row, so the key of the edge identifies its ends. */
const toEdge = (source: ArrangedNode, target: ArrangedNode, { scope, type, trunk }: EdgeFields): ArrangedEdge => ({
  key: `${source.key}//${target.key}`,
  from: source.key,
  to: target.key,
  type,
  scope,
  fromName: source.name,
  toName: target.name,
  trunk,
});

/** The nodes at the start or end of a box, which its links connect. */
function endsOf(box: Box, side: "first" | "last", ends: ArrangedNode[] = []): ArrangedNode[] {
  if ("node" in box) ends.push(box.node);
  else if (box.type === "parallel") for (const member of box.members) endsOf(member, side, ends);
  else {
    const member = side === "first" ? box.members[0] : box.members.at(-1);
    if (member) endsOf(member, side, ends);
  }
  return ends;
}
