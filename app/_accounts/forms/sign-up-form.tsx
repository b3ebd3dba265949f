"use client";
import { readField, useSubmit } from "@/app/_ui/loading/use-submit";
import { Button } from "../../_ui/controls/button";
import { anyAnswer, requestAccount } from "../request-account";
import { FormProblem, InputField, NewPasswordField } from "./fields";

interface SignUpFormProps {
  /** Of an invitation or of the server; null: everyone may create an account here. */
  token: string | null;
  onSignedUp(): Promise<void> | void;
}

export function SignUpForm({ token, onSignedUp }: SignUpFormProps) {
  const { pending, problem, submit } = useSubmit({ leaves: true });
  const signUp = async (form: FormData): Promise<void> => {
    const json = {
      name: readField(form, "name").trim(),
      email: readField(form, "email"),
      password: readField(form, "newPassword"),
    };
    await requestAccount("sign-up/email", anyAnswer, { json, bearer: token });
    await onSignedUp();
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit(signUp)}>
      <InputField label="Name" name="name" autoComplete="name" maxLength={100} />
      <InputField label="E-mail" name="email" type="email" autoComplete="username" maxLength={320} />
      <NewPasswordField />
      <FormProblem text={problem} />
      <Button type="submit" variant="primary" size="large" pending={pending}>
        Create account
      </Button>
    </form>
  );
}
