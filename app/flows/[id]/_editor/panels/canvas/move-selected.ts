import { findNote } from "@/lib/core/flow/note";
import { indexNodes } from "@/lib/core/layout/scene/node-index";
import { outermost } from "../../state/edits/node-edits";
import { growNotes, toPositionEdits } from "../../state/edits/position-edits";
import type { Session } from "../../state/session";

export function moveSelected({ editor, actions }: Session, dx: number, dy: number): void {
  const { arrangement, selection, layout } = editor.store.getState();
  const cards = outermost(indexNodes(arrangement), selection).map(({ key }) => key);
  const notes = selection.filter((key) => findNote(layout.notes, key));
  const edits = toPositionEdits(
    layout,
    [...cards, ...notes].map((key) => ({ key, dx, dy })),
  );
  if (edits.length > 0) actions.edit(...edits);
}

export function resizeSelected({ editor, actions }: Session, dx: number, dy: number): void {
  const { layout, selection } = editor.store.getState();
  const edits = growNotes(layout.notes, selection, { dx, dy });
  if (edits.length > 0) actions.edit(...edits);
}
