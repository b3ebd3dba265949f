import type { Box, ListBox } from "./arrange-boxes";
import { type NodeKey, nodeKey } from "./keys";

interface End {
  key: NodeKey;
  name: string;
}

export interface EndLink {
  scope: NodeKey;
  from: End;
  to: End;
  draft: boolean;
}

/** More links than this between two neighbours are drawn thinned out: every end keeps at least one. */
const mostLinks = 400;

/** The links between the neighbours of a list: every sink to every source. A frame is one end, whatever it holds. */
export function linkEnds(box: ListBox, links: EndLink[]): void {
  const { scope } = box;
  for (const [from, to] of box.draft ?? [])
    links.push({
      scope,
      from: { key: nodeKey(scope, from), name: from },
      to: { key: nodeKey(scope, to), name: to },
      draft: true,
    });
  if (box.type !== "serial" || !box.linked) return;
  for (let i = 1; i < box.members.length; i++) {
    const [before, after] = [box.members[i - 1], box.members[i]];
    if (before && after) linkAll(ends(before, "last"), ends(after, "first"), scope, links);
  }
}

function linkAll(sinks: readonly End[], sources: readonly End[], scope: NodeKey, links: EndLink[]): void {
  if (sinks.length * sources.length <= mostLinks) {
    for (const from of sinks) for (const to of sources) links.push({ scope, from, to, draft: false });
    return;
  }
  const count = Math.max(sinks.length, sources.length);
  for (let i = 0; i < count; i++) {
    const from = sinks[Math.floor((i * sinks.length) / count)];
    const to = sources[Math.floor((i * sources.length) / count)];
    if (from && to) links.push({ scope, from, to, draft: false });
  }
}

function ends(box: Box, side: "first" | "last"): End[] {
  if (box.type === "card" || box.type === "frame") return [{ key: box.key, name: box.facts.name }];
  if (box.type === "parallel") return box.members.flatMap((member) => ends(member, side));
  const member = side === "first" ? box.members[0] : box.members.at(-1);
  return member ? ends(member, side) : [];
}
