import type { NodeKey } from "@/lib/core/flow/node-key";
import type { Outline } from "@/lib/core/layout/outline";

export interface OutlineState {
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
