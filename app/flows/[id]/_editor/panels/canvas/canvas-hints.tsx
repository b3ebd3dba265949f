import { LayoutTemplate, Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { describeUnreadableText } from "@/app/_canvas/flow-picture/describe-unreadable-text";
import { Button } from "@/app/_ui/controls/button";
import { loadPart } from "@/app/_ui/loading/load-part";
import { keyNames } from "@/lib/core/flow/node-key";
import type { Problem } from "@/lib/core/flow/problem";
import { useEditorState, useSession, useView } from "../../state/session-context";
import { exampleLine } from "../bar/line-scope";

const DraftBanner = dynamic(() => loadPart(() => import("./draft-banner")), { ssr: false });

const isDraft = ({ code, severity, repairs, nodes }: Problem): boolean =>
  severity === "error" && (code === "not-series-parallel" || code === "cycle") && (repairs ?? nodes) !== undefined;

export function CanvasHints() {
  const isEmpty = useEditorState(({ arrangement }) => arrangement.nodes.length === 0);
  const unread = useEditorState(({ document }) => describeUnreadableText(document));
  const draft = useEditorState(({ problems }) => problems.find(isDraft));
  const connecting = useView((view) => view.connecting);
  const dropWords = useView((view) => view.drop?.words ?? null);
  return (
    <>
      <p id="canvas-help" className="sr-only">
        The arrow keys go to the nearest card in that direction and follow the links of the flow, Shift with an arrow
        extends the selection. Control with an arrow adds an agent in that direction. Enter opens the inspector, Delete
        deletes, C connects, E selects the next link. T adds a note. Shift with F10 opens a menu. Question mark shows
        all keys.
      </p>
      {isEmpty && unread === null && <EmptyFlow />}
      {unread === null && draft && <DraftBanner problem={draft} />}
      {/* Below the tools where both have no room beside each other. */}
      <div
        role="status"
        className="pointer-events-none absolute inset-x-0 top-15 flex justify-center px-3 @min-[1200px]:top-3"
      >
        {connecting !== null && (
          <span className="rounded-md border border-line-strong bg-surface-raised px-3 py-1.5 text-xs">
            Connecting from <b>{keyNames(connecting).at(-1)}</b>: pick a target with the arrow keys, then press Enter.
            Esc cancels.
          </span>
        )}
        {dropWords !== null && <span className="sr-only">{dropWords}</span>}
        {unread !== null && connecting === null && (
          <span className="rounded-md border border-line-strong bg-surface-raised px-3 py-1.5 text-xs">{unread}</span>
        )}
      </div>
    </>
  );
}

function EmptyFlow() {
  const { actions, view } = useSession();
  const add = (): void => {
    actions.addAgent();
    // The button disappears: the keys go on at the new card.
    document.getElementById("flow-canvas")?.focus();
  };
  return (
    <div className="pointer-events-none absolute inset-0 flex items-center justify-center p-6">
      <div className="pointer-events-auto flex max-w-md flex-col items-center text-center">
        <AgentSketch />
        <h2 className="mt-4 text-[15px] font-semibold">Add your first agent</h2>
        <p className="mt-1 text-text-muted">
          An agent is a model with instructions. Drag from its dot to add the next one, or type the whole flow in the
          bar above, e.g. <code className="whitespace-nowrap font-mono text-xs text-text">{exampleLine}</code>
        </p>
        <div className="mt-5 flex flex-wrap justify-center gap-2">
          <Button variant="primary" onClick={add}>
            <Plus size={15} aria-hidden /> Add an agent
          </Button>
          <Button
            onClick={() => view.setState({ surface: { type: "templates", target: { type: "after", keys: [] } } })}
          >
            <LayoutTemplate size={15} aria-hidden /> Start from a template
          </Button>
        </div>
      </div>
    </div>
  );
}

/** One step, two in parallel, one step: what a flow is. */
function AgentSketch() {
  const card = { width: 44, height: 26, rx: 6 };
  return (
    <svg aria-hidden width={252} height={84} viewBox="0 0 252 84" fill="none">
      <g className="stroke-link" strokeWidth={2}>
        <path d="M52 42H72Q80 42 80 34V29Q80 21 88 21H100M52 42H72Q80 42 80 50V55Q80 63 88 63H100" />
        <path d="M152 21H164Q172 21 172 29V34Q172 42 180 42H200M152 63H164Q172 63 172 55V50Q172 42 180 42H200" />
      </g>
      <g className="fill-surface-raised stroke-line-input" strokeWidth={1.5} strokeDasharray="4 3">
        <rect x={6} y={29} {...card} />
        <rect x={104} y={8} {...card} />
        <rect x={104} y={50} {...card} />
        <rect x={202} y={29} {...card} />
      </g>
    </svg>
  );
}
