import { createStore } from "zustand/vanilla";
import type { CanvasView } from "@/app/_canvas/state/canvas-session";
import { findFoldsAround, foldInLayout, type Layout } from "@/lib/core/flow/edit";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { isNoteKey } from "@/lib/core/flow/note";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { readSource } from "@/lib/core/source/read-source";
import { boxOf } from "../scene/notes";
import { createCameraPort } from "../state/camera";
import { createCanvasStore } from "../state/canvas-store";
import { type FlowState, startFlowState, toCanvasActions } from "../state/flow-state";
import { createNodeStatuses } from "../state/node-statuses";

export type PictureSession = ReturnType<typeof createPictureSession>;

interface PictureSource {
  source: string;
  layout: Layout;
  selected: NodeKey | null;
}

export function createPictureSession({ source, layout, selected }: PictureSource) {
  // Models and tools may differ from those of the run: only the text is checked.
  const store = createStore<FlowState>(() => startFlowState(readSource(source, {}), layout));
  const editor = { store, ...toCanvasActions(store) };
  const camera = createCameraPort();
  const canvas = createCanvasStore(editor);
  const view = createStore<CanvasView>(() => ({ active: null, drop: null }));
  /** Until the picture is closed: what is stored stays. */
  const fold = (keys: readonly NodeKey[], isFolded: boolean): void => {
    const { flow, layout: before, arrangeOptions, selection } = store.getState();
    if (keys.length === 0) return;
    const next = foldInLayout(before, keys, isFolded);
    const arrangement = arrangeFlow(flow, next, arrangeOptions);
    const shown = new Set(arrangement.nodes.map(({ key }) => key));
    store.setState({ layout: next, arrangement, selection: selection.filter((key) => shown.has(key)) });
  };
  let notifyListener: (key: NodeKey | null) => void = () => {};
  /** Unknown keys count as null. Does not notify the listener. */
  const show = (key: NodeKey | null): void => {
    if (key !== null) fold(findFoldsAround(store.getState().layout, key), false);
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
    fold,
    listen(onSelect: (key: NodeKey | null) => void): void {
      notifyListener = onSelect;
    },
    start: canvas.follow,
  };
}
