import { useState } from "react";
import { Button } from "@/app/_ui/controls/button";
import { Dialog, DialogActions } from "@/app/_ui/controls/dialog";
import { DialogProblem, Field } from "@/app/_ui/controls/field";
import { inputStyle } from "@/app/_ui/controls/input-style";
import type { WebhookDetail, WebhookSecret } from "@/lib/server/webhooks/webhook-setting";
import { NameAndFlow } from "./form-fields";
import { createWebhook, type FlowChoice, renewSecret, saveWebhook, type WebhookDraft } from "./requests";
import { useSaving } from "./use-saving";

interface WebhookDialogProps {
  /** Null: it is a new one. */
  webhook: WebhookDetail | null;
  flows: readonly FlowChoice[];
  onSaved(webhook: WebhookDetail): void;
  onSecret(created: WebhookSecret): void;
  onClose(): void;
}

export const toDraft = ({ flow, name, inputPath, enabled }: WebhookDetail): WebhookDraft => ({
  flow,
  name,
  inputPath,
  enabled,
});

export function WebhookDialog({ webhook, flows, onSaved, onSecret, onClose }: WebhookDialogProps) {
  const [draft, setDraft] = useState<WebhookDraft>(() =>
    webhook ? toDraft(webhook) : { flow: flows[0]?.id ?? "", name: "", inputPath: "", enabled: true },
  );
  const { pending, problem, send } = useSaving();
  const change = (changes: Partial<WebhookDraft>): void => setDraft((current) => ({ ...current, ...changes }));
  return (
    <Dialog open onOpenChange={onClose} title={webhook ? "Edit webhook" : "New webhook"}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (webhook) send(saveWebhook(webhook.id, draft), onSaved);
          else send(createWebhook(draft), onSecret);
        }}
      >
        <NameAndFlow draft={draft} flows={flows} example="New tickets" onChange={change} />
        <Field
          label="Input of a run"
          hint={
            <>
              Where it is in the JSON body, as names and positions joined by dots, e.g.{" "}
              <code className="font-mono">ticket.messages.0.text</code>. Empty: the whole body, of any format.
            </>
          }
        >
          {(attributes) => (
            <input
              {...attributes}
              maxLength={200}
              spellCheck={false}
              placeholder="The whole body"
              value={draft.inputPath}
              onChange={({ target }) => change({ inputPath: target.value })}
              className={`${inputStyle} font-mono`}
            />
          )}
        </Field>
        {webhook && (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border p-3">
            <p className="min-w-0 flex-1 basis-56 text-pretty text-text-muted">
              If its secret is lost or known to others, make a new one. Requests signed with the present one are refused
              at once.
            </p>
            <Button disabled={pending} onClick={() => send(renewSecret(webhook.id), onSecret)}>
              New secret
            </Button>
          </div>
        )}
        <DialogProblem problem={problem} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" pending={pending}>
            {webhook ? "Save" : "Create webhook"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
