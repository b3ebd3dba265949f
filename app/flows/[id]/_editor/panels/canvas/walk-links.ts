import { activeKey } from "@/app/_canvas/state/active-node";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { ArrangedEdge, Arrangement } from "@/lib/core/layout/arrange-flow";
import type { Session } from "../../state/session";

/** Outgoing links first. */
const listLinks = ({ edges }: Arrangement, key: NodeKey): ArrangedEdge[] => [
  ...edges.filter(({ from: sourceKey }) => sourceKey === key),
  ...edges.filter(({ to: targetKey, from: sourceKey }) => targetKey === key && sourceKey !== key),
];

export function findNextLink(arrangement: Arrangement, key: NodeKey, edge: string | null): ArrangedEdge | null {
  const links = listLinks(arrangement, key);
  return links[(links.findIndex((link) => link.key === edge) + 1) % Math.max(1, links.length)] ?? null;
}

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

export function leaveLink(session: Session): void {
  const start = findWalkStart(session);
  session.editor.selectEdge(null);
  if (start !== null) session.editor.select([start]);
}

/** The node whose links are visited, otherwise the start of the selected link. */
function findWalkStart({ editor, view }: Session): NodeKey | null {
  const { arrangement, edge } = editor.store.getState();
  const link = arrangement.edges.find(({ key }) => key === edge);
  const { linksOf } = view.getState();
  return link && (link.from === linksOf || link.to === linksOf) ? linksOf : (link?.from ?? null);
}
