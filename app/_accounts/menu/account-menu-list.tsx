import { Menu as Base } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import { useRouter } from "next/navigation";
import type { RefObject } from "react";
import { showError } from "../../_ui/toast/show-error";
import type { PageAccount } from "../../_viewer/page-user";
import { signOut } from "../sign-out";
import { openTeam } from "../team-choice";

interface AccountMenuListProps {
  account: PageAccount;
  anchor: RefObject<HTMLButtonElement | null>;
  onClose(): void;
}

const itemStyle =
  "flex h-8 cursor-default items-center gap-2 rounded px-2 outline-none data-highlighted:bg-surface-hover pointer-coarse:h-10";

export default function AccountMenuList({ account, anchor, onClose }: AccountMenuListProps) {
  const router = useRouter();
  const { name, email, teams, teamId } = account;
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Positioner anchor={anchor} align="end" sideOffset={4} className="z-40">
          <Base.Popup
            aria-label="Account"
            finalFocus={anchor}
            className="max-h-(--available-height) w-64 overflow-y-auto rounded-md border border-line bg-surface-raised p-1 shadow-popover outline-none"
          >
            <Base.Group>
              <Base.GroupLabel className="px-2 py-1.5">
                <span className="block truncate font-semibold">{name}</span>
                <span className="block truncate text-text-muted text-xs">{email}</span>
              </Base.GroupLabel>
              <Base.Item className={itemStyle} onClick={() => router.push("/account")}>
                Account
              </Base.Item>
            </Base.Group>
            <Rule />
            <Base.RadioGroup aria-label="Team" value={teamId ?? ""} onValueChange={openTeam}>
              {teams.map((team) => (
                <Base.RadioItem key={team.id} value={team.id} className={itemStyle}>
                  <span className="min-w-0 flex-1 truncate">{team.name}</span>
                  <Base.RadioItemIndicator>
                    <Check size={14} aria-hidden />
                  </Base.RadioItemIndicator>
                </Base.RadioItem>
              ))}
            </Base.RadioGroup>
            <Base.Item className={itemStyle} onClick={() => router.push("/teams#create")}>
              Create team…
            </Base.Item>
            <Rule />
            <Base.Item className={itemStyle} onClick={() => void signOut().catch(showError)}>
              Sign out
            </Base.Item>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

const Rule = () => <Base.Separator className="my-1 h-px bg-line" />;
