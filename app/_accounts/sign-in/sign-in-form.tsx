"use client";
import { KeyRound } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import * as z from "zod/mini";
import { readField, useSubmit } from "@/app/_ui/loading/use-submit";
import { Button } from "../../_ui/controls/button";
import { cardLink } from "../forms/account-card";
import { FormProblem, InputField, PasswordField } from "../forms/fields";
import { hasPasskeys, signInWithPasskey } from "../passkeys";
import { requestAccount } from "../request-account";
import { SecondStep } from "./second-step";

/** Where people can sign in with an account that they have elsewhere. */
export interface SignInOffers {
  github: boolean;
  /** The name of the provider of OpenID Connect; null: there is none. */
  oidc: string | null;
}

interface SignInFormProps {
  offers: SignInOffers;
  /** A path of this server: where providers elsewhere send the visitor back to. */
  next: string;
  /** Why a provider elsewhere has not signed the visitor in. */
  initialProblem?: string | null;
  onSignedIn(): Promise<void> | void;
}

const signedInSchema = z.object({ twoFactorRedirect: z.optional(z.boolean()) });
const redirectSchema = z.object({ url: z.string() });

const listProviders = ({ github, oidc }: SignInOffers): { id: string; name: string }[] => [
  ...(github ? [{ id: "github", name: "GitHub" }] : []),
  ...(oidc === null ? [] : [{ id: "oidc", name: oidc }]),
];

export function SignInForm({ offers, next, initialProblem = null, onSignedIn }: SignInFormProps) {
  const [needsCode, setNeedsCode] = useState(false);
  const { pending, problem, perform, submit } = useSubmit({ leaves: true });
  if (needsCode) return <SecondStep onSignedIn={onSignedIn} onBack={() => window.location.reload()} />;
  const signIn = async (form: FormData): Promise<void> => {
    const json = { email: readField(form, "email"), password: readField(form, "password") };
    const { twoFactorRedirect = false } = await requestAccount("sign-in/email", signedInSchema, { json });
    if (twoFactorRedirect) setNeedsCode(true);
    else await onSignedIn();
  };
  const signInAt = async (provider: string): Promise<void> => {
    const json = { provider, callbackURL: next, errorCallbackURL: "/sign-in" };
    const { url } = await requestAccount("sign-in/social", redirectSchema, { json });
    window.location.assign(url);
  };
  const signInByPasskey = async (): Promise<void> => {
    if (!hasPasskeys()) throw new Error("This browser has no passkeys on this page. Sign in with your password.");
    await signInWithPasskey();
    await onSignedIn();
  };
  return (
    <div className="flex flex-col gap-4">
      <form className="flex flex-col gap-4" onSubmit={submit(signIn)}>
        <InputField label="E-mail" name="email" type="email" autoComplete="username webauthn" maxLength={320} />
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
        <Button key={id} size="large" disabled={pending} onClick={() => void perform(() => signInAt(id))}>
          Continue with {name}
        </Button>
      ))}
      <Button size="large" disabled={pending} onClick={() => void perform(signInByPasskey)}>
        <KeyRound size={14} aria-hidden /> Sign in with a passkey
      </Button>
    </div>
  );
}
