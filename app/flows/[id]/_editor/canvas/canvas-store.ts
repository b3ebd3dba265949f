import { createStore, type StoreApi } from "zustand/vanilla";
import type { Editor, EditorState } from "../store/editor";
import { type Canvas, toCanvas } from "./canvas-mapping";

/** What React Flow is given: the picture of the editor's flow, and where cards are while they are dragged. */
export const createCanvasStore = (editor: Editor): StoreApi<Canvas> =>
  createStore<Canvas>(() => toCanvas(editor.store.getState()));

/** Keeps the picture in step with the flow until the returned function is called. */
export function followEditor(canvas: StoreApi<Canvas>, editor: Editor): () => void {
  canvas.setState(toCanvas(editor.store.getState(), canvas.getState()));
  return editor.store.subscribe((state, before) => {
    if (concernsCanvas(state, before)) canvas.setState(toCanvas(state, canvas.getState()));
  });
}

const concernsCanvas = (state: EditorState, before: EditorState): boolean =>
  state.flow !== before.flow ||
  state.arrangement !== before.arrangement ||
  state.problems !== before.problems ||
  state.selection !== before.selection ||
  state.edge !== before.edge;
