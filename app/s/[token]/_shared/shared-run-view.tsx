import { useState } from "react";
import { RunCanvas } from "@/app/_canvas/run-canvas/run-canvas";
import { RunView } from "@/app/_run-view/run-view";
import type { FileRun } from "@/app/_run-view/source/file-source";
import type { CanvasProps } from "@/app/_run-view/timeline/canvas-view";

interface SharedRunViewProps {
  run: FileRun;
  /** Whether the link shares the flow: without it there is nothing to draw. */
  hasFlow: boolean;
}

export default function SharedRunView({ run, hasFlow }: SharedRunViewProps) {
  const { shown, traces, steps, turns, source, layout, isOver } = run;
  const [canvas] = useState(
    () => (props: CanvasProps) =>
      hasFlow ? (
        <RunCanvas source={source} layout={layout} {...props} />
      ) : (
        <p className="grid size-full place-items-center p-4 text-center text-text-muted">The flow is not shared.</p>
      ),
  );
  return (
    <>
      {!isOver && (
        <p role="status" className="border-b bg-running-soft px-4 py-1.5 text-running">
          This run has not ended. Reload the page to see how far it is.
        </p>
      )}
      <RunView
        run={shown}
        sources={{ traces, steps, turns, canvas, flowId: null }}
        neighbours={{ previous: null, next: null }}
      />
    </>
  );
}
