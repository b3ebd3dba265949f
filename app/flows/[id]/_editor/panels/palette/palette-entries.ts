import { readingOrder } from "@/app/_canvas/navigation/navigation";
import { labelOfKind } from "@/app/_kinds/kind-icon";
import type { ArrangedNode } from "@/lib/core/layout/arrange-flow";
import { commandGroups, keysOf } from "../../commands/editor-command";
import { usableCommands } from "../../commands/registry";
import type { Session } from "../../state/session";
import type { ListEntry } from "../entry-list/list-entry";
import { listReuseEntries } from "./insert-entries";

const cardGroup = "Go to a card";
const pageGroup = "Pages";

const pages = [
  { path: "/", title: "Flows" },
  { path: "/runs", title: "Runs" },
] as const;

export type PagePath = (typeof pages)[number]["path"];

export function listEntries(session: Session, goToPage: (path: PagePath) => void): ListEntry[] {
  const { arrangement } = session.editor.store.getState();
  return [
    ...usableCommands(session)
      .filter(({ id }) => id !== "palette")
      .toSorted((a, b) => commandGroups.indexOf(a.group) - commandGroups.indexOf(b.group))
      .map((command): ListEntry => ({ ...command, keys: keysOf(command), run: () => command.run(session) })),
    ...listReuseEntries(session, { type: "selection" }),
    ...readingOrder(arrangement).map((node) => toCardEntry(node, session)),
    ...pages.map(
      ({ path, title }): ListEntry => ({
        id: `page ${path}`,
        title,
        group: pageGroup,
        words: "open go page",
        run: () => goToPage(path),
      }),
    ),
  ];
}

function toCardEntry({ key, name, type: kind, parent }: ArrangedNode, { actions, view }: Session): ListEntry {
  const label = labelOfKind(kind);
  return {
    id: `card ${key}`,
    title: name,
    group: cardGroup,
    detail: parent === undefined ? label : `${label} in ${parent}`,
    kind,
    run() {
      actions.show(key);
      view.setState({ narrowPane: "canvas" });
    },
  };
}
