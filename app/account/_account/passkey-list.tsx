"use client";
import { KeyRound, PencilLine, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { FormProblem, InputField } from "@/app/_accounts/forms/fields";
import { addPasskey, hasPasskeys } from "@/app/_accounts/passkeys";
import { anyAnswer, requestAccount } from "@/app/_accounts/request-account";
import { Button } from "@/app/_ui/controls/button";
import { Dialog, DialogActions } from "@/app/_ui/controls/dialog";
import { IconButton } from "@/app/_ui/controls/icon-button";
import { RelativeTime } from "@/app/_ui/format/relative-time";
import { readField, useSubmit } from "@/app/_ui/loading/use-submit";
import type { AccountDetail } from "@/lib/server/accounts/queries";
import { useConfirmation } from "./confirm/confirmation";

type Passkey = AccountDetail["passkeys"][number];

export function PasskeyList({ passkeys }: { passkeys: readonly Passkey[] }) {
  const router = useRouter();
  const [changed, setChanged] = useState<{ type: "rename" | "delete"; passkey: Passkey } | null>(null);
  const { pending, problem, submit } = useSubmit();
  const confirmed = useConfirmation();
  const add = async (form: FormData): Promise<void> => {
    if (!hasPasskeys()) throw new Error("This browser has no passkeys on this page. It needs https, or localhost.");
    await confirmed(() => addPasskey(readField(form, "passkey")));
    router.refresh();
  };
  return (
    <>
      {passkeys.length > 0 && (
        <ul aria-label="Passkeys" className="divide-y rounded-md border">
          {passkeys.map((passkey) => (
            <li key={passkey.id} className="flex min-h-11 items-center gap-2 px-3">
              <KeyRound size={14} aria-hidden className="text-text-muted" />
              <span className="min-w-0 flex-1 truncate font-medium">{passkey.name}</span>
              {passkey.createdAt !== null && (
                <span className="text-text-muted text-xs">
                  <RelativeTime at={passkey.createdAt} />
                </span>
              )}
              <IconButton label={`Rename ${passkey.name}`} onClick={() => setChanged({ type: "rename", passkey })}>
                <PencilLine size={14} aria-hidden />
              </IconButton>
              <IconButton label={`Delete ${passkey.name}`} onClick={() => setChanged({ type: "delete", passkey })}>
                <Trash2 size={14} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <form key={passkeys.length} className="flex flex-col gap-3" {...submit(add)}>
        <InputField
          label="Name of a new passkey"
          name="passkey"
          autoComplete="off"
          placeholder="This laptop"
          maxLength={60}
        />
        <FormProblem text={problem} />
        <Button type="submit" pending={pending} className="self-start">
          Add a passkey
        </Button>
      </form>
      {changed && <ChangeDialog {...changed} onClose={() => setChanged(null)} />}
    </>
  );
}

interface ChangeDialogProps {
  type: "rename" | "delete";
  passkey: Passkey;
  onClose(): void;
}

function ChangeDialog({ type, passkey: { id, name }, onClose }: ChangeDialogProps) {
  const router = useRouter();
  const { pending, problem, submit } = useSubmit();
  const confirmed = useConfirmation();
  const isRename = type === "rename";
  const change = async (form: FormData): Promise<void> => {
    const json = isRename ? { id, name: readField(form, "name") } : { id };
    const endpoint = isRename ? "passkey/update-passkey" : "passkey/delete-passkey";
    await confirmed(() => requestAccount(endpoint, anyAnswer, { json }));
    router.refresh();
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={isRename ? "Rename the passkey" : `Delete the passkey “${name}”?`}
      {...(!isRename && { description: "You can no longer sign in with it. Your device may still offer it." })}
    >
      <form className="flex flex-col gap-3" {...submit(change)}>
        {isRename && <InputField label="Name" name="name" autoComplete="off" defaultValue={name} maxLength={60} />}
        <FormProblem text={problem} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant={isRename ? "primary" : "danger"} pending={pending}>
            {isRename ? "Rename" : "Delete"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
