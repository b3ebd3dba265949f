import { ArrowRight, Boxes, MoveDown, MoveRight, Redo2, Rows3, Trash2, Undo2, Ungroup } from "lucide-react";
import { useStore } from "zustand";
import { isLiveRun } from "@/app/_canvas/scene/follow-view";
import { IconButton } from "@/app/_ui/controls/icon-button";
import { CommandButton } from "../../commands/command-button";
import { hasSelection } from "../../commands/editor-command";
import { useEditorState, useSession } from "../../state/session-context";

/** Floats over the canvas: undo and redo, and what can be done with the selection. */
export function CanvasTools() {
  const session = useSession();
  const isSelected = useEditorState(() => hasSelection(session));
  const hasHistory = useEditorState(({ history }) => history.canUndo || history.canRedo);
  // On a phone they would cover what is below them for nothing.
  const phone = isSelected || hasHistory ? "" : "max-md:hidden";
  // Beside the button that follows the run.
  const isLive = useStore(session.statuses, isLiveRun);
  return (
    <div
      role="toolbar"
      id="canvas-tools"
      aria-label="Canvas tools"
      className={`absolute top-3 ${isLive ? "left-41 max-w-[calc(100%-11rem)]" : "left-3 max-w-[calc(100%-1.5rem)]"} z-10 flex items-center gap-0.5 overflow-x-auto rounded-lg border border-line-strong bg-surface-raised p-0.5 shadow-card ${phone}`}
    >
      <CommandButton id="undo" icon={Undo2} />
      <CommandButton id="redo" icon={Redo2} />
      {isSelected && (
        <>
          <Rule />
          <CommandButton id="wrap-parallel" icon={Rows3} />
          <CommandButton id="wrap-serial" icon={ArrowRight} />
          <CommandButton id="extract-swarm" icon={Boxes} />
          <CommandButton id="unwrap" icon={Ungroup} />
          <CommandButton id="delete" icon={Trash2} />
        </>
      )}
    </div>
  );
}

/** One of the controls of the view. */
export function DirectionTool() {
  const { camera, actions } = useSession();
  const isDown = useEditorState(({ arrangement }) => arrangement.direction === "down");
  const label = isDown ? "Lay out from left to right" : "Lay out from top to bottom";
  const Icon = isDown ? MoveRight : MoveDown;
  return (
    <IconButton
      label={label}
      onClick={() => {
        actions.edit({ type: "set-direction", direction: isDown ? "right" : "down" });
        camera.fit();
      }}
    >
      <Icon size={15} aria-hidden />
    </IconButton>
  );
}

const Rule = () => <span aria-hidden className="mx-1 h-4 w-px shrink-0 bg-line" />;
