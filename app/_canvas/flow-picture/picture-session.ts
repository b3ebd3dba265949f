import { createStore } from "zustand/vanilla";
import type { CanvasView } from "@/app/_canvas/state/canvas-session";
import type { Layout } from "@/lib/core/flow/edit";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { isNoteKey } from "@/lib/core/flow/note";
import { boxOf } from "../scene/notes";
import { createCameraPort } from "../state/camera";
import { createCanvasStore } from "../state/canvas-store";
import { type FlowState, readFlowState, toSelectionActions } from "../state/flow-state";
import { createNodeStatuses } from "../state/node-statuses";

export type PictureSession = ReturnType<typeof createPictureSession>;

interface PictureSource {
  source: string;
  layout: Layout;
  selected: NodeKey | null;
}

export function createPictureSession({ source, layout, selected }: PictureSource) {
  // Models and tools may differ from those of the run: only the text is checked.
  const store = createStore<FlowState>(() => readFlowState(source, layout, {}));
  const editor = { store, ...toSelectionActions(store) };
  const camera = createCameraPort();
  const canvas = createCanvasStore(editor);
  const view = createStore<CanvasView>(() => ({ active: null, drop: null }));
  let notifyListener: (key: NodeKey | null) => void = () => {};
  /** Unknown keys count as null. Does not notify the listener. */
  const show = (key: NodeKey | null): void => {
    const isOnCanvas = key !== null && !isNoteKey(key) && boxOf(store.getState(), key) !== undefined;
    editor.select(isOnCanvas ? [key] : []);
    if (isOnCanvas) camera.reveal(key);
  };
  show(selected);
  return {
    editor,
    camera,
    canvas,
    view,
    statuses: createNodeStatuses(),
    /** Selects a card and notifies the listener. A note only becomes active: notes take no part in a run. */
    choose(key: NodeKey | null): void {
      if (key !== null && isNoteKey(key)) view.setState({ active: { key, selection: store.getState().selection } });
      else {
        editor.select(key === null ? [] : [key]);
        view.setState({ active: null });
        notifyListener(key);
      }
    },
    show,
    listen(onSelect: (key: NodeKey | null) => void): void {
      notifyListener = onSelect;
    },
    start: canvas.follow,
  };
}
