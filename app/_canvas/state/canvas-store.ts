import { createStore, type StoreApi } from "zustand/vanilla";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { findNote } from "@/lib/core/flow/note";
import type { CanvasBox } from "@/lib/core/layout/scene/canvas-box";
import { indexNodes, lineageOf } from "@/lib/core/layout/scene/node-index";
import { sceneOf } from "@/lib/core/layout/scene/scene";
import { type CanvasGraph, toCanvas } from "../mapping/canvas-mapping";
import { chooseDetailLevel, type DetailLevel } from "../scene/detail-level";
import { findNotesIn } from "../scene/notes";
import type { FlowState } from "./flow-state";

export interface CanvasState extends CanvasGraph {
  /** Too many nodes are in view for cards: one painted picture replaces them. */
  overview: boolean;
  /** The painted picture is visible: instead of the cards, or until all of them are mounted. */
  covered: boolean;
  waiting: number;
}

/** Whether all that the view shows is mounted, or painted. */
export const isDrawn = ({ overview, nodes, waiting }: CanvasState): boolean =>
  overview || (nodes.length > 0 && waiting === 0);

export interface CanvasStore extends StoreApi<CanvasState> {
  setVisibleArea(area: CanvasBox): void;
  /** Null before the canvas has a size. */
  visibleArea(): CanvasBox | null;
  /** These nodes, their enclosing frames, and notes stay mounted wherever the view goes, until the next call. */
  keepMounted(keys: readonly NodeKey[]): void;
  /** Synchronizes with the flow until the returned function is called. */
  follow(): () => void;
}

interface CanvasSource {
  store: StoreApi<FlowState>;
}

/** More cards than this in one frame would make it long. */
const maxPerFrame = 40;
/** Cards that zooming brings are mounted once it has paused for this time; until then the painted picture covers them. */
const zoomPauseMs = 120;

export function createCanvasStore(editor: CanvasSource): CanvasStore {
  const store = createStore<CanvasState>(() => ({
    ...toCanvas({ ...inputOf(editor), mounted: noKeys }),
    overview: false,
    covered: false,
    waiting: 0,
  }));
  let area: CanvasBox | null = null;
  let detail: DetailLevel | null = null;
  let pinned: readonly NodeKey[] = [];
  let frame = 0;
  let zoomPause: ReturnType<typeof setTimeout> | undefined;

  const stop = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(zoomPause);
  };
  const update = (): void => {
    stop();
    if (!area) return;
    const input = inputOf(editor);
    const previous = store.getState();
    const isRearranged = previous.input?.arrangement !== input.arrangement;
    const current = isRearranged && detail?.type === "cards" ? null : detail;
    detail = chooseDetail(input, area, current);
    const next = toCanvasState(input, previous, detail, pinned);
    store.setState(next);
    if (next.waiting > 0) frame = requestAnimationFrame(update);
  };

  return {
    ...store,
    setVisibleArea(nextArea) {
      const isZooming = area !== null && area.width !== nextArea.width;
      area = nextArea;
      const next = chooseDetail(inputOf(editor), area, detail);
      if (next === detail) return;
      if (!isZooming || next.type === "overview") return update();
      if (!store.getState().covered) store.setState({ covered: true });
      clearTimeout(zoomPause);
      zoomPause = setTimeout(update, zoomPauseMs);
    },
    visibleArea: () => area,
    keepMounted(keys) {
      const nodes = indexNodes(editor.store.getState().arrangement);
      pinned = keys.flatMap((key) => [...lineageOf(nodes, key).map((node) => node.key), key]);
      update();
    },
    follow() {
      update();
      const unsubscribe = editor.store.subscribe((state, before) => {
        if (changesCanvas(state, before)) update();
      });
      return () => {
        unsubscribe();
        stop();
      };
    },
  };
}

const noKeys: ReadonlySet<NodeKey> = new Set();

type CanvasContent = ReturnType<typeof inputOf>;

const chooseDetail = ({ arrangement, notes }: CanvasContent, area: CanvasBox, before: DetailLevel | null) =>
  chooseDetailLevel(sceneOf(arrangement), area, before, findNotesIn(notes, area).length);

function toCanvasState(
  input: CanvasContent,
  previous: CanvasState,
  detail: DetailLevel,
  pinned: readonly NodeKey[],
): CanvasState {
  const { arrangement, notes } = input;
  const visibleKeys =
    detail.type === "cards" ? [...detail.keys, ...findNotesIn(notes, detail.area).map(({ key }) => key)] : [];
  const nodes = indexNodes(arrangement);
  const exists = (key: NodeKey): boolean => nodes.has(key) || findNote(notes, key) !== undefined;
  const { mounted, waiting } = mountSome([...visibleKeys, ...pinned], previous.input?.mounted ?? noKeys, exists);
  const overview = detail.type === "overview";
  const covered = overview || (previous.covered && waiting > 0);
  return { ...toCanvas({ ...input, mounted }, previous), overview, covered, waiting };
}

/** Returns the keys of `required` that are mounted already, and some more. The same set when nothing changes. */
export function mountSome(
  required: readonly NodeKey[],
  mounted: ReadonlySet<NodeKey>,
  exists: (key: NodeKey) => boolean,
): { mounted: ReadonlySet<NodeKey>; waiting: number } {
  const next = new Set<NodeKey>();
  let [added, waiting] = [0, 0];
  for (const key of required) {
    if (next.has(key) || !exists(key)) continue;
    if (mounted.has(key)) next.add(key);
    else if (added < maxPerFrame) {
      next.add(key);
      added++;
    } else waiting++;
  }
  return { mounted: added === 0 && next.size === mounted.size ? mounted : next, waiting };
}

const inputOf = ({ store }: CanvasSource) => {
  const state = store.getState();
  return { ...state, notes: state.layout.notes };
};

const changesCanvas = (state: FlowState, before: FlowState): boolean =>
  state.flow !== before.flow ||
  state.arrangement !== before.arrangement ||
  state.layout.notes !== before.layout.notes ||
  state.problems !== before.problems ||
  state.selection !== before.selection ||
  state.edge !== before.edge;
