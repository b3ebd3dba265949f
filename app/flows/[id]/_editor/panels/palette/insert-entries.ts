import { kindLabels } from "@/app/_ui/kind-icon";
import { commandKeys } from "../../commands/registry";
import { insertKinds, listExisting } from "../../state/edits/insert-kinds";
import type { InsertTarget } from "../../state/edits/insert-target";
import type { Session } from "../../state/session";
import { type ListEntry, reuseGroup } from "../entry-list/list-entry";

export const listInsertions = (session: Session, target: InsertTarget): ListEntry[] => [
  ...listKinds(session, target),
  noteEntry(session),
  ...listReusable(session, target),
];

function listKinds({ commands, view }: Session, target: InsertTarget): ListEntry[] {
  const kindEntries = insertKinds.map(
    ({ id, label, about, icon, words, toFragment }): ListEntry => ({
      id: `insert ${id}`,
      title: label,
      group: "Insert",
      detail: about,
      words: `insert add ${words}`,
      kind: icon,
      run: () => void commands.insert(toFragment(commands.usualModel()), target),
    }),
  );
  const template: ListEntry = {
    id: "insert template",
    title: "Template…",
    group: "Insert",
    detail: "A whole example, under names of its own",
    words: "insert example gallery",
    kind: "template",
    run: () => view.setState({ surface: { type: "templates", target } }),
  };
  return [...kindEntries, template];
}

const noteEntry = ({ commands }: Session): ListEntry => ({
  id: "insert note",
  title: "Note",
  group: "Insert",
  detail: "Words for people, beside the flow",
  keys: commandKeys("add-note"),
  kind: "note",
  words: "insert add sticky comment text",
  run: () => commands.addNote(),
});

export const listReusable = ({ commands, editor }: Session, target: InsertTarget): ListEntry[] =>
  listExisting(editor.store.getState().flow).map(
    ({ name, kind, fragment }): ListEntry => ({
      id: `again ${name}`,
      title: name,
      group: reuseGroup,
      detail: kindLabels[kind],
      words: "insert reuse existing again",
      kind,
      run: () => void commands.insert(fragment, target),
    }),
  );
