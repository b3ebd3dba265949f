"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { FormProblem, NewPasswordField, PasswordField } from "@/app/_accounts/forms/fields";
import { anyAnswer, requestAccount } from "@/app/_accounts/request-account";
import { Button } from "@/app/_ui/controls/button";
import { readField, useSubmit } from "@/app/_ui/loading/use-submit";
import { useConfirmation } from "./confirm/confirmation";

export function PasswordForm({ email }: { email: string }) {
  const router = useRouter();
  const [changes, setChanges] = useState(0);
  const { pending, problem, submit } = useSubmit();
  const confirmed = useConfirmation();
  const change = async (form: FormData): Promise<void> => {
    const json = {
      currentPassword: readField(form, "currentPassword"),
      newPassword: readField(form, "newPassword"),
      revokeOtherSessions: true,
    };
    await confirmed(() => requestAccount("change-password", anyAnswer, { json }));
    setChanges(changes + 1);
    router.refresh();
  };
  return (
    <form key={changes} className="flex flex-col gap-3" {...submit(change)}>
      {/* Tells password managers whose password it is. */}
      <input type="text" name="email" autoComplete="username" defaultValue={email} readOnly hidden />
      <PasswordField label="Current password" name="currentPassword" autoComplete="current-password" maxLength={200} />
      <NewPasswordField label="New password" />
      <FormProblem text={problem} />
      <div className="flex items-center gap-3">
        <Button type="submit" pending={pending}>
          Change password
        </Button>
        <span role="status" className="text-success">
          {changes > 0 && "The password is changed."}
        </span>
      </div>
    </form>
  );
}
