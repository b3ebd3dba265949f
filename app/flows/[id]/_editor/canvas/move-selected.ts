import type { Edit, Layout } from "@/lib/core/flow/edit";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { findNote } from "@/lib/core/flow/note";
import type { Session } from "../state/session";
import { outermost, pinMoved } from "./gestures";
import { indexNodes } from "./node-index";
import { growNotes, moveNotes } from "./notes";

interface Moved {
  key: NodeKey;
  dx: number;
  dy: number;
}

/** Cards and notes at their new places: cards by pins, notes as they lie. */
export const moveEdits = ({ pins, notes }: Layout, moved: readonly Moved[]): Edit[] => [
  ...pinMoved(
    pins,
    moved.filter(({ key }) => !findNote(notes, key)),
  ),
  ...moveNotes(notes, moved),
];

/** Moves all that is selected by so many canvas pixels: one step of undo. */
export function moveSelected({ editor, commands }: Session, dx: number, dy: number): void {
  const { arrangement, selection, layout } = editor.store.getState();
  const cards = outermost(indexNodes(arrangement), selection).map(({ key }) => key);
  const notes = selection.filter((key) => findNote(layout.notes, key));
  const edits = moveEdits(
    layout,
    [...cards, ...notes].map((key) => ({ key, dx, dy })),
  );
  if (edits.length > 0) commands.edit(...edits);
}

/** Makes the selected notes larger by so many canvas pixels: one step of undo. */
export function resizeSelected({ editor, commands }: Session, dx: number, dy: number): void {
  const { layout, selection } = editor.store.getState();
  const edits = growNotes(layout.notes, selection, { dx, dy });
  if (edits.length > 0) commands.edit(...edits);
}
