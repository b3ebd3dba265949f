import { Copy, Keyboard, Trash2, X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "@/app/_ui/controls/icon-button";
import { Menu } from "@/app/_ui/controls/menu";
import type { MenuItem } from "@/app/_ui/controls/menu-list";
import { getCommand } from "../../../commands/registry";
import { useSession } from "../../../state/session-context";

interface InspectorHeadProps {
  tile: ReactNode;
  title: ReactNode;
  menu?: { label: string; items: readonly MenuItem[] } | undefined;
}

export function InspectorHead({ tile, title, menu }: InspectorHeadProps) {
  const { view } = useSession();
  return (
    <div className="flex h-12 shrink-0 items-center gap-2 pr-2 pl-3">
      {tile}
      <div className="min-w-0 flex-1">{title}</div>
      {menu && <Menu label={menu.label} items={menu.items} />}
      <IconButton
        label="Close inspector"
        className="max-md:hidden"
        onClick={() => view.setState({ inspectorOpen: false })}
      >
        <X size={16} aria-hidden />
      </IconButton>
    </div>
  );
}

const icon = { size: 14, "aria-hidden": true };

/** Undefined: the user may not change the flow. */
export function useNodeMenu(kind: string): InspectorHeadProps["menu"] {
  const session = useSession();
  if (!session.access.mayEdit) return undefined;
  return {
    label: `More for this ${kind}`,
    items: [
      { label: "Duplicate", icon: <Copy {...icon} />, onSelect: () => getCommand("duplicate").run(session) },
      { label: "Keyboard shortcuts", icon: <Keyboard {...icon} />, onSelect: () => getCommand("keys").run(session) },
      {
        label: `Delete ${kind}`,
        icon: <Trash2 {...icon} />,
        danger: true,
        onSelect: session.actions.deleteSelection,
      },
    ],
  };
}
