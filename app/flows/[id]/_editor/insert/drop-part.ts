import type { DragEvent } from "react";
import type { InsertTarget } from "../canvas/insert-target";
import type { Session } from "../session";
import { insertKinds } from "./insert-kinds";

/** What a dragged part says of itself. */
export const partDragType = "application/x-swarmloom-part";

/** Lets a new part be dropped on the canvas: on a link it comes in between, on a card behind it, elsewhere at the end. */
export const partDrops = ({ commands }: Session) => ({
  onDragOver(event: DragEvent): void {
    if (!event.dataTransfer.types.includes(partDragType)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
  },
  onDrop(event: DragEvent): void {
    const kind = insertKinds.find(({ id }) => id === event.dataTransfer.getData(partDragType));
    if (!kind) return;
    event.preventDefault();
    commands.insert(kind.toFragment(commands.usualModel()), findTarget(event.clientX, event.clientY));
  },
});

/** What lies at a point of the screen. */
function findTarget(x: number, y: number): InsertTarget {
  for (const element of document.elementsFromPoint(x, y)) {
    const edge = element.closest<SVGElement>(".react-flow__edge")?.dataset.id;
    if (edge !== undefined) return { type: "edge", key: edge };
    const card = element.closest<HTMLElement>(".react-flow__node")?.dataset.id;
    if (card !== undefined) return { type: "after", keys: [card] };
  }
  return { type: "after", keys: [] };
}
