import { RotateCcw } from "lucide-react";
import { describeRetry } from "@/app/_run/describe-retry";
import { RetryButton } from "@/app/_run/retry-button";
import { RunFailure } from "@/app/_run/run-failure";
import { Button } from "@/app/_ui/controls/button";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { requestRun, showRun } from "../../commands/run-commands";
import { useEditorState, useSession } from "../../state/session-context";
import { isWhollySimulated, type RunFigures, startedRun } from "../../state/shown-run";

/** Why the shown run ended early, and how to continue it. */
export function FailedRun({ figures, trace }: { figures: RunFigures; trace: TraceView }) {
  "use no memo"; // A trace changes without its tables changing their identity.
  const session = useSession();
  const flow = useEditorState((state) => state.flow);
  const simulate = isWhollySimulated(figures);
  return (
    <RunFailure
      trace={trace}
      actions={({ type }) =>
        session.access.mayRun && (
          <>
            <span className="text-text-muted text-xs">{describeRetry(trace, flow).reuse}</span>
            <RetryButton
              runId={figures.id}
              trace={trace}
              variant={type === "retry" ? "primary" : "secondary"}
              current={{ flow, save: session.autosave.flush }}
              onStarted={(runId) => showRun(session, startedRun(runId, simulate))}
            />
            <Button size="small" onClick={() => void requestRun(session, { simulate })}>
              <RotateCcw size={14} aria-hidden /> Run again
            </Button>
          </>
        )
      }
    />
  );
}
