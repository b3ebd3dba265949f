import { useState } from "react";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { keyOfRow, listVisible, nodesAt, type Outline, outlineFlow } from "@/lib/core/layout/outline";
import { useEditorState, useSession } from "../../state/session-context";

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

interface OutlineState {
  closed: ReadonlySet<string>;
  active: string;
  followedSelection: FollowedSelection;
}

interface FollowedSelection {
  selection: readonly NodeKey[];
  edge: string | null;
}

export const startOutline: OutlineState = {
  closed: new Set(),
  active: "#root",
  followedSelection: { selection: [], edge: null },
};

/** Expands the ancestors of what was selected elsewhere and makes it active. */
export function followSelection(
  state: OutlineState,
  outline: Outline,
  followedSelection: FollowedSelection,
): OutlineState {
  if (
    followedSelection.selection === state.followedSelection.selection &&
    followedSelection.edge === state.followedSelection.edge
  )
    return state;
  const id = followedSelection.edge ?? followedSelection.selection.at(-1);
  const index = id === undefined ? undefined : outline.indexes.get(id);
  if (id === undefined || index === undefined) return { ...state, followedSelection };
  return { closed: openAbove(outline, index, state.closed), active: id, followedSelection };
}

function openAbove({ items }: Outline, index: number, closed: ReadonlySet<string>): ReadonlySet<string> {
  const above = new Set<string>();
  for (let ancestor = items[index]?.parent ?? -1; ancestor >= 0; ancestor = items[ancestor]?.parent ?? -1)
    above.add(items[ancestor]?.id ?? "");
  return [...closed].some((id) => above.has(id)) ? new Set([...closed].filter((id) => !above.has(id))) : closed;
}

export function toggleRow(state: OutlineState, outline: Outline, id: string): OutlineState {
  const closed = new Set(state.closed);
  if (!closed.delete(id)) closed.add(id);
  const index = outline.indexes.get(id) ?? -1;
  const active = outline.indexes.get(state.active) ?? -1;
  const hides = closed.has(id) && active > index && active < (outline.items[index]?.end ?? 0);
  return { ...state, closed, active: hides ? id : state.active };
}

export function findActive({ items }: Outline, rows: readonly number[], active: string): number {
  return Math.max(
    0,
    rows.findIndex((row) => items[row]?.id === active),
  );
}
