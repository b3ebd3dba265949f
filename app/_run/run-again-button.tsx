import { RotateCcw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "../_ui/controls/button";
import { showError } from "../_ui/toast/show-error";
import { runAgain } from "./start-run";

export function RunAgainButton({ runId, label }: { runId: string; label: string }) {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const start = async (): Promise<void> => {
    setPending(true);
    try {
      router.push(`/runs/${await runAgain(runId)}`);
    } catch (error) {
      showError(error);
    }
    setPending(false);
  };
  return (
    <Button
      size="small"
      pending={pending}
      onClick={() => void start()}
      title="The same flow on the same input, as a new run"
    >
      <RotateCcw size={14} aria-hidden /> {label}
    </Button>
  );
}
