import type * as Y from "yjs";
import { findAuthor } from "@/lib/core/live/authors";
import { findDeleter } from "@/lib/core/live/deleted-entries";
import { toDocument } from "../editing/editing";
import { idOfDeclaration } from "../editor/follow-renames";
import type { Session } from "../session";
import { showLost } from "./drop-lost";
import type { SeenTexts } from "./lost-writings";

/** A declaration that a user has selected. */
interface Selected {
  name: string;
  /** Stays the same when the declaration is renamed. */
  id: string;
}

/** What a user is looking at when someone else's change arrives. */
export interface Attention {
  selected: readonly Selected[];
  /** What is being written in the form of the selected declaration; null: the user is in no field of it. */
  text: string | null;
}

export function readAttention({ editor, live }: Session): Attention {
  const { selection, arrangement, ids } = editor.store.getState();
  const nodes = arrangement.nodes.filter(({ key }) => selection.includes(key));
  const selected = nodes.map(({ name }) => ({ name, id: idOfDeclaration(ids, name) }));
  return { selected, text: live.field.readText() };
}

/** Tells a user that someone else deleted what is selected here. What was being written in its form is shown. */
export function tellOfDeleted(session: Session, doc: Y.Doc, attention: Attention, seen: SeenTexts): void {
  const { live, editor, notify } = session;
  const { document, ids } = editor.store.getState();
  const left = new Set([...toDocument(document).declarations.keys()].map((name) => idOfDeclaration(ids, name)));
  const known = new Set(live.store.getState().lost.map(({ owner }) => owner));
  const deleted = attention.selected.filter(
    ({ name, id }) => seen.document.declarations.has(name) && !left.has(id) && !known.has(name),
  );
  const [first] = deleted;
  if (!first) return;
  const deleter = findDeleter(doc, first.name);
  const by = deleter === null ? null : findAuthor(doc, deleter);
  const { text } = attention;
  if (text !== null && attention.selected.length === 1) showWriting(session, { owner: first.name, by, text, seen });
  else notify.info(`${by ?? "Someone else"} deleted ${deleted.map(({ name }) => `"${name}"`).join(", ")}.`);
}

interface ClosedForm {
  owner: string;
  by: string | null;
  text: string;
  seen: SeenTexts;
}

function showWriting(session: Session, { owner, by, text, seen: { document, layout } }: ClosedForm): void {
  const type = document.declarations.get(owner)?.type;
  const before = type ? { source: document.text, layout, type } : null;
  showLost(session, [{ owner, by, isReplaced: false, field: null, text: text.trim(), before }]);
}
