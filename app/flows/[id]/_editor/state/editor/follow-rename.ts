import { type Layout, renamePins } from "@/lib/core/flow/edit";
import type { Flow } from "@/lib/core/flow/flow";
import { type NodeKey, renameInKey } from "@/lib/core/flow/node-key";
import { isNoteKey } from "@/lib/core/flow/note";
import { declaredNames } from "@/lib/core/kinds/members";

/** Null unless exactly one declared name disappeared and one appeared. */
export function findRename(before: Flow, after: Flow): { from: string; to: string } | null {
  const [namesBefore, namesAfter] = [new Set(declaredNames(before)), new Set(declaredNames(after))];
  const removedNames = [...namesBefore].filter((name) => !namesAfter.has(name));
  const addedNames = [...namesAfter].filter((name) => !namesBefore.has(name));
  const [oldName, newName] = [removedNames[0], addedNames[0]];
  return removedNames.length === 1 && addedNames.length === 1 && oldName !== undefined && newName !== undefined
    ? { from: oldName, to: newName }
    : null;
}

export function followRename<T extends { layout: Layout; selection: readonly NodeKey[] }>(
  state: T,
  { from: oldName, to: newName }: { from: string; to: string },
): Pick<T, "layout" | "selection"> {
  return {
    layout: renamePins(state.layout, oldName, newName),
    selection: state.selection.map((key) => (isNoteKey(key) ? key : renameInKey(key, oldName, newName))),
  };
}
