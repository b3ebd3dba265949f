import { useState } from "react";
import { keyOfRow, listVisible, nodesAt, type Outline, outlineFlow } from "@/lib/core/layout/outline";
import { useEditorState, useSession } from "../../state/session-context";
import { findActive, followSelection, type OutlineState, startOutline, toggleRow } from "./outline-state";

export type Going = "only" | "extend" | "toggle";

export function useOutlineTree() {
  const { editor, camera } = useSession();
  const flow = useEditorState((state) => state.flow);
  const selection = useEditorState((state) => state.selection);
  const edge = useEditorState((state) => state.edge);
  const notes = useEditorState(({ layout }) => layout.notes);
  const outline = outlineFlow(flow, notes);
  const [state, setState] = useState<OutlineState>(startOutline);
  const followed = followSelection(state, outline, { selection, edge });
  if (followed !== state) setState(followed);
  const rows = listVisible(outline, followed.closed);
  const active = findActive(outline, rows, followed.active);

  const go = (position: number, going: Going): void => {
    const index = rows[position];
    const item = outline.items[index ?? -1];
    if (index === undefined || !item) return;
    if (item.type === "link") editor.selectEdge(item.id);
    else {
      const { selection: before } = editor.store.getState();
      editor.selectEdge(null);
      editor.select(join(before, nodesAt(outline, index), going));
      const last = editor.store.getState().selection.at(-1);
      if (last !== undefined && keyOfRow(item) !== undefined) camera.reveal(last);
    }
    const { selection: now, edge: link } = editor.store.getState();
    setState((previous) => ({ ...previous, active: item.id, followedSelection: { selection: now, edge: link } }));
  };
  const toggle = (id: string): void => setState((previous) => toggleRow(previous, outline, id));
  return { outline, rows, active, closed: followed.closed, go, toggle };
}

export type OutlineTree = ReturnType<typeof useOutlineTree>;

function join(before: readonly string[], rowKeys: readonly string[], going: Going): readonly string[] {
  const otherKeys = before.filter((key) => !rowKeys.includes(key));
  if (going === "only") return rowKeys;
  const takesOut = going === "toggle" && rowKeys.every((key) => before.includes(key));
  return takesOut ? otherKeys : [...otherKeys, ...rowKeys];
}

export function findInner({ items }: Outline, rows: readonly number[], position: number): number | null {
  const index = rows[position] ?? -1;
  const holds = (items[index]?.end ?? 0) > index + 1;
  return holds && rows[position + 1] === index + 1 ? position + 1 : null;
}
