import type { ReactFlowInstance } from "@xyflow/react";
import type { DragEvent } from "react";
import { listInsertEntries } from "@/app/_kinds/registry";
import { whenEditable } from "../../state/editing/editing";
import { type DropPoint, planInsert } from "../../state/edits/drop-plan";
import type { Session } from "../../state/session";
import { findEdgeAt } from "./find-edge-at";

export const insertDragType = "application/x-swarmloom-node";
/** A note is not a node kind. */
export const noteId = "note";

type Viewport = Pick<ReactFlowInstance, "screenToFlowPosition" | "getZoom">;

/** Dropped on a link, a node is inserted between its ends; on a card or in a frame, next to a member; elsewhere at the end of the flow. */
export function insertDropHandlers({ actions, canvas, editor, view }: Session, viewport: Viewport) {
  const toCanvasPoint = ({ clientX: x, clientY: y }: DragEvent) => viewport.screenToFlowPosition({ x, y });
  const toPoint = (event: DragEvent): DropPoint => {
    const at = toCanvasPoint(event);
    const { arrangement } = editor.store.getState();
    return { ...at, edge: findEdgeAt({ arrangement, edges: canvas.getState().edges }, at, viewport.getZoom()) };
  };
  const clear = (): void => view.setState({ drop: null });
  return {
    onDragOver(event: DragEvent): void {
      if (!event.dataTransfer.types.includes(insertDragType)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      const pointer = { x: event.clientX, y: event.clientY };
      const { drop, draggedEntry } = view.getState();
      if (drop?.pointer.x === pointer.x && drop.pointer.y === pointer.y) return;
      const { preview } = planInsert(editor.store.getState(), toPoint(event));
      const shown =
        draggedEntry === noteId
          ? { words: "Add a note here", frame: "", edge: null, member: null, mark: null }
          : preview;
      view.setState({ drop: { ...shown, pointer, isMove: false } });
    },
    onDragLeave(event: DragEvent): void {
      const isInside = event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget);
      if (!isInside) clear();
    },
    onDrop(event: DragEvent): void {
      clear();
      const draggedId = event.dataTransfer.getData(insertDragType);
      const kind = listInsertEntries().find(({ id }) => id === draggedId);
      if (draggedId === noteId) {
        event.preventDefault();
        const position = toCanvasPoint(event);
        whenEditable(() => actions.addNote(position));
      }
      if (!kind) return;
      event.preventDefault();
      const { target } = planInsert(editor.store.getState(), toPoint(event));
      whenEditable(() => actions.insert(kind.toFragment(actions.usualModel()), target));
    },
  };
}
