import { Button } from "@/app/_ui/controls/button";
import { Dialog, DialogActions } from "@/app/_ui/controls/dialog";
import { CopyableValue, ShellExample } from "@/app/_ui/text/copyable";
import type { CreatedKey } from "./requests";

/** Shown once: the server does not give the secret out again. */
export function KeySecretDialog({ created: { name, secret }, onClose }: { created: CreatedKey; onClose(): void }) {
  const example = `curl ${location.origin}/api/v1/runs -H "Authorization: Bearer ${secret}"`;
  return (
    <Dialog open onOpenChange={onClose} title={`The key “${name}”`} description="Copy it now: it is not shown again.">
      <div className="flex flex-col gap-4">
        <CopyableValue value={secret} label="Copy the key" />
        <ShellExample text={example} />
      </div>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          I have copied it
        </Button>
      </DialogActions>
    </Dialog>
  );
}
