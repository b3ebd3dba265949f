import { KeyRound } from "lucide-react";
import { useState } from "react";
import { LazyConnectionDialog, loadConnectionDialog } from "../_connections/lazy-connection-dialog";
import { runAgain } from "../_run/start-run";
import { useNewRun } from "../_run/use-new-run";
import { useAccess } from "../_ui/access/access";
import { Button, type ButtonVariant } from "../_ui/controls/button";

interface ConnectButtonProps {
  runId: string;
  provider: string;
  /** Of the provider. */
  label: string;
  variant: ButtonVariant;
}

/** Asks for the key that was missing or refused, then runs the flow again on the same input. */
export function ConnectButton({ runId, provider, label, variant }: ConnectButtonProps) {
  const { mayManage } = useAccess();
  const [isOpen, setOpen] = useState(false);
  const { start, isPending } = useNewRun();
  if (!mayManage) return null;
  return (
    <>
      <Button
        size="small"
        variant={variant}
        pending={isPending}
        onPointerEnter={() => void loadConnectionDialog()}
        onClick={() => setOpen(true)}
      >
        <KeyRound size={14} aria-hidden /> Connect {label}…
      </Button>
      {isOpen && (
        <LazyConnectionDialog
          provider={provider}
          saveLabel="Save and run again"
          onSaved={() => {
            setOpen(false);
            void start(() => runAgain(runId));
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
