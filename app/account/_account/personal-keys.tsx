"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import * as z from "zod/mini";
import { FormProblem, PasswordField } from "@/app/_accounts/forms/fields";
import { Button } from "@/app/_ui/controls/button";
import { Dialog, DialogActions } from "@/app/_ui/controls/dialog";
import { RelativeTime } from "@/app/_ui/format/relative-time";
import { fetchJson } from "@/app/_ui/loading/fetch-json";
import { readField, useSubmit } from "@/app/_ui/loading/use-submit";
import type { PersonalKeyDetail } from "@/lib/server/connections/personal-keys";

const savedSchema = z.object({ provider: z.string() });

const changeKey = (provider: string, request: { method: "PUT"; json: object } | { method: "DELETE" }) =>
  fetchJson(`/api/v1/me/keys/${encodeURIComponent(provider)}`, savedSchema, request);

export function PersonalKeys({ keys }: { keys: readonly PersonalKeyDetail[] }) {
  const [changed, setChanged] = useState<{ type: "enter" | "remove"; of: PersonalKeyDetail } | null>(null);
  return (
    <>
      <ul aria-label="Your keys" className="divide-y rounded-md border">
        {keys.map((of) => (
          <li key={of.provider} className="flex min-h-12 flex-wrap items-center gap-2 px-3 py-1.5">
            <div className="min-w-0 flex-1 basis-40">
              <p className="font-medium">{of.label}</p>
              <KeyFacts entered={of.entered} />
            </div>
            <Button
              size="small"
              aria-label={`${verbOf(of)} for ${of.label}`}
              onClick={() => setChanged({ type: "enter", of })}
            >
              {verbOf(of)}…
            </Button>
            {of.entered && (
              <Button
                size="small"
                variant="danger"
                aria-label={`Remove the key for ${of.label}`}
                onClick={() => setChanged({ type: "remove", of })}
              >
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      {changed && <KeyDialog {...changed} onClose={() => setChanged(null)} />}
    </>
  );
}

const verbOf = ({ entered }: PersonalKeyDetail): string => (entered ? "Replace key" : "Enter key");

function KeyFacts({ entered }: Pick<PersonalKeyDetail, "entered">) {
  if (!entered) return <p className="text-text-muted text-xs">No key</p>;
  if (entered.problem !== null) return <p className="text-warning text-xs">{entered.problem}</p>;
  return (
    <p className="text-text-muted text-xs">
      {entered.lastFour !== "" && <span className="font-mono">…{entered.lastFour} · </span>}
      entered <RelativeTime at={entered.at} />
      {entered.lastUsedAt !== null && (
        <>
          {" "}
          · used <RelativeTime at={entered.lastUsedAt} />
        </>
      )}
    </p>
  );
}

interface KeyDialogProps {
  type: "enter" | "remove";
  of: PersonalKeyDetail;
  onClose(): void;
}

function KeyDialog({ type, of: { provider, label, entered }, onClose }: KeyDialogProps) {
  const router = useRouter();
  const { pending, problem, submit } = useSubmit();
  const isEntry = type === "enter";
  const change = async (form: FormData): Promise<void> => {
    await changeKey(
      provider,
      isEntry ? { method: "PUT", json: { key: readField(form, "key") } } : { method: "DELETE" },
    );
    router.refresh();
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={isEntry ? `${entered ? "Replace" : "Enter"} your key for ${label}` : `Remove your key for ${label}?`}
      description={
        isEntry
          ? "It is encrypted, sent to this provider only, and never shown again."
          : "Runs that you have started with it fail at their next call."
      }
    >
      <form className="flex flex-col gap-3" {...submit(change)}>
        {isEntry && <PasswordField label="API key" name="key" autoComplete="off" maxLength={8000} />}
        <FormProblem text={problem} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant={isEntry ? "primary" : "danger"} pending={pending}>
            {isEntry ? "Save" : "Remove"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
