import type { Edit } from "@/lib/core/flow/edit";
import {
  fitNote,
  freeNoteId,
  listNotes,
  type Note,
  type Notes,
  noteKey,
  noteLimits,
  noteSchema,
} from "@/lib/core/flow/note";
import { findJsonAs } from "@/lib/core/flow/parse-json";

/** Copied notes are comments, so that a copied fragment stays a valid flow file. */
const mark = "# Note ";

export const writeNotes = (notes: readonly Note[]): string =>
  notes
    .map(({ x, y, width, height, text, color }) => `${mark}${JSON.stringify({ x, y, width, height, text, color })}\n`)
    .join("");

export function readNotes(text: string): { notes: Note[]; text: string } {
  const lines = text.split("\n");
  const notes = lines
    .filter((line) => line.startsWith(mark))
    .slice(0, noteLimits.count)
    .flatMap((line) => findJsonAs(line.slice(mark.length), noteSchema) ?? []);
  const otherLines = lines.filter((line) => !line.startsWith(mark));
  const isEmpty = otherLines.every((line) => line.trim() === "" || line.startsWith("#"));
  return { notes, text: notes.length > 0 && isEmpty ? "" : otherLines.join("\n") };
}

const copyOffset = 24;

export function pasteNotes(notes: Notes | undefined, copied: readonly Note[]): { edits: Edit[]; keys: string[] } {
  let all: Notes = notes ?? {};
  const edits: Edit[] = [];
  const keys: string[] = [];
  for (const copiedNote of copied) {
    const id = freeNoteId(all);
    const note = beside(copiedNote, all);
    all = { ...all, [id]: note };
    edits.push({ type: "add-note", id, note });
    keys.push(noteKey(id));
  }
  return { edits, keys };
}

function beside(note: Note, all: Notes): Note {
  const isTaken = ({ x, y }: Note): boolean =>
    listNotes(all).some((otherNote) => otherNote.x === x && otherNote.y === y);
  let moved = fitNote(note);
  while (isTaken(moved)) moved = { ...moved, x: moved.x + copyOffset, y: moved.y + copyOffset };
  return fitNote(moved);
}
