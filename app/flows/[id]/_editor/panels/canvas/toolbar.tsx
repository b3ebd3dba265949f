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
import { listControlTypes } from "@/app/_kinds/registry";
import { Menu } from "@/app/_ui/controls/menu";
import { toAriaKeys } from "@/app/_ui/keys/key-chord";
import { chordsOf } from "../../commands/editor-command";
import { getCommand, isEnabled } from "../../commands/registry";
import { useEditorState, useSession } from "../../state/session-context";

export function Toolbar() {
  const { actions } = useSession();
  return (
    <div
      role="toolbar"
      id="canvas-tools"
      aria-label="Canvas tools"
      className="flex h-9 shrink-0 items-center gap-0.5 overflow-x-auto px-2"
    >
      <CommandTool id="add-agent" icon={Plus} wide />
      <Menu
        label="Add a branch, router, loop or approval"
        trigger={
          <>
            <Split size={15} aria-hidden />
            <ChevronDown size={12} aria-hidden />
          </>
        }
        items={listControlTypes().map((type) => ({
          label: labelOfKind(type),
          icon: <KindIcon kind={type} />,
          onSelect: () => actions.addControl(type),
        }))}
      />
      <Rule />
      <CommandTool id="wrap-parallel" icon={Rows3} />
      <CommandTool id="wrap-serial" icon={ArrowRight} />
      <CommandTool id="extract-swarm" icon={Boxes} />
      <CommandTool id="unwrap" icon={Ungroup} />
      <CommandTool id="delete" icon={Trash2} />
      <Rule />
      <CommandTool id="undo" icon={Undo2} />
      <CommandTool id="redo" icon={Redo2} />
      <Rule />
      <DirectionTool />
      <CommandTool id="fit" icon={Maximize} />
    </div>
  );
}

function CommandTool({ id, icon, wide = false }: { id: string; icon: LucideIcon; wide?: boolean }) {
  const session = useSession();
  const command = getCommand(id);
  const enabled = useEditorState(() => isEnabled(command, session));
  return (
    <Tool
      label={command.title}
      chords={chordsOf(command)}
      icon={icon}
      disabled={!enabled}
      wide={wide}
      onClick={() => command.run(session)}
    />
  );
}

function DirectionTool() {
  const { camera, actions } = useSession();
  const isDown = useEditorState(({ arrangement }) => arrangement.direction === "down");
  return (
    <Tool
      label={isDown ? "Lay out from left to right" : "Lay out from top to bottom"}
      icon={isDown ? MoveRight : MoveDown}
      onClick={() => {
        actions.edit({ type: "set-direction", direction: isDown ? "right" : "down" });
        camera.fit();
      }}
    />
  );
}

interface ToolProps {
  label: string;
  chords?: readonly string[];
  icon: LucideIcon;
  onClick(): void;
  disabled?: boolean;
  wide?: boolean;
}

function Tool({ label, chords = [], icon: Icon, onClick, disabled = false, wide = false }: ToolProps) {
  const [firstChord] = chords;
  return (
    <button
      data-hint={firstChord === undefined ? label : `${label} (${firstChord})`}
      type="button"
      aria-label={label}
      aria-keyshortcuts={toAriaKeys(chords)}
      disabled={disabled}
      onClick={onClick}
      className="inline-flex h-7 min-w-7 shrink-0 items-center justify-center gap-1.5 rounded-md px-1.5 text-text hover:bg-surface-hover disabled:text-text-faint disabled:opacity-50 disabled:hover:bg-transparent"
    >
      <Icon size={15} />
      {wide && <span className="text-xs font-medium">{label}</span>}
    </button>
  );
}

const Rule = () => <span aria-hidden className="mx-1 h-4 w-px shrink-0 bg-line" />;
