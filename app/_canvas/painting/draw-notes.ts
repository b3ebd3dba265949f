import type { NodeKey } from "@/lib/core/flow/node-key";
import { listNotes, titleOfNote } from "@/lib/core/flow/note";
import { type CanvasBox, toScreenBox } from "@/lib/core/layout/scene/canvas-box";
import { findNotesIn } from "../scene/notes";
import type { SceneDrawing, Viewpoint } from "./scene-drawing";

const minReadableWidth = 60;

export function drawNotes(drawing: SceneDrawing, view: CanvasBox): void {
  const { context, notes, colors, selection, dragged } = drawing;
  for (const note of dragged ? listNotes(notes) : findNotesIn(notes, view)) {
    const box = toPaintedBox(drawing, note);
    const [width, height] = [Math.max(box.width, 2), Math.max(box.height, 2)];
    const isSelected = selection.has(note.key);
    context.fillStyle = colors.notes[note.color];
    context.fillRect(box.x, box.y, width, height);
    context.strokeStyle = isSelected ? colors.accent : colors.line;
    context.lineWidth = isSelected ? 2 : 1;
    context.strokeRect(box.x, box.y, width, height);
    if (width < minReadableWidth || height < 14) continue;
    context.font = '11px "Inter Variable", sans-serif';
    context.textBaseline = "middle";
    context.fillStyle = colors.text;
    const title = truncate(titleOfNote(note), Math.floor((width - 10) / 6));
    context.fillText(title, box.x + 5, box.y + Math.min(12, height / 2));
  }
}

/** A dragged node or note follows the pointer. */
export function toPaintedBox(drawing: Viewpoint, item: CanvasBox & { key: NodeKey }): CanvasBox {
  const { dragged } = drawing;
  const box = toScreenBox(item, drawing);
  if (!dragged?.keys.has(item.key)) return box;
  return { ...box, x: box.x + dragged.dx * drawing.zoom, y: box.y + dragged.dy * drawing.zoom };
}

/** At least one character remains. */
export const truncate = (text: string, maxLength: number): string =>
  text.length > maxLength ? `${text.slice(0, Math.max(1, maxLength - 1))}…` : text;
