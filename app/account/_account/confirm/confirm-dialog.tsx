import { KeyRound } from "lucide-react";
import { useState } from "react";
import * as z from "zod/mini";
import { FormProblem, PasswordField } from "@/app/_accounts/forms/fields";
import { hasPasskeys, signInWithPasskey } from "@/app/_accounts/passkeys";
import { listProviders, type SignInOffers, signInAt, signInWithPassword } from "@/app/_accounts/sign-in/requests";
import { SecondStep } from "@/app/_accounts/sign-in/second-step";
import { Button } from "@/app/_ui/controls/button";
import { Dialog } from "@/app/_ui/controls/dialog";
import { fetchJson } from "@/app/_ui/loading/fetch-json";
import { readField, useSubmit } from "@/app/_ui/loading/use-submit";

/** With what the user of an account can show who they are. */
export interface AccountProofs {
  email: string;
  hasPassword: boolean;
  hasPasskey: boolean;
  /** The providers with which the account signs in. */
  offers: SignInOffers;
}

interface ConfirmDialogProps {
  proofs: AccountProofs;
  onConfirmed(): void;
  onCancel(): void;
}

const meSchema = z.object({ user: z.object({ id: z.string() }) });

/** A passkey may belong to another account of the same person. */
async function assertSameAccount(): Promise<void> {
  const { user } = await fetchJson("/api/v1/me", meSchema, { cache: "no-store" });
  if (user.id !== document.documentElement.dataset.user)
    throw new Error("This passkey belongs to another account: you are signed in with that one now. Reload the page.");
}

export function ConfirmDialog({ proofs, onConfirmed, onCancel }: ConfirmDialogProps) {
  const [needsCode, setNeedsCode] = useState(false);
  return (
    <Dialog
      open
      onOpenChange={onCancel}
      title="Confirm that it is you"
      description="You signed in more than 15 minutes ago. What you are changing decides who can sign in with your account."
    >
      {needsCode ? (
        <SecondStep onSignedIn={onConfirmed} onBack={() => setNeedsCode(false)} />
      ) : (
        <Proofs proofs={proofs} onConfirmed={onConfirmed} onCodeNeeded={() => setNeedsCode(true)} />
      )}
    </Dialog>
  );
}

interface ProofsProps extends Pick<ConfirmDialogProps, "proofs" | "onConfirmed"> {
  onCodeNeeded(): void;
}

function Proofs({ proofs, onConfirmed, onCodeNeeded }: ProofsProps) {
  const { email, hasPassword, hasPasskey, offers } = proofs;
  const { pending, problem, perform, submit } = useSubmit();
  const confirmByPassword = async (form: FormData): Promise<void> => {
    const next = await signInWithPassword({ email, password: readField(form, "password") });
    if (next === "code") onCodeNeeded();
    else onConfirmed();
  };
  const confirmByPasskey = async (): Promise<void> => {
    if (!hasPasskeys()) throw new Error("This browser has no passkeys on this page. It needs https, or localhost.");
    await signInWithPasskey();
    await assertSameAccount();
    onConfirmed();
  };
  const providers = listProviders(offers);
  return (
    <div className="flex flex-col gap-3">
      {hasPassword && (
        <form className="flex flex-col gap-3" {...submit(confirmByPassword)}>
          <input type="text" name="email" autoComplete="username" defaultValue={email} readOnly hidden />
          <PasswordField label="Password" name="password" autoComplete="current-password" maxLength={200} />
          <Button type="submit" variant="primary" pending={pending}>
            Confirm with the password
          </Button>
        </form>
      )}
      {hasPasskey && (
        <Button disabled={pending} onClick={() => void perform(confirmByPasskey)}>
          <KeyRound size={14} aria-hidden /> Confirm with a passkey
        </Button>
      )}
      {providers.map(({ id, name }) => (
        <Button key={id} disabled={pending} onClick={() => void perform(() => signInAt(id, "/account"))}>
          Confirm with {name}
        </Button>
      ))}
      {!hasPassword && !hasPasskey && providers.length === 0 && (
        <p>Sign out, and choose “Forgot your password?” on the page to sign in: the link sets a password.</p>
      )}
      <FormProblem text={problem} />
    </div>
  );
}
