import { FileText } from "lucide-react";
import { nodeDomId } from "@/app/_canvas/cards/node-dom-id";
import { KindIcon } from "@/app/_kinds/kind-icon";
import { IconButton } from "@/app/_ui/controls/icon-button";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { findNodeByName } from "@/lib/core/layout/scene/node-index";
import { type Hit, rangeOfHit } from "@/lib/core/source/query/search-flow";
import { toDocument } from "../../state/editing/editing";
import type { Session } from "../../state/session";
import { useEditorState, useSession } from "../../state/session-context";

const mostListed = 100;
const context = 40;
/** Every marked card adds a CSS selector that has to be matched against the canvas. */
const mostMarked = 300;

export function HitList({
  hits,
  currentIndex,
  onPick,
}: {
  hits: readonly Hit[];
  currentIndex: number;
  onPick(index: number): void;
}) {
  const session = useSession();
  const start = Math.max(0, Math.min(currentIndex - mostListed / 2, hits.length - mostListed));
  if (hits.length === 0) return null;
  return (
    <ul aria-label="Matches" className="min-h-0 overflow-y-auto p-1">
      {hits.slice(start, start + mostListed).map((hit, index) => (
        <li
          key={`${hit.owner} ${hit.path.join(" ")} ${hit.range.from}`}
          className={`flex items-center rounded ${start + index === currentIndex ? "bg-surface-selected" : "hover:bg-surface-hover"}`}
        >
          <button
            type="button"
            aria-current={start + index === currentIndex ? "true" : undefined}
            onClick={() => onPick(start + index)}
            className="min-w-0 flex-1 px-2 py-1 text-left"
          >
            <span className="flex min-w-0 items-center gap-1.5 text-xs">
              <KindIcon kind={hit.type} size={12} />
              <span className="truncate font-medium">{hit.owner}</span>
              <span className="shrink-0 text-text-muted">{hit.label}</span>
            </span>
            <Excerpt hit={hit} />
          </button>
          <IconButton
            label={`Show in the text: ${hit.owner}, ${hit.label}`}
            onClick={() => showHitInText(session, hit)}
          >
            <FileText size={14} aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

function Excerpt({ hit: { text, range } }: { hit: Hit }) {
  const excerptStart = Math.max(0, range.from - context);
  return (
    <span className="block truncate font-mono text-[11px] leading-4 text-text-muted">
      {excerptStart > 0 && "…"}
      {text.slice(excerptStart, range.from)}
      <mark className="rounded-sm bg-warning-soft text-warning">{text.slice(range.from, range.to)}</mark>
      {text.slice(range.to, range.to + context)}
    </span>
  );
}

export function showHit({ editor, actions, view }: Session, { owner }: Hit): void {
  const { flow, layout, arrangement } = editor.store.getState();
  const node =
    findNodeByName(arrangement, owner) ?? findNodeByName(arrangeFlow(flow, { ...layout, folded: [] }), owner);
  if (!node) return;
  actions.show(node.key);
  view.setState({ inspectorOpen: true });
}

function showHitInText(session: Session, hit: Hit): void {
  const { document } = session.editor.store.getState();
  showHit(session, hit);
  const range = rangeOfHit(toDocument(document), hit);
  if (!range) return;
  session.view.setState({ textOpen: true, narrowPane: "text" });
  session.text.goTo(range);
}

export function MatchHighlights({ hits }: { hits: readonly Hit[] }) {
  const nodes = useEditorState(({ arrangement }) => arrangement.nodes);
  const owners = new Set(hits.map(({ owner }) => owner));
  const matchingNodes = nodes.filter(({ name }) => owners.has(name)).slice(0, mostMarked);
  if (matchingNodes.length === 0) return null;
  const cards = matchingNodes.map(({ key }) => `#${CSS.escape(nodeDomId(key))}`).join(",");
  return <style>{`.canvas :is(${cards}){box-shadow:0 0 0 3px var(--warning)}`}</style>;
}
