import type { LucideIcon } from "lucide-react";
import { IconButton } from "@/app/_ui/controls/icon-button";
import { toAriaKeys } from "@/app/_ui/keys/key-chord";
import { useEditorState, useSession } from "../state/session-context";
import { chordsOf } from "./editor-command";
import { getCommand, isEnabled } from "./registry";

interface CommandButtonProps {
  id: string;
  icon: LucideIcon;
  /** Of a command that switches something on and off. */
  isPressed?: boolean;
  className?: string;
  /** The form of the selection begins with it. */
  "data-inspector-first"?: boolean | undefined;
}

/** Runs a command of the registry; disabled while that has no effect. */
export function CommandButton({ id, icon: Icon, isPressed, className = "", ...attributes }: CommandButtonProps) {
  const session = useSession();
  const command = getCommand(id);
  const isUsable = useEditorState(() => isEnabled(command, session));
  const chords = chordsOf(command);
  const [firstChord] = chords;
  return (
    <IconButton
      {...attributes}
      label={command.title}
      data-hint={firstChord === undefined ? command.title : `${command.title} (${firstChord})`}
      aria-keyshortcuts={toAriaKeys(chords)}
      aria-pressed={isPressed}
      disabled={!isUsable}
      onClick={() => command.run(session)}
      className={`aria-pressed:bg-surface-hover aria-pressed:text-text ${className}`}
    >
      <Icon size={16} aria-hidden />
    </IconButton>
  );
}
