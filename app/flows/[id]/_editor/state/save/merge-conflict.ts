import { findNearest } from "@/lib/core/live/find-nearest";
import type { SaveState } from "./autosave";
import { type Merge, mergeVersions } from "./merge-versions";
import type { Snapshot, Theirs } from "./snapshot";

/** Merges with what was saved elsewhere. `isOwn`: that has nothing which someone else wrote. */
export function mergeConflict(
  { stored, sharedTexts }: Pick<SaveState, "stored" | "sharedTexts">,
  mine: Snapshot,
  theirs: Theirs,
): Merge & { isOwn: boolean } {
  const { layout } = stored;
  const base = findNearest(
    [stored, ...sharedTexts.map(({ source, notes }) => ({ source, layout: { ...layout, notes } }))],
    theirs,
  );
  return { ...mergeVersions(base, mine, theirs), isOwn: base.source === theirs.source };
}
