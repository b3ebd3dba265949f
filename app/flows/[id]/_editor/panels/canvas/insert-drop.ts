import type { DragEvent } from "react";
import { listInsertEntries } from "@/app/_kinds/registry";
import type { InsertTarget } from "../../state/edits/insert-target";
import type { Session } from "../../state/session";

export const insertDragType = "application/x-swarmloom-node";
/** A note is not a node kind. */
export const noteId = "note";

type ToCanvas = (point: { x: number; y: number }) => { x: number; y: number };

/** Dropped on a link, a node is inserted between its ends; on a card, after it; elsewhere at the end of the flow. */
export const insertDropHandlers = ({ actions }: Session, toCanvas: ToCanvas) => ({
  onDragOver(event: DragEvent): void {
    if (!event.dataTransfer.types.includes(insertDragType)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
  },
  onDrop(event: DragEvent): void {
    const draggedId = event.dataTransfer.getData(insertDragType);
    const kind = listInsertEntries().find(({ id }) => id === draggedId);
    if (draggedId === noteId) {
      event.preventDefault();
      actions.addNote(toCanvas({ x: event.clientX, y: event.clientY }));
    }
    if (!kind) return;
    event.preventDefault();
    actions.insert(kind.toFragment(actions.usualModel()), findTarget(event.clientX, event.clientY));
  },
});

function findTarget(x: number, y: number): InsertTarget {
  for (const element of document.elementsFromPoint(x, y)) {
    const edge = element.closest<SVGElement>(".react-flow__edge")?.dataset.id;
    if (edge !== undefined) return { type: "edge", key: edge };
    const card = element.closest<HTMLElement>(".react-flow__node")?.dataset.id;
    if (card !== undefined) return { type: "after", keys: [card] };
  }
  return { type: "after", keys: [] };
}
