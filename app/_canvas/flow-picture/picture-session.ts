import { createStore } from "zustand/vanilla";
import type { CanvasSession, CanvasView } from "@/app/_canvas/state/canvas-session";
import type { Layout } from "@/lib/core/flow/edit";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { isNoteKey } from "@/lib/core/flow/note";
import { boxOf } from "../scene/notes";
import { createCameraPort } from "../state/camera";
import { createCanvasStore } from "../state/canvas-store";
import { type FlowState, readFlowState, toSelectionActions } from "../state/flow-state";
import { createNodeStatuses } from "../state/node-statuses";

/** A flow that is looked at: nothing in it can be changed, and nothing is written anywhere. */
export interface PictureSession extends CanvasSession {
  /**
   * Somebody chose a card, or by null let go of it: it is selected, and whoever listens hears of it. A note is gone to and
   * not selected, for nothing but the flow has a part in a run.
   */
  choose(key: NodeKey | null): void;
  /** Selects a card and brings it into view; what is not on the canvas counts as null. Nobody hears of it. */
  show(key: NodeKey | null): void;
  /** Who hears of what is chosen, from now on. */
  listen(onSelect: (key: NodeKey | null) => void): void;
  /** Keeps the canvas in step with what is looked at until the returned function is called. */
  start(): () => void;
}

interface PictureSource {
  source: string;
  layout: Layout;
  /** Is in view from the beginning. */
  selected: NodeKey | null;
}

export function createPictureSession({ source, layout, selected }: PictureSource): PictureSession {
  // Models and tools may be others by now than when it ran: only the text is checked.
  const store = createStore<FlowState>(() => readFlowState(source, layout, {}));
  const editor = { store, ...toSelectionActions(store) };
  const canvas = createCanvasStore(editor);
  const view = createStore<CanvasView>(() => ({ active: null, drop: null }));
  let notifyListener: (key: NodeKey | null) => void = () => {};
  const show = (key: NodeKey | null): void => {
    const isOnCanvas = key !== null && !isNoteKey(key) && boxOf(store.getState(), key) !== undefined;
    editor.select(isOnCanvas ? [key] : []);
    if (isOnCanvas) editor.reveal(key);
  };
  show(selected);
  return {
    editor,
    camera: createCameraPort(),
    canvas,
    view,
    statuses: createNodeStatuses(),
    choose(key) {
      if (key !== null && isNoteKey(key)) view.setState({ active: { key, selection: store.getState().selection } });
      else {
        editor.select(key === null ? [] : [key]);
        view.setState({ active: null });
        notifyListener(key);
      }
    },
    show,
    listen(onSelect) {
      notifyListener = onSelect;
    },
    start: canvas.follow,
  };
}
