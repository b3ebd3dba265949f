import { Button } from "@/app/_ui/controls/button";
import { CopyButton } from "@/app/_ui/controls/copy-button";
import { Dialog, DialogActions } from "@/app/_ui/controls/dialog";
import type { CreatedKey } from "./requests";

/** Shown once: the server does not give the secret out again. */
export function KeySecretDialog({ created: { name, secret }, onClose }: { created: CreatedKey; onClose(): void }) {
  const example = `curl ${location.origin}/api/v1/runs -H "Authorization: Bearer ${secret}"`;
  return (
    <Dialog open onOpenChange={onClose} title={`The key “${name}”`} description="Copy it now: it is not shown again.">
      <div className="flex flex-col gap-4">
        <div className="flex items-center gap-1 rounded-md border bg-surface-sunken py-0.5 pr-0.5 pl-2">
          <code className="min-w-0 flex-1 font-mono text-xs [overflow-wrap:anywhere]">{secret}</code>
          <CopyButton text={secret} label="Copy the key" />
        </div>
        <div>
          <div className="flex items-center justify-between gap-2">
            <h3 className="font-medium">Try it</h3>
            <CopyButton text={example} label="Copy the example" />
          </div>
          <pre
            // A region that scrolls is reached by keyboard.
            tabIndex={0}
            className="mt-1 overflow-x-auto rounded-md border bg-surface-sunken p-3 font-mono text-xs"
          >
            {example}
          </pre>
        </div>
      </div>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          I have copied it
        </Button>
      </DialogActions>
    </Dialog>
  );
}
