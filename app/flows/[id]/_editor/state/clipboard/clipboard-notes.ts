import { type Note, noteLimits } from "@/lib/core/flow/note";
import { findJsonAs } from "@/lib/core/flow/parse-json";
import { noteSchema } from "@/lib/core/flow/schemas/note-schema";

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
