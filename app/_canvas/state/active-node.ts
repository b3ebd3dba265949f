import type { CanvasSession } from "@/app/_canvas/state/canvas-session";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { boxOf } from "../scene/notes";

/** The node or note that keys act on: the one selected last, or where they went without selecting. */
export function activeKey({ editor, view }: Pick<CanvasSession, "editor" | "view">): NodeKey | null {
  const state = editor.store.getState();
  const { selection } = state;
  const { active } = view.getState();
  const isValid = active?.selection === selection && boxOf(state, active.key) !== undefined;
  return isValid ? active.key : (selection.at(-1) ?? null);
}

/** Takes the active node out of the selection or into it; it stays active. */
export function toggleActive(session: Pick<CanvasSession, "editor" | "view">): void {
  const key = activeKey(session);
  if (key === null) return;
  const { editor, view } = session;
  const { selection } = editor.store.getState();
  editor.select(selection.includes(key) ? selection.filter((selectedKey) => selectedKey !== key) : [...selection, key]);
  view.setState({ active: { key, selection: editor.store.getState().selection } });
}
