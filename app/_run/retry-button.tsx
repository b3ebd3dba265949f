import { StepForward } from "lucide-react";
import type { Flow } from "@/lib/core/flow/flow";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { useAccess } from "../_ui/access/access";
import { Button, type ButtonVariant } from "../_ui/controls/button";
import { describeRetry } from "./describe-retry";
import { retryRun } from "./start-run";
import { useNewRun } from "./use-new-run";

interface RetryButtonProps {
  runId: string;
  trace: TraceView;
  variant: ButtonVariant;
  /** The flow as it is now is run, once `save` has resolved; missing: as the run had it. */
  current?: { flow: Flow; save(): Promise<unknown> };
  /** Shows the new run; missing: its page is opened. */
  onStarted?(runId: string): void;
}

export function RetryButton({ runId, trace, variant, current, onStarted }: RetryButtonProps) {
  "use no memo"; // A trace changes without its tables changing their identity.
  const { mayRun } = useAccess();
  const { start, isPending } = useNewRun(onStarted);
  if (!mayRun) return null;
  const { label, reuse } = describeRetry(trace, current?.flow);
  const version = current ? "the flow as it is now" : "the same version of the flow";
  const retry = async (): Promise<string> => {
    await current?.save();
    return retryRun(runId, current ? "current" : "recorded");
  };
  return (
    <Button
      size="small"
      variant={variant}
      pending={isPending}
      onClick={() => void start(retry)}
      className="max-w-64"
      title={`${label} in a new run of ${version}. ${reuse}`.trim()}
    >
      <StepForward size={14} aria-hidden className="shrink-0" /> <span className="truncate">{label}</span>
    </Button>
  );
}
