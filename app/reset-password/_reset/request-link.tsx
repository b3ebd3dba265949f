"use client";
import { useState } from "react";
import { readField, useSubmit } from "@/app/_ui/loading/use-submit";
import { EmailField, FormProblem } from "../../_accounts/forms/fields";
import { anyAnswer, requestAccount } from "../../_accounts/request-account";
import { Button } from "../../_ui/controls/button";

/** Answers the same for addresses with and without an account. */
export function RequestLink() {
  const [isSent, setSent] = useState(false);
  const { pending, problem, submit } = useSubmit();
  const request = async (form: FormData): Promise<void> => {
    await requestAccount("request-password-reset", anyAnswer, { json: { email: readField(form, "email") } });
    setSent(true);
  };
  if (isSent)
    return (
      <p role="status">
        If the address has an account here, a link is on its way. It can be used for a day. Check your spam folder, too.
      </p>
    );
  return (
    <form className="flex flex-col gap-4" {...submit(request)}>
      <EmailField />
      <FormProblem text={problem} />
      <Button type="submit" variant="primary" size="large" pending={pending}>
        Send the link
      </Button>
    </form>
  );
}
