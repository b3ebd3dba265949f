import { defaultFilter } from "cmdk";
import { readingOrder } from "@/app/_canvas/navigation/navigation";
import { labelOfKind } from "@/app/_kinds/kind-icon";
import type { ArrangedNode } from "@/lib/core/layout/arrange-flow";
import { commandGroups, keysOf } from "../../commands/editor-command";
import { usableCommands } from "../../commands/registry";
import type { Session } from "../../state/session";
import { againGroup, listAgain } from "./insert-entries";

export interface PaletteEntry {
  id: string;
  title: string;
  group: string;
  detail?: string;
  keys?: string | undefined;
  words?: string;
  kind?: string;
  run(): void;
}

export const cardGroup = "Go to a card";
export const pageGroup = "Pages";

const pages = [
  { path: "/", title: "Flows" },
  { path: "/runs", title: "Runs" },
] as const;

export type PagePath = (typeof pages)[number]["path"];

export function listEntries(session: Session, goToPage: (path: PagePath) => void): PaletteEntry[] {
  const { arrangement } = session.editor.store.getState();
  return [
    ...usableCommands(session)
      .filter(({ id }) => id !== "palette")
      .toSorted((a, b) => commandGroups.indexOf(a.group) - commandGroups.indexOf(b.group))
      .map((command): PaletteEntry => ({ ...command, keys: keysOf(command), run: () => command.run(session) })),
    ...listAgain(session, { type: "selection" }),
    ...readingOrder(arrangement).map((node) => toCardEntry(node, session)),
    ...pages.map(
      ({ path, title }): PaletteEntry => ({
        id: `page ${path}`,
        title,
        group: pageGroup,
        words: "open go page",
        run: () => goToPage(path),
      }),
    ),
  ];
}

function toCardEntry({ key, name, type: kind, parent }: ArrangedNode, { editor, view }: Session): PaletteEntry {
  const label = labelOfKind(kind);
  return {
    id: `card ${key}`,
    title: name,
    group: cardGroup,
    detail: parent === undefined ? label : `${label} in ${parent}`,
    kind,
    run() {
      editor.select([key]);
      editor.reveal(key);
      view.setState({ narrowPane: "canvas" });
    },
  };
}

/** Limits without a query, and of the whole list. */
const mostUnasked = (group: string): number => (group === againGroup ? 5 : 30);
const mostShown = 60;

export function findEntries(entries: readonly PaletteEntry[], query: string): [group: string, PaletteEntry[]][] {
  const wanted = query.trim();
  const found = wanted === "" ? takeSome(entries) : rank(entries, wanted);
  const groups = new Map<string, PaletteEntry[]>();
  for (const entry of found) {
    const group = groups.get(entry.group);
    if (group) group.push(entry);
    else groups.set(entry.group, [entry]);
  }
  return [...groups];
}

function takeSome(entries: readonly PaletteEntry[]): PaletteEntry[] {
  const counts = new Map<string, number>();
  return entries.filter(({ group }) => {
    const count = (counts.get(group) ?? 0) + 1;
    counts.set(group, count);
    return count <= mostUnasked(group);
  });
}

function rank(entries: readonly PaletteEntry[], wanted: string): PaletteEntry[] {
  const letters = wanted.toLowerCase().replaceAll(/\s/g, "");
  const scored = entries.flatMap((entry) => {
    // Cheap check first, because a flow may have ten thousand cards.
    if (!holdsInOrder(`${entry.title} ${entry.words ?? ""}`.toLowerCase(), letters)) return [];
    const score = defaultFilter(entry.title, wanted, entry.words === undefined ? [] : [entry.words]);
    return score > 0 ? [{ entry, score }] : [];
  });
  return scored
    .toSorted((a, b) => b.score - a.score)
    .slice(0, mostShown)
    .map(({ entry }) => entry);
}

function holdsInOrder(text: string, letters: string): boolean {
  let at = 0;
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
