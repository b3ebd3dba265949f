import { useState } from "react";
import type { ConnectionDetail } from "@/lib/server/connections/queries";
import { removeConnection } from "../../../_connections/requests";
import { Button } from "../../../_ui/controls/button";
import { Dialog, DialogActions } from "../../../_ui/controls/dialog";
import { showError } from "../../../_ui/toast/show-error";

interface RemoveDialogProps {
  connection: ConnectionDetail;
  onRemoved(connection: ConnectionDetail): void;
  onClose(): void;
}

/** Asks, because a key cannot be read back. */
export function RemoveDialog({ connection, onRemoved, onClose }: RemoveDialogProps) {
  const { provider, label, environment, needsKey } = connection;
  const [pending, setPending] = useState(false);
  const remove = async (): Promise<void> => {
    setPending(true);
    try {
      onRemoved(await removeConnection(provider));
    } catch (error) {
      showError(error);
      setPending(false);
    }
  };
  const after = environment.isSet
    ? `${needsKey ? environment.key : environment.url} of the environment is used again.`
    : "Agents that use it cannot run until it is entered again.";
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Remove the connection to ${label}?`}
      description={`${after} Runs under way keep it.`}
    >
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="danger" pending={pending} onClick={() => void remove()}>
          Remove connection
        </Button>
      </DialogActions>
    </Dialog>
  );
}
