"use client";

import {
  ArrowRight,
  Boxes,
  ChevronDown,
  type LucideIcon,
  Maximize,
  MoveDown,
  MoveRight,
  Plus,
  Redo2,
  Rows3,
  Split,
  Trash2,
  Undo2,
  Ungroup,
} from "lucide-react";
import { KindIcon, labelOfKind } from "@/app/_kinds/kind-icon";
import { Menu } from "@/app/_ui/controls/menu";
import { Tooltip } from "@/app/_ui/hints/tooltip";
import { controlTypes } from "@/lib/core/kinds/registry";
import { editorCommands } from "../../commands/registry";
import { useEditorState, useSession } from "../../state/session-context";

const addIcons: readonly [id: string, icon: LucideIcon][] = [["add-agent", Plus]];
const editIcons: readonly [id: string, icon: LucideIcon][] = [
  ["wrap-parallel", Rows3],
  ["wrap-serial", ArrowRight],
  ["extract-swarm", Boxes],
  ["unwrap", Ungroup],
  ["delete", Trash2],
];
const historyIcons: readonly [id: string, icon: LucideIcon][] = [
  ["undo", Undo2],
  ["redo", Redo2],
];
const viewIcons: readonly [id: string, icon: LucideIcon][] = [["fit", Maximize]];

export function Toolbar() {
  return (
    <div
      role="toolbar"
      id="canvas-tools"
      aria-label="Canvas tools"
      className="flex h-9 shrink-0 items-center gap-0.5 overflow-x-auto px-2"
    >
      <CommandTools icons={addIcons} isLabelled />
      <ControlMenu />
      <Rule />
      <CommandTools icons={editIcons} />
      <Rule />
      <CommandTools icons={historyIcons} />
      <Rule />
      <DirectionTool />
      <CommandTools icons={viewIcons} />
    </div>
  );
}

const CommandTools = ({ icons, isLabelled }: { icons: typeof editIcons; isLabelled?: boolean }) =>
  icons.map(([id, icon]) => <CommandTool key={id} id={id} icon={icon} isLabelled={isLabelled} />);

function CommandTool({ id, icon, isLabelled }: { id: string; icon: LucideIcon; isLabelled?: boolean | undefined }) {
  const session = useSession();
  const command = editorCommands.find((candidate) => candidate.id === id);
  const isEnabled = useEditorState(() => command?.when?.(session) ?? true);
  if (!command) return null;
  const [keys] = command.keys?.split(", ") ?? [];
  return (
    <Tool
      label={command.title}
      keys={keys}
      icon={icon}
      disabled={!isEnabled}
      isLabelled={isLabelled}
      onClick={() => command.run(session)}
    />
  );
}

function ControlMenu() {
  const { commands } = useSession();
  return (
    <Menu
      label="Add a branch, router, loop or approval"
      trigger={
        <>
          <Split size={15} aria-hidden />
          <ChevronDown size={12} aria-hidden />
        </>
      }
      items={controlTypes.map((type) => ({
        label: labelOfKind(type),
        icon: <KindIcon kind={type} />,
        onSelect: () => commands.addControl(type),
      }))}
    />
  );
}

function DirectionTool() {
  const { commands, view } = useSession();
  const isDown = useEditorState(({ arrangement }) => arrangement.direction === "down");
  const change = (): void => {
    commands.edit({ type: "set-direction", direction: isDown ? "right" : "down" });
    view.setState({ fit: {} });
  };
  const label = isDown ? "Let the flow run to the right" : "Let the flow run down";
  return <Tool label={label} icon={isDown ? MoveRight : MoveDown} onClick={change} />;
}

interface ToolProps {
  label: string;
  keys?: string | undefined;
  icon: LucideIcon;
  disabled?: boolean;
  isLabelled?: boolean | undefined;
  onClick(): void;
}

function Tool({ label, keys, icon: Icon, disabled = false, isLabelled = false, onClick }: ToolProps) {
  return (
    <Tooltip content={keys === undefined ? label : `${label} (${keys})`}>
      <button
        type="button"
        aria-label={label}
        disabled={disabled}
        onClick={onClick}
        className="inline-flex h-7 min-w-7 shrink-0 items-center justify-center gap-1.5 rounded-md px-1.5 text-text hover:bg-surface-hover disabled:text-text-faint disabled:opacity-50 disabled:hover:bg-transparent"
      >
        <Icon size={15} />
        {isLabelled && <span className="text-xs font-medium">{label}</span>}
      </button>
    </Tooltip>
  );
}

const Rule = () => <span aria-hidden className="mx-1 h-4 w-px shrink-0 bg-line" />;
