import { useReactFlow, useStoreApi } from "@xyflow/react";
import type { MouseEvent as ReactMouseEvent, PointerEvent as ReactPointerEvent } from "react";
import type { StoreApi } from "zustand/vanilla";
import type { NodeKey } from "@/lib/core/flow/keys";
import type { Session } from "../session";
import { useSession } from "../session-context";
import { moveSelected } from "./move-selected";
import { noteAt, notesIn } from "./notes";
import type { Overlay } from "./overlay";
import { sceneOf } from "./scene";
import { cameraDuration } from "./use-camera";
import type { Box } from "./view-box";

/** Pixels on screen that a pointer moves before a click becomes a drag. */
const dragThreshold = 4;
/** Header of a frame: in canvas pixels, and what of it is needed on screen. */
const header = { height: 36, onScreen: 20 };
/** How much a double click between nodes comes nearer. */
const zoomStep = 2.5;

interface Point {
  x: number;
  y: number;
}

/** The pointer's part of the overview: it has no elements, so everything works on the arrangement. */
export function useOverviewGestures(overlay: StoreApi<Overlay>) {
  const session = useSession();
  const flow = useStoreApi();
  const { screenToFlowPosition, setViewport } = useReactFlow();
  const findAt = (event: { clientX: number; clientY: number }) => {
    const { x, y } = screenToFlowPosition({ x: event.clientX, y: event.clientY });
    const { arrangement, layout } = session.editor.store.getState();
    const headerHeight = Math.max(header.height, header.onScreen / flow.getState().transform[2]);
    return sceneOf(arrangement).findAt(x, y, headerHeight) ?? noteAt(layout.notes, x, y);
  };

  return {
    /** True: the press belongs to the overview, and nobody else has to deal with it. */
    press(event: ReactPointerEvent<HTMLDivElement>): boolean {
      const pane = findPane(event);
      if (!pane || !session.canvas.getState().overview || event.button !== 0 || !event.isPrimary) return false;
      const pans = event.pointerType === "touch" || pane.classList.contains("draggable");
      follow(event.nativeEvent, pane, {
        start: screenToFlowPosition({ x: event.clientX, y: event.clientY }),
        toCanvas: (at) => screenToFlowPosition({ x: at.clientX, y: at.clientY }, { snapToGrid: false }),
        gesture: pans ? onlyClick(session, findAt(event)) : toGesture(session, overlay, findAt(event)?.key ?? null),
      });
      return !pans;
    },
    point(event: ReactPointerEvent<HTMLDivElement>): void {
      const looks = session.canvas.getState().overview && event.buttons === 0 && event.pointerType !== "touch";
      const hover = looks && findPane(event) ? (findAt(event)?.key ?? null) : null;
      if (overlay.getState().hover !== hover) overlay.setState({ hover });
    },
    leave: (): void => overlay.setState({ hover: null }),
    /** Comes nearer: to the node there, or to that place. */
    zoomIn(event: ReactMouseEvent<HTMLDivElement>): void {
      if (!session.canvas.getState().overview || !findPane(event)) return;
      const node = findAt(event);
      if (node) {
        session.view.setState({ fit: { keys: [node.key] } });
        return;
      }
      const { transform, maxZoom, domNode } = flow.getState();
      const { left = 0, top = 0 } = domNode?.getBoundingClientRect() ?? {};
      const [x, y, zoom] = transform;
      const nearer = Math.min(zoom * zoomStep, maxZoom) / zoom;
      const [px, py] = [event.clientX - left, event.clientY - top];
      const next = { x: px - (px - x) * nearer, y: py - (py - y) * nearer, zoom: zoom * nearer };
      void setViewport(next, { duration: cameraDuration() });
    },
  };
}

/** The empty canvas, when that is what the pointer is on. */
const findPane = ({ target }: { target: EventTarget }): HTMLElement | null =>
  target instanceof HTMLElement && target.classList.contains("react-flow__pane") ? target : null;

/** What follows a press. */
interface PointerGesture {
  click(adds: boolean): void;
  /** The pointer is that far away from where it went down, in canvas pixels. */
  drag(start: Point, now: Point): void;
  drop(start: Point, now: Point, adds: boolean): void;
  cancel(): void;
}

