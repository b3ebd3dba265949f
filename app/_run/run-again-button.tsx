import { RotateCcw } from "lucide-react";
import { useAccess } from "../_ui/access/access";
import { Button, type ButtonVariant } from "../_ui/controls/button";
import { runAgain } from "./start-run";
import { useNewRun } from "./use-new-run";

interface RunAgainButtonProps {
  runId: string;
  variant: ButtonVariant;
}

export function RunAgainButton({ runId, variant }: RunAgainButtonProps) {
  const { mayRun } = useAccess();
  const { start, isPending } = useNewRun();
  if (!mayRun) return null;
  return (
    <Button
      size="small"
      variant={variant}
      pending={isPending}
      onClick={() => void start(() => runAgain(runId))}
      title="The same flow on the same input, as a new run"
    >
      <RotateCcw size={14} aria-hidden /> Run again
    </Button>
  );
}
