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
  const drop = useView((view) => view.drop);
  return (
    <>
      <p id="canvas-help" className="sr-only">
        Down and up arrows go to the next and the previous step, right and left to the adjacent lane, Shift with an
        arrow extends the selection. Enter opens the inspector, Delete deletes, C connects, E selects the next link.
        Control with the down arrow adds an agent after, Control with the right arrow one beside. T adds a note.
        Question mark shows all keys.
      </p>
      {isEmpty && unread === null && <EmptyFlow />}
      {unread === null && draft && <DraftBanner problem={draft} />}
      <div role="status" className="pointer-events-none absolute inset-x-0 top-3 flex justify-center px-3">
        {connecting !== null && (
          <span className="rounded-md border border-line-strong bg-surface-raised px-3 py-1.5 text-xs">
            Connecting from <b>{keyNames(connecting).at(-1)}</b>: pick a target with the arrow keys, then press Enter.
            Esc cancels.
          </span>
        )}
        {drop && (
          <span className="rounded-md border border-line-strong bg-surface-raised px-3 py-1.5 text-xs">
            Release to move <b>{drop.name}</b>{" "}
            {drop.frame === "" ? "out to the flow" : `into ${keyNames(drop.frame).at(-1)}`}
            {drop.at && `, ${drop.at.side} ${drop.at.member}`}. Hold Alt to change only its position.
          </span>
        )}
        {unread !== null && connecting === null && (
          <span className="rounded-md border border-line-strong bg-surface-raised px-3 py-1.5 text-xs">{unread}</span>
        )}
      </div>
    </>
  );
}

function EmptyFlow() {
  const { actions } = useSession();
  return (
    <div className="pointer-events-none absolute inset-0 flex items-center justify-center p-6">
      <div className="pointer-events-auto max-w-sm text-center">
        <h2 className="text-sm font-semibold">Add your first agent</h2>
        <p className="mt-1 text-text-muted">
          Then drag from the dot on its right to add the next one, or type the whole flow in the bar above:
        </p>
        <p className="mt-2">
          <code className="rounded border border-line bg-surface px-2 py-1 font-mono text-xs">{exampleLine}</code>
        </p>
        <div className="mt-4">
          <Button variant="primary" onClick={actions.addAgent}>
            Add your first agent
          </Button>
        </div>
      </div>
    </div>
  );
}
