import { Crown, Flag } from "lucide-react";
import type { MemberRole } from "@/lib/core/layout/scene/member-roles";

const flags: Partial<Record<MemberRole, { word: string; icon: typeof Flag }>> = {
  start: { word: "Start", icon: Flag },
  lead: { word: "Lead", icon: Crown },
};

/** On the card that starts a handoff swarm, or leads a team or an orchestration. */
export function RoleFlag({ role }: { role: MemberRole }) {
  const flag = flags[role];
  if (!flag) return null;
  const { word, icon: Icon } = flag;
  return (
    <span className="role-flag">
      <Icon size={11} aria-hidden />
      {word}
    </span>
  );
}
