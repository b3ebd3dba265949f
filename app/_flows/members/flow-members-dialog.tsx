import { useState } from "react";
import * as z from "zod/mini";
import { useAccess } from "../../_ui/access/access";
import { Dialog } from "../../_ui/controls/dialog";
import { LoadProblem } from "../../_ui/controls/load-problem";
import { Select } from "../../_ui/controls/select";
import { fetchJson, fetchText } from "../../_ui/loading/fetch-json";
import { useLoaded } from "../../_ui/loading/use-loaded";
import { showError } from "../../_ui/toast/show-error";

const memberSchema = z.object({ userId: z.string(), name: z.string(), role: z.string() });
const membersSchema = z.object({ members: z.array(memberSchema) });
type FlowMember = z.infer<typeof memberSchema>;

const roleNames: Readonly<Record<string, string>> = {
  viewer: "Viewer",
  runner: "Runner",
  editor: "Editor",
  admin: "Admin",
  owner: "Owner",
};
const nameRole = (role: string): string => roleNames[role] ?? role;

/** For a member who has no role of its own in a flow. */
const sameRole = "same";

const flowRoles = ["viewer", "runner", "editor"] as const;

interface FlowMembersDialogProps {
  flow: { id: string; name: string };
  onClose(): void;
}

/** The members of the team of the page, with the role of each in one flow. */
export default function FlowMembersDialog({ flow, onClose }: FlowMembersDialogProps) {
  const { team } = useAccess();
  const { value, problem, retry } = useLoaded({ key: flow.id }, async (signal) => {
    const [ofTeam, ofFlow] = await Promise.all([
      fetchJson(`/api/v1/teams/${team}/members`, membersSchema, { signal }),
      fetchJson(`/api/v1/flows/${flow.id}/members`, membersSchema, { signal }),
    ]);
    return { members: ofTeam.members, own: new Map(ofFlow.members.map(({ userId, role }) => [userId, role])) };
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Who may do what in “${flow.name}”`}
      description="A member can have another role in this flow than in the team. Admins and Owners keep their role in all flows."
    >
      {problem !== null ? (
        <LoadProblem onRetry={retry}>The members could not be loaded: {problem}</LoadProblem>
      ) : value === null ? (
        <p className="min-h-24 text-text-muted">Reading the members…</p>
      ) : (
        <ul aria-label="Members" className="divide-y rounded-md border">
          {value.members.map((member) => (
            <MemberRow
              key={member.userId}
              flowId={flow.id}
              member={member}
              initialRole={value.own.get(member.userId) ?? sameRole}
            />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function MemberRow({ flowId, member, initialRole }: { flowId: string; member: FlowMember; initialRole: string }) {
  const [role, setRole] = useState(initialRole);
  const { userId, name } = member;
  const choose = (chosen: string): void => {
    setRole(chosen);
    const json = { role: chosen === sameRole ? null : chosen };
    fetchText(`/api/v1/flows/${flowId}/members/${userId}`, { method: "PUT", json }).catch((error: unknown) => {
      setRole(role);
      showError(error);
    });
  };
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5">
      <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
      {member.role === "admin" || member.role === "owner" ? (
        <span className="text-text-muted">{nameRole(member.role)}</span>
      ) : (
        <Select
          label={`Role of ${name} in this flow`}
          value={role}
          options={[
            [sameRole, `${nameRole(member.role)}, as in the team`],
            ...flowRoles.map((choice) => [choice, nameRole(choice)] as const),
          ]}
          onChange={choose}
          className="h-8 rounded-md border-line-input px-2 pointer-coarse:h-10"
        />
      )}
    </li>
  );
}
