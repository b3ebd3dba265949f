"use client";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "@/app/_ui/controls/button";
import { showError } from "@/app/_ui/toast/show-error";
import type { Permission } from "@/lib/server/auth/permissions";
import type { KeyDetail } from "@/lib/server/keys/key-setting";
import { KeyDialog } from "./key-dialog";
import { KeyRow } from "./key-row";
import { KeySecretDialog } from "./key-secret-dialog";
import { type CreatedKey, requestKeys } from "./requests";
import { RevokeDialog } from "./revoke-dialog";

type OpenKeyDialog = { type: "new" } | { type: "secret"; created: CreatedKey } | { type: "revoke"; key: KeyDetail };

interface KeysSectionProps {
  initial: readonly KeyDetail[];
  /** What the user may grant. */
  grantable: readonly Permission[];
}

/** The API keys of the team. */
export function KeysSection({ initial, grantable }: KeysSectionProps) {
  const [keys, setKeys] = useState(initial);
  const [dialog, setDialog] = useState<OpenKeyDialog | null>(null);
  const [news, setNews] = useState("");
  const close = (): void => setDialog(null);
  const reload = (message: string): void => {
    setNews(message);
    requestKeys().then(setKeys, showError);
  };
  return (
    <>
      {keys.length === 0 ? (
        <p className="flex items-center gap-3 text-text-muted">
          <KeyRound size={20} aria-hidden className="shrink-0 text-text-faint" />
          No keys yet. A script that starts a run after each deployment uses one.
        </p>
      ) : (
        <ul className="-mx-4 flex flex-col border-line border-y">
          {keys.map((key) => (
            <KeyRow key={key.id} apiKey={key} onRevoke={() => setDialog({ type: "revoke", key })} />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button onClick={() => setDialog({ type: "new" })}>
          <Plus size={14} aria-hidden /> New key
        </Button>
        <a href="/docs/api" className="text-accent-text hover:underline">
          API reference
        </a>
      </div>
      <p role="status" className="sr-only">
        {news}
      </p>
      {dialog?.type === "new" && (
        <KeyDialog
          grantable={grantable}
          onCreated={(created) => {
            setDialog({ type: "secret", created });
            reload(`The key ${created.name} was created.`);
          }}
          onClose={close}
        />
      )}
      {dialog?.type === "secret" && <KeySecretDialog created={dialog.created} onClose={close} />}
      {dialog?.type === "revoke" && (
        <RevokeDialog
          apiKey={dialog.key}
          onRevoked={() => {
            close();
            reload(`The key ${dialog.key.name} was revoked.`);
          }}
          onClose={close}
        />
      )}
    </>
  );
}
