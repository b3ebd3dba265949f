import type { StoreApi } from "zustand/vanilla";
import { notesIn } from "@/app/_canvas/scene/notes";
import { sceneOf } from "@/app/_canvas/scene/scene";
import type { Box } from "@/app/_canvas/scene/view-box";
import type { Overlay } from "@/app/_canvas/surface/overlay";
import type { Point, PointerGesture } from "@/app/_canvas/surface/use-overview-gestures";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { Session } from "../../state/session";
import { moveSelected } from "./move-selected";

/** On a node: moves it, and all that is selected with it. Beside all nodes: draws a rectangle round what is to be selected. */
export function holdInOverview(session: Session, overlay: StoreApi<Overlay>, key: NodeKey | null): PointerGesture {
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

/** Selects what was clicked, or lets go of everything. */
export function selectAt({ editor }: Session, key: NodeKey | null, adds: boolean): void {
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
