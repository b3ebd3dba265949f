"use client";
import { FormProblem, InputField } from "@/app/_accounts/forms/fields";
import { openTeam } from "@/app/_accounts/team-choice";
import { Button } from "@/app/_ui/controls/button";
import { createdSchema, fetchJson } from "@/app/_ui/loading/fetch-json";
import { readField, useSubmit } from "@/app/_ui/loading/use-submit";

export function CreateTeam() {
  const { pending, problem, submit } = useSubmit({ leaves: true });
  const create = async (form: FormData): Promise<void> => {
    const { id } = await fetchJson("/api/v1/teams", createdSchema, { json: { name: readField(form, "team") } });
    openTeam(id);
  };
  return (
    <form id="create" className="flex flex-col gap-3" {...submit(create)}>
      <InputField label="Name of a new team" name="team" autoComplete="organization" maxLength={100} />
      <FormProblem text={problem} />
      <Button type="submit" pending={pending} className="self-start">
        Create team
      </Button>
    </form>
  );
}
