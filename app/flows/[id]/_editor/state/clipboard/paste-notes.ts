import type { Edit } from "@/lib/core/flow/edit";
import { fitNote, listNotes, type Note, type Notes, noteKey } from "@/lib/core/flow/note";

const copyOffset = 24;

export function pasteNotes(
  notes: Notes | undefined,
  copied: readonly Note[],
  nextId: () => string,
): { edits: Edit[]; keys: string[] } {
  let all: Notes = notes ?? {};
  const edits: Edit[] = [];
  const keys: string[] = [];
  for (const copiedNote of copied) {
    const id = nextId();
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
