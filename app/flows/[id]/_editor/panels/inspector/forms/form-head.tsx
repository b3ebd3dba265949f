import { Trash2 } from "lucide-react";
import { KindIcon } from "@/app/_kinds/kind-icon";
import { IconButton } from "@/app/_ui/controls/icon-button";
import { useSession } from "../../../state/session-context";

export function FormHead({ kind, title }: { kind: string; title: string }) {
  const { actions } = useSession();
  return (
    <div className="flex items-center justify-between">
      <h2 className="flex items-center gap-2 font-semibold text-[13px]">
        <KindIcon kind={kind} />
        {title}
      </h2>
      <IconButton label={`Delete ${title.toLowerCase()}`} onClick={actions.deleteSelection}>
        <Trash2 size={14} aria-hidden />
      </IconButton>
    </div>
  );
}
