import { listNotes, titleOfNote } from "@/lib/core/flow/note";
import { findNotesIn } from "../scene/notes";
import type { SceneDrawing } from "./scene-drawing";

const minReadableWidth = 60;

export function drawNotes({ context, notes, colors, selection, viewport, width, height, dragged }: SceneDrawing): void {
  const { x, y, zoom } = viewport;
  const view = { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom };
  for (const note of dragged ? listNotes(notes) : findNotesIn(notes, view)) {
    const away = dragged?.keys.has(note.key) ? dragged : noOffset;
    const [noteX, noteY] = [(note.x + away.dx) * zoom + x, (note.y + away.dy) * zoom + y];
    const [noteWidth, noteHeight] = [Math.max(note.width * zoom, 2), Math.max(note.height * zoom, 2)];
    const isSelected = selection.has(note.key);
    context.fillStyle = colors.notes[note.color];
    context.fillRect(noteX, noteY, noteWidth, noteHeight);
    context.strokeStyle = isSelected ? colors.accent : colors.line;
    context.lineWidth = isSelected ? 2 : 1;
    context.strokeRect(noteX, noteY, noteWidth, noteHeight);
    if (noteWidth < minReadableWidth || noteHeight < 14) continue;
    context.font = '11px "Inter Variable", sans-serif';
    context.textBaseline = "middle";
    context.fillStyle = colors.text;
    const fits = Math.floor((noteWidth - 10) / 6);
    const words = titleOfNote(note);
    context.fillText(
      words.length > fits ? `${words.slice(0, fits - 1)}…` : words,
      noteX + 5,
      noteY + Math.min(12, noteHeight / 2),
    );
  }
}

const noOffset = { dx: 0, dy: 0 };
