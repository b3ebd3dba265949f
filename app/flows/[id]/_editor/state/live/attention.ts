import type * as Y from "yjs";
import type { Edit } from "@/lib/core/flow/edit";
import { findAuthor } from "@/lib/core/live/authors";
import { findDeletion } from "@/lib/core/live/deleted-entries";
import type { SourceDocument } from "@/lib/core/source/read/source-document";
import { getEditing, toDocument } from "../editing/editing";
import { idOfDeclaration } from "../editor/follow-renames";
import type { Session } from "../session";
import type { LostWriting, OpenText } from "./live";
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
  text: OpenText | null;
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
  const deleted = attention.selected.filter(({ name, id }) => seen.document.declarations.has(name) && !left.has(id));
  const [first] = deleted;
  if (!first) return;
  const deletion = findDeletion(doc, first.name);
  // Names that were given at once may take its id away, though it is there under one of them.
  const isRenamed = [...toDocument(document).declarations.keys()].some((name) => !seen.document.declarations.has(name));
  if (!deletion && isRenamed) return;
  const by = deletion && findAuthor(doc, deletion.by);
  const { text } = attention;
  if (text !== null && attention.selected.length === 1) {
    goOnWriting(session, { owner: first.name, by, text, seen, entry: deletion?.entry ?? null });
    return;
  }
  const known = new Set(live.store.getState().lost.map(({ owner }) => owner));
  const told = deleted.filter(({ name }) => !known.has(name));
  if (told.length > 0)
    notify.info(`${by ?? "Someone else"} deleted ${told.map(({ name }) => `"${name}"`).join(", ")}.`);
}

interface ClosedForm {
  owner: string;
  by: string | null;
  text: OpenText;
  seen: SeenTexts;
  /** The key of the note of the deletion; null: there is none. */
  entry: string | null;
}

/** Lets the user write on in the text of a form that is gone: see `LostField`. */
function goOnWriting({ live }: Session, { owner, by, text: { text, caret }, seen, entry }: ClosedForm): void {
  const { document, layout } = seen;
  const { lost } = live.store.getState();
  const isSame = (one: LostWriting): boolean => one.owner === owner && one.text === text.trim();
  const type = document.declarations.get(owner)?.type;
  const before = type ? { source: document.text, layout, type } : null;
  const field = findFieldOf(document, owner, text);
  // Who deleted it knew all of it.
  const unknown = entry !== null && { unknown: { entry, base: text, text, gone: [] } };
  const writing = lost.find(isSame) ?? { owner, by, isReplaced: false, field, text, before, ...unknown };
  live.store.setState({ lost: [...lost.filter((one) => !isSame(one)), { ...writing, text, caret }] });
}

/** The field of a declaration that has a text. */
function findFieldOf(document: SourceDocument, owner: string, text: string): Edit | null {
  const { findTextAt, readField } = getEditing();
  const range = document.rangeOf(owner);
  const [line = ""] = text.trim().split("\n");
  if (document.broken || !range || line === "") return null;
  for (
    let at = document.text.indexOf(line, range.from);
    at >= 0 && at < range.to;
    at = document.text.indexOf(line, at + 1)
  ) {
    const field = findTextAt(document, { from: at, to: at });
    if (field && readField(document, field).trim() === text.trim()) return field;
  }
  return null;
}

/** Changes a text that the user goes on writing. */
export function writeLost({ live }: Pick<Session, "live">, writing: LostWriting, next: OpenText): void {
  const { lost } = live.store.getState();
  live.store.setState({ lost: lost.map((one) => (one === writing ? { ...one, ...next } : one)) });
}

/** The text is in the flow again, and is written there. */
export function endWriting({ live }: Pick<Session, "live">, writing: LostWriting): void {
  const { lost } = live.store.getState();
  live.store.setState({
    lost: lost.map((one) => {
      const { caret, ...ended } = one;
      return one === writing ? ended : one;
    }),
  });
}
