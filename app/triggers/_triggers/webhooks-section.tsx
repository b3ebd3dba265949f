import { Webhook } from "lucide-react";
import { useState } from "react";
import { InFlow } from "@/app/_ui/access/page-scope";
import { CopyButton } from "@/app/_ui/controls/copy-button";
import { RelativeTime } from "@/app/_ui/format/relative-time";
import { showError } from "@/app/_ui/toast/show-error";
import { toStarterId } from "@/lib/core/run/events/run-starter";
import type { WebhookDetail, WebhookSecret } from "@/lib/server/webhooks/webhook-setting";
import { DeleteDialog } from "./delete-dialog";
import { type FlowChoice, saveWebhook } from "./requests";
import { LastRunLine, NewTrigger, NoTriggers, TriggerRow, TriggerSection } from "./trigger-list";
import { toDraft, WebhookDialog } from "./webhook-dialog";
import { WebhookSecretDialog } from "./webhook-secret-dialog";

interface WebhooksSectionProps {
  webhooks: readonly WebhookDetail[];
  flows: readonly FlowChoice[];
  origin: string;
  onChange(message: string): void;
}

type OpenWebhookDialog =
  | { type: "edit"; webhook: WebhookDetail | null }
  | { type: "secret"; created: WebhookSecret }
  | { type: "delete"; webhook: WebhookDetail };

export function WebhooksSection({ webhooks, flows, origin, onChange }: WebhooksSectionProps) {
  const [dialog, setDialog] = useState<OpenWebhookDialog | null>(null);
  const close = (): void => setDialog(null);
  const finish = (message: string): void => {
    close();
    onChange(message);
  };
  const showSecret = (created: WebhookSecret): void => {
    setDialog({ type: "secret", created });
    onChange(`${created.webhook.name} has a new secret.`);
  };
  const toggle = (webhook: WebhookDetail): void => {
    const enabled = !webhook.enabled;
    saveWebhook(webhook.id, { ...toDraft(webhook), enabled }).then(
      () => onChange(`${webhook.name} is switched ${enabled ? "on" : "off"}.`),
      showError,
    );
  };
  return (
    <TriggerSection
      title="Webhooks"
      description="Start a run when another program sends a signed request, on the text that it sends."
      action={
        <NewTrigger hasFlow={flows.length > 0} onClick={() => setDialog({ type: "edit", webhook: null })}>
          New webhook
        </NewTrigger>
      }
    >
      {webhooks.length === 0 ? (
        <NoWebhooks />
      ) : (
        <ul>
          {webhooks.map((webhook) => (
            <InFlow key={webhook.id} id={webhook.flow}>
              <TriggerRow
                trigger={webhook}
                onEdit={() => setDialog({ type: "edit", webhook })}
                onToggle={() => toggle(webhook)}
                onDelete={() => setDialog({ type: "delete", webhook })}
              >
                <WebhookFacts webhook={webhook} address={origin + webhook.path} />
              </TriggerRow>
            </InFlow>
          ))}
        </ul>
      )}
      {dialog && (
        <WebhookDialogs
          dialog={dialog}
          flows={flows}
          origin={origin}
          onDone={finish}
          onSecret={showSecret}
          onClose={close}
        />
      )}
    </TriggerSection>
  );
}

interface WebhookDialogsProps {
  dialog: OpenWebhookDialog;
  flows: readonly FlowChoice[];
  origin: string;
  onDone(message: string): void;
  onSecret(created: WebhookSecret): void;
  onClose(): void;
}

function WebhookDialogs({ dialog, flows, origin, onDone, onSecret, onClose }: WebhookDialogsProps) {
  if (dialog.type === "secret")
    return <WebhookSecretDialog created={dialog.created} origin={origin} onClose={onClose} />;
  const { type, webhook } = dialog;
  if (type === "delete")
    return (
      <DeleteDialog
        type="webhook"
        trigger={webhook}
        onDeleted={() => onDone(`${webhook.name} is deleted.`)}
        onClose={onClose}
      />
    );
  return (
    <WebhookDialog
      webhook={webhook}
      flows={flows}
      onSaved={({ name }) => onDone(`${name} is saved.`)}
      onSecret={onSecret}
      onClose={onClose}
    />
  );
}

const NoWebhooks = () => (
  <NoTriggers icon={<Webhook size={20} aria-hidden />}>
    No webhooks yet. A help desk that sends each new ticket to an agent that answers it uses one.
  </NoTriggers>
);

function WebhookFacts({ webhook, address }: { webhook: WebhookDetail; address: string }) {
  const { id, inputPath, lastFour, lastAt, lastRun, lastProblem, lastProblemAt } = webhook;
  return (
    <>
      <div className="flex min-w-0 items-center gap-1">
        <code className="min-w-0 truncate font-mono text-xs">{address}</code>
        <CopyButton text={address} label="Copy the address" />
      </div>
      <p className="flex flex-wrap gap-x-3">
        <span>
          Secret{" "}
          <span className="font-mono text-xs">
            <span aria-hidden>••••</span>
            {lastFour}
          </span>
        </span>
        <span>
          Input: {inputPath === "" ? "the whole body" : <code className="font-mono text-xs">{inputPath}</code>}
        </span>
      </p>
      <LastRunLine
        at={lastAt}
        run={lastRun}
        starter={toStarterId("webhook", id)}
        never="No request has started a run yet"
      />
      {lastProblem !== null && lastProblemAt !== null && (
        <p className="text-warning [overflow-wrap:anywhere]">
          Refused <RelativeTime at={lastProblemAt} />: {lastProblem}
        </p>
      )}
    </>
  );
}
