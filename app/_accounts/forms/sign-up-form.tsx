"use client";
import { useState } from "react";
import * as z from "zod/mini";
import { readField, useSubmit } from "@/app/_ui/loading/use-submit";
import { Button } from "../../_ui/controls/button";
import { anyAnswer, requestAccount } from "../request-account";
import { EmailField, FormProblem, InputField, NewPasswordField } from "./fields";
import { type AddressProof, readAddressProof, useHash } from "./use-hash";

/** Without a session the server has mailed a link instead. */
const signedUpSchema = z.object({ token: z.optional(z.nullable(z.string())) });

interface SignUpFormProps {
  /** Of an invitation or of the server; null: everyone may create an account here. */
  token: string | null;
  /** Whether a link that is mailed to the address comes first. */
  needsProof: boolean;
  onSignedUp(): Promise<void> | void;
}

export function SignUpForm({ token, needsProof, onSignedUp }: SignUpFormProps) {
  const proof = readAddressProof(useHash() ?? "");
  if (needsProof && proof === null) return <ProofRequest token={token} />;
  return <NewAccount token={token} proof={proof} onSignedUp={onSignedUp} />;
}

function ProofRequest({ token }: Pick<SignUpFormProps, "token">) {
  const [isSent, setSent] = useState(false);
  const { pending, problem, submit } = useSubmit();
  const request = async (form: FormData): Promise<void> => {
    const json = { email: readField(form, "email") };
    await requestAccount("sign-up/email", anyAnswer, { json, bearer: token });
    setSent(true);
  };
  if (isSent)
    return (
      <p role="status">
        A link to create the account is on its way to this address. It can be used for a day. Check your spam folder,
        too.
      </p>
    );
  return (
    <form className="flex flex-col gap-4" {...submit(request)}>
      <EmailField hint="You get a link to create the account." />
      <FormProblem text={problem} />
      <Button type="submit" variant="primary" size="large" pending={pending}>
        Send the link
      </Button>
    </form>
  );
}

interface NewAccountProps extends Pick<SignUpFormProps, "token" | "onSignedUp"> {
  proof: AddressProof | null;
}

function NewAccount({ token, proof, onSignedUp }: NewAccountProps) {
  const { pending, problem, submit } = useSubmit({ leaves: true });
  const signUp = async (form: FormData): Promise<void> => {
    const json = {
      name: readField(form, "name").trim(),
      email: readField(form, "email"),
      password: readField(form, "newPassword"),
    };
    const { token: session = null } = await requestAccount("sign-up/email", signedUpSchema, {
      json,
      bearer: token,
      addressProof: proof?.proof ?? null,
    });
    if (session === null) throw new Error("This link has expired. A new one is on its way to this address.");
    await onSignedUp();
  };
  return (
    <form className="flex flex-col gap-4" {...submit(signUp)}>
      <InputField label="Name" name="name" autoComplete="name" maxLength={100} />
      <EmailField defaultValue={proof?.email} readOnly={proof !== null} />
      <NewPasswordField />
      <FormProblem text={problem} />
      <Button type="submit" variant="primary" size="large" pending={pending}>
        Create account
      </Button>
    </form>
  );
}
