import { useRouter } from "next/navigation";
import { useState } from "react";
import type { FlowSummary } from "@/lib/server/flows/queries";
import { Button } from "../_ui/controls/button";
import { Dialog, DialogActions } from "../_ui/controls/dialog";
import { fetchText } from "../_ui/loading/fetch-json";
import { showError } from "../_ui/toast/show-error";

/** Asks, because the runs of a deleted flow cannot be brought back. */
export default function DeleteFlowDialog({ flow, onClose }: { flow: FlowSummary; onClose(): void }) {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const remove = async (): Promise<void> => {
    setPending(true);
    try {
      await fetchText(`/api/v1/flows/${flow.id}`, { method: "DELETE" });
      router.refresh();
      onClose();
    } catch (error) {
      showError(error);
      setPending(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Delete “${flow.name}”?`}
      description="Its revisions and runs are deleted too. This cannot be undone."
    >
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="danger" pending={pending} onClick={() => void remove()}>
          Delete flow and runs
        </Button>
      </DialogActions>
    </Dialog>
  );
}
