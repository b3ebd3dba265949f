import { nodeDomId } from "@/app/_canvas/cards/node-dom-id";
import type { Hit } from "@/lib/core/source/query/search-flow";
import { useEditorState } from "../../state/session-context";

/** Every marked card adds a CSS selector that has to be matched against the canvas. */
const mostMarked = 300;

export function MatchHighlights({ hits }: { hits: readonly Hit[] }) {
  const nodes = useEditorState(({ arrangement }) => arrangement.nodes);
  const owners = new Set(hits.map(({ owner }) => owner));
  const matchingNodes = nodes.filter(({ name }) => owners.has(name)).slice(0, mostMarked);
  if (matchingNodes.length === 0) return null;
  const cards = matchingNodes.map(({ key }) => `#${CSS.escape(nodeDomId(key))}`).join(",");
  return <style>{`.canvas :is(${cards}){box-shadow:0 0 0 3px var(--warning)}`}</style>;
}
