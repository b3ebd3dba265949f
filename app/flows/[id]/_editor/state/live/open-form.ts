import type * as Y from "yjs";
import { findAuthor } from "@/lib/core/live/authors";
import { findDeleter } from "@/lib/core/live/deleted-entries";
import { toDocument } from "../editing/editing";
import { idOfDeclaration } from "../editor/follow-renames";
import type { Session } from "../session";
import { showLost } from "./drop-lost";
import type { SeenTexts } from "./lost-writings";

/** What a user is writing in the form of a declaration. */
export interface OpenForm {
  owner: string;
  /** Stays the same when the declaration is renamed. */
  id: string;
  text: string;
}

/** Null: the user is in no field of a form. */
export function readOpenForm({ editor, live }: Session): OpenForm | null {
  const text = live.field.readText();
  const { selection, arrangement, ids } = editor.store.getState();
  const owner = arrangement.nodes.find(({ key }) => key === selection[0])?.name;
  return text === null || owner === undefined ? null : { owner, id: idOfDeclaration(ids, owner), text };
}

/** Shows a user what they were writing in a form that someone else's change closed: the declaration is deleted. */
export function tellOfClosedForm(session: Session, doc: Y.Doc, { owner, id, text }: OpenForm, seen: SeenTexts): void {
  const { document, ids } = session.editor.store.getState();
  const names = [...toDocument(document).declarations.keys()];
  const declaration = seen.document.declarations.get(owner);
  if (!declaration || names.some((name) => idOfDeclaration(ids, name) === id)) return;
  if (session.live.store.getState().lost.some((writing) => writing.owner === owner)) return;
  const deleter = findDeleter(doc, owner);
  const by = deleter === null ? null : findAuthor(doc, deleter);
  const before = { source: seen.document.text, layout: seen.layout, type: declaration.type };
  showLost(session, [{ owner, by, isReplaced: false, field: null, text: text.trim(), before }]);
}
