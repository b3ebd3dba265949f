import type { EditOf } from "../../flow/edit";
import { type Notes, noteLimits } from "../../flow/note";
import { EditRefused, type EditTransaction } from "./edit-transaction";

type NoteEdit = EditOf<"add-note" | "change-note" | "remove-note">;

/** Adds, changes or removes a note of the layout; the text stays as it is. */
export function editNote(transaction: EditTransaction, edit: NoteEdit): undefined {
  const notes = transaction.layout.notes ?? {};
  transaction.layout = { ...transaction.layout, notes: toNotes(notes, edit) };
}

function toNotes(notes: Notes, edit: NoteEdit): Notes {
  const existingNote = Object.hasOwn(notes, edit.id) ? notes[edit.id] : undefined;
  if (edit.type === "add-note") {
    if (existingNote) throw new EditRefused("name-taken", `There is a note "${edit.id}" already. Choose another id.`);
    if (Object.keys(notes).length >= noteLimits.count)
      throw new EditRefused("too-large", `A flow holds at most ${noteLimits.count} notes. Delete some of them first.`);
    return { ...notes, [edit.id]: edit.note };
  }
  if (!existingNote) throw new EditRefused("unknown-name", "That note is not on the canvas any more.");
  if (edit.type === "change-note") return { ...notes, [edit.id]: { ...existingNote, ...definedOf(edit.change) } };
  const { [edit.id]: _, ...otherNotes } = notes;
  return otherNotes;
}

/** Omits fields whose value is undefined. */
const definedOf = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
