import type { KeyboardEvent } from "react";
import { activeKey } from "@/app/_canvas/state/active-node";
import { singleKeysAreOn } from "@/app/_ui/keys/single-keys";
import { findCommand } from "../../commands/registry";
import { useSession } from "../../state/session-context";
import { findCanvasKey } from "./canvas-keys";

export function useCanvasKeys(): (event: KeyboardEvent<HTMLDivElement>) => void {
  const session = useSession();
  return (event) => {
    if (event.target !== event.currentTarget || event.defaultPrevented) return;
    const command = findCommand(event, "canvas", singleKeysAreOn());
    const handler = command ? null : findCanvasKey(event, singleKeysAreOn());
    if (!command && !handler) return;
    event.preventDefault();
    event.stopPropagation();
    if (command) command.run(session, activeKey(session));
    else handler?.(session);
  };
}
