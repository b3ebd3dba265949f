import { useRouter } from "next/navigation";
import { useState } from "react";
import { roleOptions, rolesUpTo, toRole } from "@/app/_accounts/roles";
import { Menu } from "@/app/_ui/controls/menu";
import { Select } from "@/app/_ui/controls/select";
import { fetchText } from "@/app/_ui/loading/fetch-json";
import { showError } from "@/app/_ui/toast/show-error";
import type { MemberDetail, TeamSummary } from "@/lib/server/teams/queries";

/** What is done with a member after a question. */
export interface MemberAction {
  type: "remove" | "leave" | "reset-link";
  member: MemberDetail;
}

interface MemberRowProps {
  team: TeamSummary;
  member: MemberDetail;
  /** Whether the member is the viewer. */
  isSelf: boolean;
  isManager: boolean;
  onAction(action: MemberAction): void;
}

const roleNames = new Map(roleOptions);

export function MemberRow({ team, member, isSelf, isManager, onAction }: MemberRowProps) {
  const { name, email, role } = member;
  const choices = rolesUpTo(team.role);
  const isChangeable = isManager && choices.some(([choice]) => choice === role);
  return (
    <li aria-label={name} className="flex min-h-13 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
      <div className="min-w-0 flex-1 basis-48">
        <p className="truncate font-medium">
          {name}
          {isSelf && <span className="ml-2 font-normal text-text-muted text-xs">You</span>}
        </p>
        <p className="truncate text-text-muted text-xs">{email}</p>
      </div>
      {isChangeable ? (
        <RoleSelect key={role} team={team} member={member} />
      ) : (
        <span className="text-text-muted">{roleNames.get(role)}</span>
      )}
      {isSelf ? (
        <Menu
          label={`More for ${name}`}
          items={[{ label: "Leave the team…", danger: true, onSelect: () => onAction({ type: "leave", member }) }]}
        />
      ) : (
        isChangeable && (
          <Menu
            label={`More for ${name}`}
            items={[
              { label: "Link for a new password…", onSelect: () => onAction({ type: "reset-link", member }) },
              { label: "Remove from the team…", danger: true, onSelect: () => onAction({ type: "remove", member }) },
            ]}
          />
        )
      )}
    </li>
  );
}

function RoleSelect({ team, member: { userId, name, role } }: { team: TeamSummary; member: MemberDetail }) {
  const router = useRouter();
  const [shown, setShown] = useState(role);
  const change = (value: string): void => {
    const chosen = toRole(value);
    setShown(chosen);
    fetchText(`/api/v1/teams/${team.id}/members/${userId}`, { method: "PATCH", json: { role: chosen } }).then(
      () => router.refresh(),
      (error: unknown) => {
        setShown(role);
        showError(error);
      },
    );
  };
  return (
    <Select
      label={`Role of ${name}`}
      value={shown}
      options={rolesUpTo(team.role)}
      onChange={change}
      className="h-8 rounded-md border-line-input px-2 pointer-coarse:h-10"
    />
  );
}
