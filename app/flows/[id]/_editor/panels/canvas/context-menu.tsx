import { ActionMenu } from "@/app/_ui/controls/action-menu";
import { useSession } from "../../state/session-context";
import { describeContext, listContextActions } from "./context-actions";

/** The actions on what is selected. */
export default function ContextMenu({ at }: { at: { x: number; y: number } }) {
  const session = useSession();
  return (
    <ActionMenu
      anchor={new DOMRect(at.x, at.y, 0, 0)}
      label={describeContext(session)}
      groups={listContextActions(session)}
      focusAfter={() => document.getElementById("flow-canvas")}
      onClose={() => session.view.setState(({ surface }) => (surface?.type === "context" ? { surface: null } : {}))}
    />
  );
}
