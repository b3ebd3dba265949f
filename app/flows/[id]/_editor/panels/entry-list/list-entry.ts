import { defaultFilter } from "cmdk";
import type { LucideIcon } from "lucide-react";
import { groupBy } from "@/lib/core/flow/group-by";

export interface ListEntry {
  id: string;
  title: string;
  group: string;
  detail?: string;
  keys?: string | undefined;
  words?: string;
  kind?: string;
  /** In place of `detail`: below the title, whole. */
  description?: { icon: LucideIcon; text: string; warning?: string | undefined };
  run(): void;
}

/** The group of what the flow already has. */
export const reuseGroup = "Use again";

const unfilteredGroupLimit = (group: string): number => (group === reuseGroup ? 5 : 30);
const resultLimit = 60;

export function findEntries(entries: readonly ListEntry[], query: string): [group: string, ListEntry[]][] {
  const words = query.trim();
  const matches = words === "" ? limitGroups(entries) : rank(entries, words);
  return [...groupBy(matches, ({ group }) => group)];
}

function limitGroups(entries: readonly ListEntry[]): ListEntry[] {
  const groups = groupBy(entries, ({ group }) => group);
  return [...groups].flatMap(([group, members]) => members.slice(0, unfilteredGroupLimit(group)));
}

function rank(entries: readonly ListEntry[], query: string): ListEntry[] {
  const letters = query.toLowerCase().replaceAll(/\s/g, "");
  const scored = entries.flatMap((entry) => {
    // Cheap check first, because a flow may have ten thousand cards.
    if (!containsInOrder(`${entry.title} ${entry.words ?? ""}`.toLowerCase(), letters)) return [];
    const score = defaultFilter(entry.title, query, entry.words === undefined ? [] : [entry.words]);
    return score > 0 ? [{ entry, score }] : [];
  });
  return scored
    .toSorted((a, b) => b.score - a.score)
    .slice(0, resultLimit)
    .map(({ entry }) => entry);
}

function containsInOrder(text: string, letters: string): boolean {
  let position = 0;
  for (const letter of letters) {
    position = text.indexOf(letter, position) + 1;
    if (position === 0) return false;
  }
  return true;
}