interface Press {
  start: Point;
  toCanvas(event: PointerEvent): Point;
  gesture: PointerGesture;
}

/** Follows one pointer from its press until it is let go. */
function follow(press: PointerEvent, pane: HTMLElement, { start, toCanvas, gesture }: Press): void {
  let moved = false;
  const ended = new AbortController();
  const adds = (event: PointerEvent): boolean => event.shiftKey || event.ctrlKey || event.metaKey;
  const on = (type: "pointermove" | "pointerup" | "pointercancel", act: (event: PointerEvent) => void): void =>
    window.addEventListener(type, (event) => event.pointerId === press.pointerId && act(event), {
      signal: ended.signal,
    });
  pane.setPointerCapture(press.pointerId);
  on("pointermove", (event) => {
    moved ||= Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY) > dragThreshold;
    if (moved) gesture.drag(start, toCanvas(event));
  });
  on("pointerup", (event) => {
    ended.abort();
    if (moved) gesture.drop(start, toCanvas(event), adds(event));
    else gesture.click(adds(event));
  });
  on("pointercancel", () => {
    ended.abort();
    gesture.cancel();
  });
}

/** Where a finger moves the view, only a tap means something. */
const onlyClick = (session: Session, node: { key: NodeKey } | null): PointerGesture => ({
  click: (adds) => selectAt(session, node?.key ?? null, adds),
  drag() {},
  drop() {},
  cancel() {},
});

/** On a node: moves it, and all that is selected with it. Beside all nodes: draws a rectangle round what is to be selected. */
function toGesture(session: Session, overlay: StoreApi<Overlay>, key: NodeKey | null): PointerGesture {
  const clear = (): void => overlay.setState({ marquee: null, held: null });
  const click = (adds: boolean): void => selectAt(session, key, adds);
  if (key === null)
    return {
      click,
      drag: (start, now) => overlay.setState({ marquee: toBox(start, now), hover: null }),
      drop(start, now, adds) {
        clear();
        selectInside(session, toBox(start, now), adds);
      },
      cancel: clear,
    };
  return {
    click,
    drag(start, now) {
      const { editor } = session;
      if (!editor.store.getState().selection.includes(key)) editor.select([key]);
      const keys = overlay.getState().held?.keys ?? withContent(session);
      overlay.setState({ held: { keys, dx: now.x - start.x, dy: now.y - start.y }, hover: null });
    },
    drop(start, now) {
      clear();
      moveSelected(session, now.x - start.x, now.y - start.y);
    },
    cancel: clear,
  };
}

const toBox = (a: Point, b: Point): Box => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x),
  height: Math.abs(a.y - b.y),
});

function selectAt({ editor }: Session, key: NodeKey | null, adds: boolean): void {
  const { selection } = editor.store.getState();
  if (key === null) {
    if (adds) return;
    editor.select([]);
    editor.selectEdge(null);
  } else if (!adds) editor.select([key]);
  else editor.select(selection.includes(key) ? selection.filter((other) => other !== key) : [...selection, key]);
}

/** Selects what lies in the box as a whole. */
function selectInside({ editor }: Session, box: Box, adds: boolean): void {
  const { arrangement, layout, selection } = editor.store.getState();
  const { nodes, findIn } = sceneOf(arrangement);
  const met = [...findIn(box).flatMap((position) => nodes[position] ?? []), ...notesIn(layout.notes, box)];
  const inside = met.filter(
    ({ x, y, width, height }) =>
      x >= box.x && y >= box.y && x + width <= box.x + box.width && y + height <= box.y + box.height,
  );
  editor.select([...new Set([...(adds ? selection : []), ...inside.map(({ key }) => key)])]);
}

/** What is selected, with everything inside of it. */
function withContent({ editor }: Session): ReadonlySet<NodeKey> {
  const { selection, arrangement } = editor.store.getState();
  const keys = new Set(selection);
  for (const { key, parent } of arrangement.nodes) if (parent !== undefined && keys.has(parent)) keys.add(key);
  return keys;
}
