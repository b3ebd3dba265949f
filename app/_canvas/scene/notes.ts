import type { Layout } from "@/lib/core/flow/edit";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { findNote, type KeyedNote, listNotes, type Notes, noteSize } from "@/lib/core/flow/note";
import type { Arrangement } from "@/lib/core/layout/arrange-flow";
import { boundsOf, type CanvasBox, overlaps } from "@/lib/core/layout/scene/canvas-box";
import { indexNodes } from "@/lib/core/layout/scene/node-index";
import { sceneOf } from "@/lib/core/layout/scene/scene";

interface ArrangedLayout {
  arrangement: Arrangement;
  layout: Layout;
}

export const boxOf = ({ arrangement, layout }: ArrangedLayout, key: NodeKey): CanvasBox | undefined =>
  indexNodes(arrangement).get(key) ?? findNote(layout.notes, key);

/** The same object until a card or note moves. */
export function boundsOfAll({ arrangement, layout: { notes } }: ArrangedLayout): CanvasBox | null {
  const cached = boundsCache.get(arrangement);
  if (cached && cached.notes === notes) return cached.bounds;
  const cards = cached ? cached.cards : boundsOf([...arrangement.nodes, ...toSwarmBox(arrangement)]);
  const bounds = boundsOf([...(cards ? [cards] : []), ...listNotes(notes)]);
  boundsCache.set(arrangement, { cards, notes, bounds });
  return bounds;
}

/** With the label on its upper edge. */
function toSwarmBox(arrangement: Arrangement): CanvasBox[] {
  const { frame } = sceneOf(arrangement);
  return frame ? [{ ...frame, y: frame.y - labelHeight / 2, height: frame.height + labelHeight / 2 }] : [];
}

const labelHeight = 24;

const boundsCache = new WeakMap<
  Arrangement,
  { cards: CanvasBox | null; notes: Notes | undefined; bounds: CanvasBox | null }
>();

/** In stacking order. */
export const findNotesIn = (notes: Notes | undefined, box: CanvasBox): readonly KeyedNote[] =>
  listNotes(notes).filter((note) => overlaps(note, box));

export const findNoteAt = (notes: Notes | undefined, x: number, y: number): KeyedNote | null =>
  findNotesIn(notes, { x, y, width: 0, height: 0 }).at(-1) ?? null;

/** Between places that are looked at for a new note, in canvas pixels. */
const step = 40;
const margin = 12;

/** As near to the centre of the view as possible, otherwise below everything. */
export function findFreePosition(arranged: ArrangedLayout, visible: CanvasBox | null): { x: number; y: number } {
  const scene = sceneOf(arranged.arrangement);
  const isFree = ({ x, y }: { x: number; y: number }): boolean => {
    const { width, height } = noteSize;
    const box = { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin };
    return scene.findIn(box).length === 0 && findNotesIn(arranged.layout.notes, box).length === 0;
  };
  const candidate = visible && listCandidates(visible).find(isFree);
  if (candidate) return { x: candidate.x, y: candidate.y };
  const bounds = boundsOfAll(arranged);
  return bounds ? { x: Math.round(bounds.x), y: Math.round(bounds.y + bounds.height + step) } : { x: 0, y: 0 };
}

function listCandidates(visible: CanvasBox): { x: number; y: number }[] {
  const { width, height } = noteSize;
  const [right, down] = [Math.floor((visible.width - width) / step), Math.floor((visible.height - height) / step)];
  const count = 1 + Math.max(right, down, 0);
  // A view of a large flow has too many candidates: there the note goes below the flow.
  if (count > 60) return [];
  const [x, y] = [visible.x + (visible.width - width) / 2, visible.y + (visible.height - height) / 2];
  const spots: { x: number; y: number; far: number }[] = [];
  for (let column = -Math.floor(right / 2); column <= right / 2; column++)
    for (let row = -Math.floor(down / 2); row <= down / 2; row++)
      spots.push({ x: Math.round(x + column * step), y: Math.round(y + row * step), far: Math.hypot(column, row) });
  return spots.sort((a, b) => a.far - b.far);
}
