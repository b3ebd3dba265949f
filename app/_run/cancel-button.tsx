"use client";
import { CircleStop } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { Button } from "../_ui/button";
import { messageOf } from "../_ui/fetch-json";
import { cancelRun } from "./start-run";

/** Asks a run to stop, once. */
export function CancelButton({ runId }: { runId: string }) {
  const [pending, setPending] = useState(false);
  const cancel = (): void => {
    setPending(true);
    cancelRun(runId).catch((error: unknown) => {
      toast.error(messageOf(error));
      setPending(false);
    });
  };
  return (
    <Button size="small" variant="danger" pending={pending} onClick={cancel}>
      <CircleStop size={14} aria-hidden /> Cancel
    </Button>
  );
}
