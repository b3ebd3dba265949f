import { RotateCcw } from "lucide-react";
import { Button, type ButtonVariant } from "../_ui/controls/button";
import { useRunAgain } from "./use-run-again";

interface RunAgainButtonProps {
  runId: string;
  variant: ButtonVariant;
}

export function RunAgainButton({ runId, variant }: RunAgainButtonProps) {
  const { runAgain, isPending } = useRunAgain(runId);
  return (
    <Button
      size="small"
      variant={variant}
      pending={isPending}
      onClick={() => void runAgain()}
      title="The same flow on the same input, as a new run"
    >
      <RotateCcw size={14} aria-hidden /> Run again
    </Button>
  );
}
