"use client";
import { KeyRound } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { readField, useSubmit } from "@/app/_ui/loading/use-submit";
import { Button } from "../../_ui/controls/button";
import { cardLink } from "../forms/account-card";
import { EmailField, FormProblem, PasswordField } from "../forms/fields";
import { hasPasskeys, signInWithPasskey } from "../passkeys";
import { listProviders, type SignInOffers, signInAt, signInWithPassword } from "./requests";
import { SecondStep } from "./second-step";

interface SignInFormProps {
  offers: SignInOffers;
  /** A path of this server: where providers elsewhere send the visitor back to. */
  next: string;
  /** Why a provider elsewhere has not signed the visitor in. */
  initialProblem?: string | null;
  onSignedIn(): Promise<void> | void;
}

export function SignInForm({ offers, next, initialProblem = null, onSignedIn }: SignInFormProps) {
  const [needsCode, setNeedsCode] = useState(false);
  const { pending, problem, perform, submit } = useSubmit({ leaves: true });
  if (needsCode) return <SecondStep onSignedIn={onSignedIn} onBack={() => window.location.reload()} />;
  const signIn = async (form: FormData): Promise<void> => {
    const json = { email: readField(form, "email"), password: readField(form, "password") };
    if ((await signInWithPassword(json)) === "code") setNeedsCode(true);
    else await onSignedIn();
  };
  const signInByPasskey = async (): Promise<void> => {
    if (!hasPasskeys()) throw new Error("This browser has no passkeys on this page. Sign in with your password.");
    await signInWithPasskey();
    await onSignedIn();
  };
  return (
    <div className="flex flex-col gap-4">
      <form className="flex flex-col gap-4" {...submit(signIn)}>
        <EmailField autoComplete="username webauthn" />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          maxLength={200}
          aside={
            <Link href="/reset-password" className={`text-xs ${cardLink}`}>
              Forgot your password?
            </Link>
          }
        />
        <FormProblem text={problem ?? initialProblem} />
        <Button type="submit" variant="primary" size="large" pending={pending}>
          Sign in
        </Button>
      </form>
      <p
        aria-hidden
        className="flex items-center gap-3 text-text-faint text-xs before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line"
      >
        or
      </p>
      {listProviders(offers).map(({ id, name }) => (
        <Button key={id} size="large" disabled={pending} onClick={() => void perform(() => signInAt(id, next))}>
          Continue with {name}
        </Button>
      ))}
      <Button size="large" disabled={pending} onClick={() => void perform(signInByPasskey)}>
        <KeyRound size={14} aria-hidden /> Sign in with a passkey
      </Button>
    </div>
  );
}
