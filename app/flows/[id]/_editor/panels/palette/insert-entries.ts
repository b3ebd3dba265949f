import { labelOfKind } from "@/app/_kinds/kind-icon";
import { listInsertEntries } from "@/app/_kinds/registry";
import { commandKeys } from "../../commands/registry";
import { type InsertTarget, listReusable } from "../../state/edits/insert-target";
import type { Session } from "../../state/session";
import { type ListEntry, reuseGroup } from "../entry-list/list-entry";

export const listInsertions = (session: Session, target: InsertTarget): ListEntry[] => [
  ...listKinds(session, target),
  noteEntry(session),
  ...listReuseEntries(session, target),
];

function listKinds({ actions, view }: Session, target: InsertTarget): ListEntry[] {
  const kindEntries = listInsertEntries().map(
    ({ id, label, description, words, toFragment }): ListEntry => ({
      id: `insert ${id}`,
      title: label,
      group: "Insert",
      detail: description,
      words: `insert add ${words}`,
      kind: id,
      run: () => void actions.insert(toFragment(actions.usualModel()), target),
    }),
  );
  const template: ListEntry = {
    id: "insert template",
    title: "Template…",
    group: "Insert",
    detail: "A complete example with new names",
    words: "insert example gallery",
    kind: "template",
    run: () => view.setState({ surface: { type: "templates", target } }),
  };
  return [...kindEntries, template];
}

const noteEntry = ({ actions }: Session): ListEntry => ({
  id: "insert note",
  title: "Note",
  group: "Insert",
  detail: "A comment on the canvas",
  keys: commandKeys("add-note"),
  kind: "note",
  words: "insert add sticky comment text",
  run: () => actions.addNote(),
});

export const listReuseEntries = ({ actions, editor }: Session, target: InsertTarget): ListEntry[] =>
  listReusable(editor.store.getState().flow).map(
    ({ name, kind, fragment }): ListEntry => ({
      id: `again ${name}`,
      title: name,
      group: reuseGroup,
      detail: labelOfKind(kind),
      words: "insert reuse existing again",
      kind,
      run: () => void actions.insert(fragment, target),
    }),
  );
