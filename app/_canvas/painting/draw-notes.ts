import { listNotes, titleOfNote } from "@/lib/core/flow/note";
import { notesIn } from "../scene/notes";
import type { Picture } from "./draw-scene";

/** Smallest width on screen, in CSS pixels, at which the first words can be read. */
const readable = 60;

/** Notes lie behind everything: coloured boxes, with their first words where there is room. */
export function drawNotes({ context, notes, colors, selection, viewport, width, height, held }: Picture): void {
  const { x, y, zoom } = viewport;
  const view = { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom };
  for (const note of held ? listNotes(notes) : notesIn(notes, view)) {
    const away = held?.keys.has(note.key) ? held : none;
    const [left, top] = [(note.x + away.dx) * zoom + x, (note.y + away.dy) * zoom + y];
    const [wide, high] = [Math.max(note.width * zoom, 2), Math.max(note.height * zoom, 2)];
    const isSelected = selection.has(note.key);
    context.fillStyle = colors.notes[note.color];
    context.fillRect(left, top, wide, high);
    context.strokeStyle = isSelected ? colors.accent : colors.line;
    context.lineWidth = isSelected ? 2 : 1;
    context.strokeRect(left, top, wide, high);
    if (wide < readable || high < 14) continue;
    context.font = '11px "Inter Variable", sans-serif';
    context.textBaseline = "middle";
    context.fillStyle = colors.text;
    const fits = Math.floor((wide - 10) / 6);
    const words = titleOfNote(note);
    context.fillText(
      words.length > fits ? `${words.slice(0, fits - 1)}…` : words,
      left + 5,
      top + Math.min(12, high / 2),
    );
  }
}

const none = { dx: 0, dy: 0 };
