"use client";
import Link from "next/link";
import { useState } from "react";
import { readField, useSubmit } from "@/app/_ui/loading/use-submit";
import { FormProblem, NewPasswordField } from "../../_accounts/forms/fields";
import { anyAnswer, requestAccount } from "../../_accounts/request-account";
import { Button, buttonClass } from "../../_ui/controls/button";

export function NewPassword({ token }: { token: string }) {
  const [isDone, setDone] = useState(false);
  const { pending, problem, submit } = useSubmit();
  const reset = async (form: FormData): Promise<void> => {
    await requestAccount("reset-password", anyAnswer, { json: { newPassword: readField(form, "newPassword"), token } });
    setDone(true);
  };
  if (isDone)
    return (
      <>
        <p role="status">The new password is set.</p>
        <Link href="/sign-in" className={buttonClass("primary", "large")}>
          Sign in
        </Link>
      </>
    );
  return (
    <form className="flex flex-col gap-4" {...submit(reset)}>
      <NewPasswordField label="New password" />
      <FormProblem text={problem} />
      <Button type="submit" variant="primary" size="large" pending={pending}>
        Set the password
      </Button>
    </form>
  );
}
