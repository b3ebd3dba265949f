import { Pause, Play } from "lucide-react";
import { useState } from "react";
import type { RunStatus } from "@/lib/core/run/events/run-status";
import { useAccess } from "../_ui/access/access";
import { Button } from "../_ui/controls/button";
import { showError } from "../_ui/toast/show-error";
import { pauseRun, resumeRun } from "./start-run";

interface PauseButtonProps {
  runId: string;
  /** Of a run that has not ended. */
  status: RunStatus;
}

export function PauseButton({ runId, status }: PauseButtonProps) {
  const { mayRun } = useAccess();
  const isPaused = status === "PAUSED";
  const [request, setRequest] = useState<"pause" | "resume" | null>(null);
  const isPending = request === (isPaused ? "resume" : "pause");
  const send = (): void => {
    setRequest(isPaused ? "resume" : "pause");
    (isPaused ? resumeRun : pauseRun)(runId).catch((error: unknown) => {
      showError(error);
      setRequest(null);
    });
  };
  const Icon = isPaused ? Play : Pause;
  const label = isPaused ? (isPending ? "Resuming…" : "Resume") : isPending ? "Pausing…" : "Pause";
  if (!mayRun) return null;
  return (
    // A disabled button would lose the focus that the next click by keyboard needs.
    <Button
      size="small"
      aria-disabled={isPending || undefined}
      aria-busy={isPending || undefined}
      className="aria-disabled:cursor-default aria-disabled:opacity-50"
      title={isPaused ? "Goes on with the next step" : "Calls under way finish, no further step begins"}
      onClick={isPending ? undefined : send}
    >
      <Icon size={14} aria-hidden /> <span className="max-sm:sr-only">{label}</span>
    </Button>
  );
}
