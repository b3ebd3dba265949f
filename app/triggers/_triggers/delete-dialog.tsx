import { useState } from "react";
import { Button } from "@/app/_ui/controls/button";
import { Dialog, DialogActions } from "@/app/_ui/controls/dialog";
import { showError } from "@/app/_ui/toast/show-error";
import { deleteTrigger } from "./requests";

interface DeleteDialogProps {
  type: "schedule" | "webhook";
  trigger: { id: string; name: string };
  onDeleted(): void;
  onClose(): void;
}

export function DeleteDialog({ type, trigger: { id, name }, onDeleted, onClose }: DeleteDialogProps) {
  const [pending, setPending] = useState(false);
  const confirm = (): void => {
    setPending(true);
    deleteTrigger(type, id).then(onDeleted, (error: unknown) => {
      showError(error);
      setPending(false);
    });
  };
  const consequence =
    type === "schedule"
      ? "It starts no more runs."
      : "Requests to its address are refused from now on, and its secret cannot be brought back.";
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Delete the ${type} “${name}”?`}
      description={`${consequence} The runs that it started stay.`}
    >
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="danger" pending={pending} onClick={confirm}>
          Delete {type}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
