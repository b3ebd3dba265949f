import { useRouter } from "next/navigation";
import { useState } from "react";
import * as z from "zod/mini";
import { FormProblem, InputField } from "@/app/_accounts/forms/fields";
import { roleDescriptions, rolesUpTo, toRole } from "@/app/_accounts/roles";
import { Button } from "@/app/_ui/controls/button";
import { Dialog, DialogActions } from "@/app/_ui/controls/dialog";
import { Select } from "@/app/_ui/controls/select";
import { fetchJson } from "@/app/_ui/loading/fetch-json";
import { readField, useSubmit } from "@/app/_ui/loading/use-submit";
import type { TeamSummary } from "@/lib/server/teams/queries";
import { SecretLink } from "./secret-link";

const invitationSchema = z.object({ url: z.string(), isMailed: z.boolean() });
type Invitation = z.infer<typeof invitationSchema> & { email: string };

export default function InviteDialog({ team, onClose }: { team: TeamSummary; onClose(): void }) {
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Invite to ${team.name}`}
      {...(!invitation && { description: "You get a link that one person can use within 7 days." })}
    >
      {invitation ? (
        <div className="flex flex-col gap-3">
          <p role="status">
            {invitation.isMailed ? `It was mailed to ${invitation.email}.` : "Send this link to the person."}
          </p>
          <SecretLink label="Link of the invitation" url={invitation.url} />
          <DialogActions>
            <Button variant="primary" onClick={onClose}>
              Done
            </Button>
          </DialogActions>
        </div>
      ) : (
        <InviteForm team={team} onInvited={setInvitation} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface InviteFormProps {
  team: TeamSummary;
  onInvited(invitation: Invitation): void;
  onClose(): void;
}

function InviteForm({ team, onInvited, onClose }: InviteFormProps) {
  const router = useRouter();
  const [role, setRole] = useState(toRole("editor"));
  const { pending, problem, submit } = useSubmit();
  const invite = async (form: FormData): Promise<void> => {
    const email = readField(form, "email").trim();
    const json = { role, email: email || null };
    onInvited({ ...(await fetchJson(`/api/v1/teams/${team.id}/invitations`, invitationSchema, { json })), email });
    router.refresh();
  };
  return (
    <form className="flex flex-col gap-3" {...submit(invite)}>
      <div>
        <span aria-hidden className="mb-1 block font-medium">
          Role
        </span>
        <Select
          label="Role"
          value={role}
          options={rolesUpTo(team.role)}
          onChange={(value) => setRole(toRole(value))}
          className="h-8 w-full rounded-md border-line-input px-2 pointer-coarse:h-10"
        />
        <p className="mt-1 text-text-muted text-xs">May {roleDescriptions[role]}.</p>
      </div>
      <InputField
        label="E-mail (optional)"
        name="email"
        type="email"
        required={false}
        autoComplete="off"
        maxLength={320}
        hint="Then only an account with this address can use the link."
      />
      <FormProblem text={problem} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" pending={pending}>
          Make the link
        </Button>
      </DialogActions>
    </form>
  );
}
