"use client";
import { UserPlus } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { roleDescriptions, roleNames, roleOptions } from "@/app/_accounts/roles";
import { Button } from "@/app/_ui/controls/button";
import { DisclosureLine } from "@/app/_ui/controls/disclosure-line";
import { Moment } from "@/app/_ui/format/moment";
import { fetchText } from "@/app/_ui/loading/fetch-json";
import { loadPart } from "@/app/_ui/loading/load-part";
import { showError } from "@/app/_ui/toast/show-error";
import type { InvitationDetail } from "@/lib/server/teams/invitations";
import type { MemberDetail, TeamSummary } from "@/lib/server/teams/queries";
import { type MemberAction, MemberRow } from "./member-row";

const MemberDialog = dynamic(() => loadPart(() => import("./member-dialog")), { ssr: false });
const InviteDialog = dynamic(() => loadPart(() => import("./invite-dialog")), { ssr: false });

interface MembersSectionProps {
  team: TeamSummary;
  /** The viewer. */
  userId: string;
  members: readonly MemberDetail[];
  /** Null: the viewer does not manage the team. */
  invitations: readonly InvitationDetail[] | null;
}

export function MembersSection({ team, userId, members, invitations }: MembersSectionProps) {
  const [action, setAction] = useState<MemberAction | null>(null);
  const [isInviting, setInviting] = useState(false);
  const isManager = invitations !== null;
  return (
    <>
      <ul aria-label="Members" className="-mx-4 divide-y border-y">
        {members.map((member) => (
          <MemberRow
            key={member.userId}
            team={team}
            member={member}
            isSelf={member.userId === userId}
            isManager={isManager}
            onAction={setAction}
          />
        ))}
      </ul>
      <RoleHelp />
      {isManager && (
        <>
          <Button className="self-start" onClick={() => setInviting(true)}>
            <UserPlus size={14} aria-hidden /> Invite…
          </Button>
          {invitations.length > 0 && <OpenInvitations team={team} invitations={invitations} />}
        </>
      )}
      {action && <MemberDialog team={team} action={action} onClose={() => setAction(null)} />}
      {isInviting && <InviteDialog team={team} onClose={() => setInviting(false)} />}
    </>
  );
}

const RoleHelp = () => (
  <details className="text-text-muted">
    <DisclosureLine className="w-fit">What the roles may do</DisclosureLine>
    <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
      {roleOptions.map(([role, name]) => (
        <div key={role} className="contents">
          <dt className="font-medium">{name}</dt>
          <dd>{roleDescriptions[role]}</dd>
        </div>
      ))}
    </dl>
  </details>
);

function OpenInvitations({ team, invitations }: { team: TeamSummary; invitations: readonly InvitationDetail[] }) {
  const router = useRouter();
  const withdraw = (id: string): void => {
    const path = `/api/v1/teams/${team.id}/invitations/${id}`;
    fetchText(path, { method: "DELETE" }).then(() => router.refresh(), showError);
  };
  return (
    <div>
      <h3 id="open-invitations" className="mb-2 font-medium">
        Open invitations
      </h3>
      <ul aria-labelledby="open-invitations" className="divide-y rounded-md border">
        {invitations.map(({ id, role, email, createdBy, expiresAt }) => (
          <li key={id} className="flex min-h-11 flex-wrap items-center gap-x-3 px-3 py-1">
            <span className="min-w-0 flex-1 basis-48 truncate">
              {email ?? "For the holder of the link"} <span className="text-text-muted">as {roleNames.get(role)}</span>
            </span>
            <span className="text-text-muted text-xs">
              by {createdBy}, until <Moment at={expiresAt} />
            </span>
            <Button size="small" variant="ghost" onClick={() => withdraw(id)}>
              Withdraw
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
