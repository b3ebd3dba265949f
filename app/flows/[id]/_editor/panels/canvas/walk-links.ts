import { activeKey } from "@/app/_canvas/state/active-node";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { ArrangedEdge, Arrangement } from "@/lib/core/layout/arrange-flow";
import type { Session } from "../../state/session";

/** The links of a node, those that leave it first. */
export const listLinks = ({ edges }: Arrangement, key: NodeKey): ArrangedEdge[] => [
  ...edges.filter(({ from }) => from === key),
  ...edges.filter(({ to, from }) => to === key && from !== key),
];

/** The link behind `edge` among those of a node, round and round; the first when `edge` is none of them. */
export function findNextLink(arrangement: Arrangement, key: NodeKey, edge: string | null): ArrangedEdge | null {
  const links = listLinks(arrangement, key);
  return links[(links.findIndex((link) => link.key === edge) + 1) % Math.max(1, links.length)] ?? null;
}

/** Selects the next link of the active node, or of the node whose links are walked already. */
export function walkLinks(session: Session): void {
  const { editor, view, notify } = session;
  const { arrangement, edge } = editor.store.getState();
  const start = edge === null ? activeKey(session) : findWalkStart(session);
  const link = start === null ? null : findNextLink(arrangement, start, edge);
  if (start === null) return;
  if (!link) {
    notify.info("This node has no links. Press C to connect it.");
    return;
  }
  view.setState({ linksOf: start });
  editor.selectEdge(link.key);
}

/** Back from the selected link to the node whose links are walked. */
export function leaveLink(session: Session): void {
  const start = findWalkStart(session);
  session.editor.selectEdge(null);
  if (start !== null) session.editor.select([start]);
}

/** The node whose links are walked, as long as the selected link is one of its own; else where that link begins. */
function findWalkStart({ editor, view }: Session): NodeKey | null {
  const { arrangement, edge } = editor.store.getState();
  const link = arrangement.edges.find(({ key }) => key === edge);
  const { linksOf } = view.getState();
  return link && (link.from === linksOf || link.to === linksOf) ? linksOf : (link?.from ?? null);
}
