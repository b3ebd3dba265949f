import type { StoreApi } from "zustand/vanilla";
import { findNotesIn } from "@/app/_canvas/scene/notes";
import type { PointerOverlay } from "@/app/_canvas/surface/overlay";
import type { PointerGesture } from "@/app/_canvas/surface/use-overview-gestures";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { CanvasBox, CanvasPoint } from "@/lib/core/layout/scene/canvas-box";
import { sceneOf } from "@/lib/core/layout/scene/scene";
import type { Session } from "../../state/session";
import { moveSelected } from "./move-selected";

export function toOverviewGesture(
  session: Session,
  overlay: StoreApi<PointerOverlay>,
  key: NodeKey | null,
): PointerGesture {
  const clear = (): void => overlay.setState({ marquee: null, dragged: null });
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
      const keys = overlay.getState().dragged?.keys ?? withMembers(session);
      overlay.setState({ dragged: { keys, dx: now.x - start.x, dy: now.y - start.y }, hover: null });
    },
    drop(start, now) {
      clear();
      moveSelected(session, now.x - start.x, now.y - start.y);
    },
    cancel: clear,
  };
}

const toBox = (a: CanvasPoint, b: CanvasPoint): CanvasBox => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x),
  height: Math.abs(a.y - b.y),
});

export function selectAt({ editor }: Session, key: NodeKey | null, adds: boolean): void {
  const { selection } = editor.store.getState();
  if (key === null) {
    if (adds) return;
    editor.select([]);
    editor.selectEdge(null);
  } else if (!adds) editor.select([key]);
  else
    editor.select(
      selection.includes(key) ? selection.filter((selectedKey) => selectedKey !== key) : [...selection, key],
    );
}

function selectInside({ editor }: Session, box: CanvasBox, adds: boolean): void {
  const { arrangement, layout, selection } = editor.store.getState();
  const { nodes, findIn } = sceneOf(arrangement);
  const met = [...findIn(box).flatMap((position) => nodes[position] ?? []), ...findNotesIn(layout.notes, box)];
  const inside = met.filter(
    ({ x, y, width, height }) =>
      x >= box.x && y >= box.y && x + width <= box.x + box.width && y + height <= box.y + box.height,
  );
  editor.select([...new Set([...(adds ? selection : []), ...inside.map(({ key }) => key)])]);
}

function withMembers({ editor }: Session): ReadonlySet<NodeKey> {
  const { selection, arrangement } = editor.store.getState();
  const keys = new Set(selection);
  for (const { key, parent } of arrangement.nodes) if (parent !== undefined && keys.has(parent)) keys.add(key);
  return keys;
}
