import { type Layout, renamePins } from "@/lib/core/flow/edit";
import type { Flow } from "@/lib/core/flow/flow";
import { type NodeKey, renameInKey } from "@/lib/core/flow/node-key";
import { isNoteKey } from "@/lib/core/flow/note";
import { declaredNames } from "@/lib/core/kinds/members";

/** Null unless exactly one declared name disappeared and one appeared. */
export function findRename(before: Flow, after: Flow): { from: string; to: string } | null {
  const [namesBefore, namesAfter] = [new Set(declaredNames(before)), new Set(declaredNames(after))];
  const gone = [...namesBefore].filter((name) => !namesAfter.has(name));
  const come = [...namesAfter].filter((name) => !namesBefore.has(name));
  const [from, to] = [gone[0], come[0]];
  return gone.length === 1 && come.length === 1 && from !== undefined && to !== undefined ? { from, to } : null;
}

export function followRename<T extends { layout: Layout; selection: readonly NodeKey[] }>(
  state: T,
  { from, to }: { from: string; to: string },
): Pick<T, "layout" | "selection"> {
  return {
    layout: renamePins(state.layout, from, to),
    selection: state.selection.map((key) => (isNoteKey(key) ? key : renameInKey(key, from, to))),
  };
}
