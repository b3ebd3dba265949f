import { Button } from "@/app/_ui/controls/button";
import { Dialog, DialogActions } from "@/app/_ui/controls/dialog";
import { CopyableValue, ShellExample } from "@/app/_ui/text/copyable";
import type { WebhookSecret } from "@/lib/server/webhooks/webhook-setting";

interface WebhookSecretDialogProps {
  created: WebhookSecret;
  origin: string;
  onClose(): void;
}

/** Shown once: the server does not give the secret out again. */
export function WebhookSecretDialog({ created: { webhook, secret }, origin, onClose }: WebhookSecretDialogProps) {
  const address = origin + webhook.path;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`The secret of “${webhook.name}”`}
      description="Copy it now: it is not shown again. The program that sends requests signs them with it."
    >
      <dl className="flex flex-col gap-3">
        <Value name="Secret" value={secret} />
        <Value name="Address" value={address} />
      </dl>
      <div className="mt-4">
        <ShellExample text={toExample(address)}>
          <p className="mt-1 text-text-muted">
            Signed by{" "}
            <a href="https://www.standardwebhooks.com" className="text-accent-text underline">
              Standard Webhooks
            </a>
            . In a shell, with the secret in <code className="font-mono text-xs">SECRET</code>:
          </p>
        </ShellExample>
      </div>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          I have copied it
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const Value = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt className="mb-1 font-medium">{name}</dt>
    <dd>
      <CopyableValue value={value} label={`Copy the ${name.toLowerCase()}`} />
    </dd>
  </div>
);

/** The key in hexadecimal, so that every version of openssl takes it. */
const toExample = (address: string): string =>
  [
    "ID=msg_$(date +%s); TIME=$(date +%s); BODY='A printer is on fire.'",
    'KEY=$(printf %s "$' + "{SECRET#whsec_}\" | base64 -d | od -An -v -tx1 | tr -d ' \\n')",
    'SIGNATURE=$(printf %s "$ID.$TIME.$BODY" |',
    '  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)',
    `curl ${address} -H "webhook-id: $ID" \\`,
    '  -H "webhook-timestamp: $TIME" -H "webhook-signature: v1,$SIGNATURE" \\',
    '  --data "$BODY"',
  ].join("\n");
