import type { Note } from "../../../../flow/note";
import type { Palette } from "./palettes";
import { paragraph, rect } from "./svg-shapes";

/** The text layout of a note, as on the canvas. */
const noteText = { side: 12, top: 10, size: 12, line: 18 } as const;

export function drawNote(note: Note, palette: Palette): string {
  const { side, top, size, line } = noteText;
  const rows = Math.max(1, Math.floor((note.height - 2 * top) / line));
  const paper = rect(note, `rx="4" fill="${palette.notes[note.color]}" stroke="${palette.line}"`);
  const style = { x: note.x + side, y: note.y + top + 13, width: note.width - 2 * side, size, line };
  return `<g>${paper}${paragraph(note.text, rows, { ...style, fill: palette.text })}</g>`;
}
