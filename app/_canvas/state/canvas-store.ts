import { createStore, type StoreApi } from "zustand/vanilla";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { findNote } from "@/lib/core/flow/note";
import { type Canvas, toCanvas } from "../mapping/canvas-mapping";
import { chooseStage, type Stage } from "../scene/detail-level";
import { indexNodes } from "../scene/node-index";
import { notesIn } from "../scene/notes";
import { sceneOf } from "../scene/scene";
import type { Box } from "../scene/view-box";
import type { FlowState } from "./flow-state";

/** What React Flow is given: the part of the flow's picture that is mounted, and where cards are while they are dragged. */
export interface CanvasState extends Canvas {
  /** Too much is seen for cards: one picture stands for all of it. */
  overview: boolean;
  /** The picture is drawn: instead of the cards, or until all of them are there. */
  covered: boolean;
  /** Cards still to be mounted. */
  waiting: number;
}

export interface CanvasStore extends StoreApi<CanvasState> {
  /** The part of the flow that is seen now, in canvas pixels. */
  look(view: Box): void;
  /** That part; null before there is a canvas. */
  seen(): Box | null;
  /** These nodes, the frames round them, and notes stay mounted wherever the view goes, until others are held. */
  hold(keys: readonly NodeKey[]): void;
  /** Keeps the picture in step with the flow until the returned function is called. */
  follow(): () => void;
}

interface CanvasSource {
  store: StoreApi<FlowState>;
}

/** More cards than this in one frame would make it long. */
const mostPerFrame = 40;
/** Cards that zooming brings are mounted once it has paused for so long; until then the picture stands for them. */
const restMs = 120;

/** Begins with nothing: what is mounted depends on the view. */
export function createCanvasStore(editor: CanvasSource): CanvasStore {
  const mounted: ReadonlySet<NodeKey> = new Set();
  const store = createStore<CanvasState>(() => ({
    ...toCanvas({ ...inputOf(editor), mounted }),
    overview: false,
    covered: false,
    waiting: 0,
  }));
  let view: Box | null = null;
  let stage: Stage | null = null;
  let held: readonly NodeKey[] = [];
  let frame = 0;
  let rest: ReturnType<typeof setTimeout> | undefined;

  const update = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(rest);
    if (!view) return;
    const state = inputOf(editor);
    const before = store.getState();
    const isMoved = before.input?.arrangement !== state.arrangement;
    const { notes } = state;
    const papers = notesIn(notes, view).length;
    stage = chooseStage(sceneOf(state.arrangement), view, isMoved && stage?.type === "cards" ? null : stage, papers);
    const near = stage.type === "cards" ? notesIn(notes, stage.area).map(({ key }) => key) : [];
    const wanted = stage.type === "cards" ? [...stage.keys, ...near, ...held] : held;
    const nodes = indexNodes(state.arrangement);
    const isThere = (key: NodeKey): boolean => nodes.has(key) || findNote(notes, key) !== undefined;
    const next = mountSome(wanted, before.input?.mounted ?? mounted, isThere);
    const overview = stage.type === "overview";
    store.setState({
      ...toCanvas({ ...state, mounted: next.mounted }, before),
      overview,
      covered: overview || (before.covered && next.waiting > 0),
      waiting: next.waiting,
    });
    if (next.waiting > 0) frame = requestAnimationFrame(update);
  };

  return {
    ...store,
    look(now) {
      const isZooming = view !== null && view.width !== now.width;
      view = now;
      const { arrangement, notes } = inputOf(editor);
      const next = chooseStage(sceneOf(arrangement), now, stage, notesIn(notes, now).length);
      if (next === stage) return;
      if (!isZooming || next.type === "overview") return update();
      if (!store.getState().covered) store.setState({ covered: true });
      clearTimeout(rest);
      rest = setTimeout(update, restMs);
    },
    seen: () => view,
    hold(keys) {
      held = withFrames(keys, indexNodes(editor.store.getState().arrangement));
      update();
    },
    follow() {
      update();
      const stop = editor.store.subscribe((state, before) => {
        if (concernsCanvas(state, before)) update();
      });
      return () => {
        stop();
        cancelAnimationFrame(frame);
        clearTimeout(rest);
      };
    },
  };
}

/** What is mounted next: of `wanted` all that is there already, and some more. The same set when nothing changes. */
export function mountSome(
  wanted: readonly NodeKey[],
  mounted: ReadonlySet<NodeKey>,
  isThere: (key: NodeKey) => boolean,
): { mounted: ReadonlySet<NodeKey>; waiting: number } {
  const next = new Set<NodeKey>();
  let [fresh, waiting] = [0, 0];
  for (const key of wanted) {
    if (next.has(key) || !isThere(key)) continue;
    if (mounted.has(key)) next.add(key);
    else if (fresh < mostPerFrame) {
      next.add(key);
      fresh++;
    } else waiting++;
  }
  return { mounted: fresh === 0 && next.size === mounted.size ? mounted : next, waiting };
}

/** What the picture is drawn from. */
const inputOf = ({ store }: CanvasSource) => {
  const state = store.getState();
  return { ...state, notes: state.layout.notes };
};

/** Each key after the frames round it. */
function withFrames(keys: readonly NodeKey[], nodes: ReturnType<typeof indexNodes>): NodeKey[] {
  const all: NodeKey[] = [];
  for (const key of keys) {
    const line: NodeKey[] = [];
    for (let node = nodes.get(key); node; node = node.parent === undefined ? undefined : nodes.get(node.parent))
      line.unshift(node.key);
    all.push(...(line.length > 0 ? line : [key]));
  }
  return all;
}

const concernsCanvas = (state: FlowState, before: FlowState): boolean =>
  state.flow !== before.flow ||
  state.arrangement !== before.arrangement ||
  state.layout.notes !== before.layout.notes ||
  state.problems !== before.problems ||
  state.selection !== before.selection ||
  state.edge !== before.edge;
