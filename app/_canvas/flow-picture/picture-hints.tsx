import { FileWarning, Workflow } from "lucide-react";
import { useFlowState } from "@/app/_canvas/state/canvas-session";
import { EmptyState } from "@/app/_ui/controls/empty-state";
import { MessageText } from "@/app/_ui/text/message-text";
import type { Problem } from "@/lib/core/flow/problem";
import { describeMistake } from "./describe-unreadable-text";

export function PictureHints({ id }: { id: string }) {
  const isEmpty = useFlowState(({ arrangement }) => arrangement.nodes.length === 0);
  const mistake = useFlowState(({ problems }) => problems.find(isMistake)?.message);
  const missing = useFlowState(({ document }) => describeMistake(document));
  return (
    <>
      <p id={id} className="sr-only">
        The arrow keys go to the nearest card in that direction and follow the links of the flow. Enter selects, Escape
        deselects. Plus and minus zoom, 0 shows actual size, Shift with 1 the whole flow. Nothing can be changed here.
      </p>
      {isEmpty && (
        <div className="pointer-events-none absolute inset-0 flex items-center justify-center overflow-y-auto">
          {mistake === undefined ? <EmptyPicture /> : <UnreadablePicture mistake={mistake} />}
        </div>
      )}
      {!isEmpty && missing !== null && (
        <div role="status" className="pointer-events-none absolute inset-x-0 top-3 flex justify-center px-3">
          <span className="rounded-md border border-line-strong bg-surface-raised px-3 py-1.5 text-xs">
            {missing} The canvas shows the readable parts.
          </span>
        </div>
      )}
    </>
  );
}

/** An empty flow is not a mistake. */
const isMistake = ({ code, severity }: Problem): boolean =>
  severity === "error" && code !== "no-agents" && code !== "empty-flow";

const EmptyPicture = () => (
  <EmptyState icon={<Workflow size={32} aria-hidden />} title="Nothing was drawn">
    <p>This flow had no agents when it ran, so there is no picture of it.</p>
  </EmptyState>
);

const UnreadablePicture = ({ mistake }: { mistake: string }) => (
  <EmptyState icon={<FileWarning size={32} aria-hidden />} title="This flow cannot be drawn">
    <p>
      Its text has a mistake: <MessageText text={mistake} />
    </p>
  </EmptyState>
);
