import { StepForward } from "lucide-react";
import { useAccess } from "../_ui/access/access";
import { Button, type ButtonVariant } from "../_ui/controls/button";
import { retryRun } from "./start-run";
import { useNewRun } from "./use-new-run";

interface RetryButtonProps {
  runId: string;
  variant: ButtonVariant;
}

export function RetryButton({ runId, variant }: RetryButtonProps) {
  const { mayRun } = useAccess();
  const { start, isPending } = useNewRun();
  if (!mayRun) return null;
  return (
    <Button
      size="small"
      variant={variant}
      pending={isPending}
      onClick={() => void start(() => retryRun(runId))}
      title="A new run that does again what did not succeed: finished steps are reused and cost nothing"
    >
      <StepForward size={14} aria-hidden /> Retry from here
    </Button>
  );
}
