"use client";

import {
  ArrowRight,
  Boxes,
  ChevronDown,
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
import type { ReactNode } from "react";
import { indexNodes } from "@/app/_canvas/scene/node-index";
import { Menu } from "@/app/_ui/controls/menu";
import { Tooltip } from "@/app/_ui/hints/tooltip";
import { KindIcon, kindLabels } from "@/app/_ui/kind-icon";
import { controlTypes } from "@/lib/core/kinds/registry";
import { findMembers } from "../../state/edits/node-edits";
import { useEditorState, useSession } from "../../state/session-context";

/** The canvas' commands as buttons; each says its key. */
export function Toolbar() {
  const { commands, editor, view } = useSession();
  const canUndo = useEditorState((state) => state.history.canUndo);
  const canRedo = useEditorState((state) => state.history.canRedo);
  const hasSelection = useEditorState(({ selection, edge }) => selection.length > 0 || edge !== null);
  const isDown = useEditorState(({ arrangement }) => arrangement.direction === "down");
  const members = useEditorState(
    ({ arrangement, selection }) => findMembers(indexNodes(arrangement), selection)?.names.length ?? 0,
  );
  return (
    <div
      role="toolbar"
      id="canvas-tools"
      aria-label="Canvas tools"
      className="flex h-9 shrink-0 items-center gap-0.5 overflow-x-auto px-2"
    >
      <Tool label="Add agent" keys="Ctrl ↓" onClick={commands.addAgent} icon={<Plus size={15} />} wide />
      <Menu
        label="Add a branch, router, loop or approval"
        trigger={
          <>
            <Split size={15} aria-hidden />
            <ChevronDown size={12} aria-hidden />
          </>
        }
        items={controlTypes.map((type) => ({
          label: kindLabels[type],
          icon: <KindIcon kind={type} />,
          onSelect: () => commands.addControl(type),
        }))}
      />
      <Rule />
      <Tool
        label="Wrap as parallel"
        keys="P"
        disabled={members < 2}
        onClick={() => commands.wrap("wrap-parallel")}
        icon={<Rows3 size={15} />}
      />
      <Tool
        label="Wrap as serial"
        keys="S"
        disabled={members < 2}
        onClick={() => commands.wrap("wrap-serial")}
        icon={<ArrowRight size={15} />}
      />
      <Tool
        label="Nest as swarm"
        keys="N"
        disabled={members < 1}
        onClick={() => commands.wrap("extract-swarm")}
        icon={<Boxes size={15} />}
      />
      <Tool
        label="Unwrap"
        keys="U"
        disabled={members < 1}
        onClick={() => commands.wrap("unwrap")}
        icon={<Ungroup size={15} />}
      />
      <Tool
        label="Delete selection"
        keys="Del"
        disabled={!hasSelection}
        onClick={commands.deleteSelection}
        icon={<Trash2 size={15} />}
      />
      <Rule />
      <Tool label="Undo" keys="Ctrl Z" disabled={!canUndo} onClick={editor.undo} icon={<Undo2 size={15} />} />
      <Tool label="Redo" keys="Ctrl Shift Z" disabled={!canRedo} onClick={editor.redo} icon={<Redo2 size={15} />} />
      <Rule />
      <Tool
        label={isDown ? "Let the flow run to the right" : "Let the flow run down"}
        onClick={() => {
          commands.edit({ type: "set-direction", direction: isDown ? "right" : "down" });
          view.setState({ fit: {} });
        }}
        icon={isDown ? <MoveRight size={15} /> : <MoveDown size={15} />}
      />
      <Tool label="Fit view" keys="Shift 1" onClick={() => view.setState({ fit: {} })} icon={<Maximize size={15} />} />
    </div>
  );
}

interface ToolProps {
  label: string;
  keys?: string;
  icon: ReactNode;
  onClick(): void;
  disabled?: boolean;
  /** Shows its label beside the icon. */
  wide?: boolean;
}

function Tool({ label, keys, icon, onClick, disabled = false, wide = false }: ToolProps) {
  return (
    <Tooltip content={keys === undefined ? label : `${label} (${keys})`}>
      <button
        type="button"
        aria-label={label}
        disabled={disabled}
        onClick={onClick}
        className="inline-flex h-7 min-w-7 shrink-0 items-center justify-center gap-1.5 rounded-md px-1.5 text-text hover:bg-surface-hover disabled:text-text-faint disabled:opacity-50 disabled:hover:bg-transparent"
      >
        {icon}
        {wide && <span className="text-xs font-medium">{label}</span>}
      </button>
    </Tooltip>
  );
}

const Rule = () => <span aria-hidden className="mx-1 h-4 w-px shrink-0 bg-line" />;
