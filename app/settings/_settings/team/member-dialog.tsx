import { useRouter } from "next/navigation";
import { useState } from "react";
import * as z from "zod/mini";
import { FormProblem } from "@/app/_accounts/forms/fields";
import { Button } from "@/app/_ui/controls/button";
import { Dialog, DialogActions } from "@/app/_ui/controls/dialog";
import { fetchJson, fetchText } from "@/app/_ui/loading/fetch-json";
import { useSubmit } from "@/app/_ui/loading/use-submit";
import type { TeamSummary } from "@/lib/server/teams/queries";
import { MemberCreations } from "./member-creations";
import type { MemberAction } from "./member-row";
import { SecretLink } from "./secret-link";

interface MemberDialogProps {
  team: TeamSummary;
  action: MemberAction;
  onClose(): void;
}

const linkSchema = z.object({ url: z.string() });

const describe = ({ type, member: { name } }: MemberAction, team: string) =>
  ({
    remove: {
      title: `Remove ${name} from ${team}?`,
      description:
        "At once they can neither read nor change anything of it, and their invitations are withdrawn. Their flows and runs stay.",
      label: "Remove",
    },
    leave: {
      title: `Leave ${team}?`,
      description: "You need a new invitation to come back. Your flows and runs stay.",
      label: "Leave",
    },
    "reset-link": {
      title: `A link for a new password for ${name}?`,
      description:
        "The person who has the link can set the password and sign in to this account, within a day. The member gets a mail about it where mail is set up.",
      label: "Make the link",
    },
  })[type];

/** Asks before a member is removed, leaves, or gets a link for a new password. */
export default function MemberDialog({ team, action, onClose }: MemberDialogProps) {
  const router = useRouter();
  const [url, setUrl] = useState<string | null>(null);
  const { pending, problem, perform } = useSubmit({ leaves: action.type === "leave" });
  const path = `/api/v1/teams/${team.id}/members/${action.member.userId}`;
  const act = async (): Promise<void> => {
    if (action.type === "reset-link")
      return setUrl((await fetchJson(`${path}/reset-link`, linkSchema, { method: "POST" })).url);
    await fetchText(path, { method: "DELETE" });
    if (action.type === "leave") return window.location.assign("/");
    router.refresh();
    onClose();
  };
  const { title, description, label } = describe(action, team.name);
  return (
    <Dialog open onOpenChange={onClose} title={title} description={description}>
      {action.type === "remove" && <MemberCreations path={path} />}
      {url !== null && <SecretLink label="Link for a new password" url={url} />}
      <FormProblem text={problem} />
      <DialogActions>
        <Button onClick={onClose}>{url === null ? "Cancel" : "Done"}</Button>
        {url === null && (
          <Button
            variant={action.type === "reset-link" ? "primary" : "danger"}
            pending={pending}
            onClick={() => void perform(act)}
          >
            {label}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
