import type { CanvasSession } from "@/app/_canvas/state/canvas-session";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { boxOf } from "../scene/notes";

/** The last selected node, or where the keys went without selecting. */
export function activeKey({ editor, view }: Pick<CanvasSession, "editor" | "view">): NodeKey | null {
  const state = editor.store.getState();
  const { selection } = state;
  const { active } = view.getState();
  const isValid = active?.selection === selection && boxOf(state, active.key) !== undefined;
  return isValid ? active.key : (selection.at(-1) ?? null);
}

export function toggleActive(session: Pick<CanvasSession, "editor" | "view">): void {
  const key = activeKey(session);
  if (key === null) return;
  const { editor, view } = session;
  const { selection } = editor.store.getState();
  editor.select(selection.includes(key) ? selection.filter((selectedKey) => selectedKey !== key) : [...selection, key]);
  view.setState({ active: { key, selection: editor.store.getState().selection } });
}
