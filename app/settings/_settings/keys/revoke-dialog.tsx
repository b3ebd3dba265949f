import { useState } from "react";
import { Button } from "@/app/_ui/controls/button";
import { Dialog, DialogActions } from "@/app/_ui/controls/dialog";
import { showError } from "@/app/_ui/toast/show-error";
import type { KeyDetail } from "@/lib/server/keys/key-setting";
import { revokeKey } from "./requests";

interface RevokeDialogProps {
  apiKey: KeyDetail;
  onRevoked(): void;
  onClose(): void;
}

export function RevokeDialog({ apiKey: { id, name }, onRevoked, onClose }: RevokeDialogProps) {
  const [pending, setPending] = useState(false);
  const revoke = (): void => {
    setPending(true);
    revokeKey(id).then(onRevoked, (error: unknown) => {
      showError(error);
      setPending(false);
    });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Revoke the key “${name}”?`}
      description="Programs that use it are refused from now on. It cannot be restored; what it did stays."
    >
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="danger" pending={pending} onClick={revoke}>
          Revoke key
        </Button>
      </DialogActions>
    </Dialog>
  );
}
