import { CircleStop } from "lucide-react";
import { useState } from "react";
import { useAccess } from "../_ui/access/access";
import { Button } from "../_ui/controls/button";
import { showError } from "../_ui/toast/show-error";
import { cancelRun } from "./start-run";

export function CancelButton({ runId }: { runId: string }) {
  const { mayRun } = useAccess();
  const [pending, setPending] = useState(false);
  const cancel = (): void => {
    setPending(true);
    cancelRun(runId).catch((error: unknown) => {
      showError(error);
      setPending(false);
    });
  };
  if (!mayRun) return null;
  return (
    <Button size="small" variant="danger" pending={pending} onClick={cancel}>
      <CircleStop size={14} aria-hidden /> <span className="max-sm:sr-only">Cancel</span>
    </Button>
  );
}
