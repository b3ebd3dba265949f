"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { FormProblem, InputField } from "@/app/_accounts/forms/fields";
import { anyAnswer, requestAccount } from "@/app/_accounts/request-account";
import { Button } from "@/app/_ui/controls/button";
import { readField, useSubmit } from "@/app/_ui/loading/use-submit";

export function NameForm({ name }: { name: string }) {
  const router = useRouter();
  const [isSaved, setSaved] = useState(false);
  const { pending, problem, submit } = useSubmit();
  const save = async (form: FormData): Promise<void> => {
    await requestAccount("update-user", anyAnswer, { json: { name: readField(form, "name").trim() } });
    setSaved(true);
    router.refresh();
  };
  return (
    <form className="flex flex-col gap-3" onChange={() => setSaved(false)} {...submit(save)}>
      <InputField label="Name" name="name" autoComplete="name" defaultValue={name} maxLength={100} />
      <FormProblem text={problem} />
      <div className="flex items-center gap-3">
        <Button type="submit" pending={pending}>
          Save
        </Button>
        <span role="status" className="text-success">
          {isSaved && "Saved."}
        </span>
      </div>
    </form>
  );
}
