"use client";
import { Download } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { FormProblem, InputField } from "@/app/_accounts/forms/fields";
import { Button, buttonClass } from "@/app/_ui/controls/button";
import { Dialog, DialogActions } from "@/app/_ui/controls/dialog";
import { fetchText } from "@/app/_ui/loading/fetch-json";
import { readField, useSubmit } from "@/app/_ui/loading/use-submit";
import type { TeamSummary } from "@/lib/server/teams/queries";

interface TeamSectionProps {
  team: TeamSummary;
  isManager: boolean;
  /** The first team of an installation stays. */
  isFirst: boolean;
}

/** The name of the team, its flows as a file, and its end. */
export function TeamSection({ team, isManager, isFirst }: TeamSectionProps) {
  const [isDeleting, setDeleting] = useState(false);
  if (!isManager) return <p className="font-medium">{team.name}</p>;
  return (
    <>
      <RenameForm key={team.name} team={team} />
      <div className="flex flex-wrap items-center gap-2 border-line border-t pt-4">
        <ExportLink team={team} />
        {team.role === "owner" && !isFirst && (
          <Button variant="danger" onClick={() => setDeleting(true)}>
            Delete team…
          </Button>
        )}
      </div>
      {isDeleting && <DeleteDialog team={team} onClose={() => setDeleting(false)} />}
    </>
  );
}

function RenameForm({ team: { id, name } }: { team: TeamSummary }) {
  const router = useRouter();
  const { pending, problem, submit } = useSubmit();
  const rename = async (form: FormData): Promise<void> => {
    await fetchText(`/api/v1/teams/${id}`, { method: "PATCH", json: { name: readField(form, "team") } });
    router.refresh();
  };
  return (
    <form className="flex flex-col gap-3" {...submit(rename)}>
      <InputField label="Name" name="team" autoComplete="off" defaultValue={name} maxLength={100} />
      <FormProblem text={problem} />
      <Button type="submit" pending={pending} className="self-start">
        Save
      </Button>
    </form>
  );
}

const ExportLink = ({ team: { id } }: { team: TeamSummary }) => (
  <a href={`/api/v1/teams/${id}/export`} download className={buttonClass()}>
    <Download size={14} aria-hidden /> Export the flows
  </a>
);

function DeleteDialog({ team, onClose }: { team: TeamSummary; onClose(): void }) {
  const { pending, problem, submit } = useSubmit({ leaves: true });
  const remove = async (form: FormData): Promise<void> => {
    await fetchText(`/api/v1/teams/${team.id}`, { method: "DELETE", json: { name: readField(form, "confirmation") } });
    window.location.assign("/");
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Delete the team “${team.name}”?`}
      description="Its flows, runs, connections and settings are deleted, for good. Export its flows first: the file has all their versions."
    >
      <form className="flex flex-col gap-3" {...submit(remove)}>
        <ExportLink team={team} />
        <InputField
          label={`Enter “${team.name}” to confirm`}
          name="confirmation"
          autoComplete="off"
          spellCheck={false}
        />
        <FormProblem text={problem} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="danger" pending={pending}>
            Delete team
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
