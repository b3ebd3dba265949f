import type { Layout } from "@/lib/core/flow/edit";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { findNote, type KeyedNote, listNotes, type Notes, noteSize } from "@/lib/core/flow/note";
import type { Arrangement } from "@/lib/core/layout/arrange-flow";
import { indexNodes } from "./node-index";
import { sceneOf } from "./scene";
import { type Box, boundsOf, meets } from "./view-box";

interface Placed {
  arrangement: Arrangement;
  layout: Layout;
}

/** Where the node or note of a key stands. */
export const boxOf = ({ arrangement, layout }: Placed, key: NodeKey): Box | undefined =>
  indexNodes(arrangement).get(key) ?? findNote(layout.notes, key);

/** The smallest box round all nodes and notes; null when there are none. The same object while everything stays. */
export function boundsOfAll({ arrangement, layout: { notes } }: Placed): Box | null {
  const known = measured.get(arrangement);
  if (known && known.notes === notes) return known.bounds;
  const cards = known ? known.cards : boundsOf(arrangement.nodes);
  const bounds = boundsOf([...(cards ? [cards] : []), ...listNotes(notes)]);
  measured.set(arrangement, { cards, notes, bounds });
  return bounds;
}

const measured = new WeakMap<Arrangement, { cards: Box | null; notes: Notes | undefined; bounds: Box | null }>();

/** The notes that a box meets, as they lie upon each other. */
export const notesIn = (notes: Notes | undefined, box: Box): readonly KeyedNote[] =>
  listNotes(notes).filter((note) => meets(note, box));

/** The note on top at a point. */
export const noteAt = (notes: Notes | undefined, x: number, y: number): KeyedNote | null =>
  notesIn(notes, { x, y, width: 0, height: 0 }).at(-1) ?? null;

/** Between places that are looked at for a new note, in canvas pixels. */
const step = 40;
/** What a new note keeps free round it. */
const air = 12;

/** Where a new note lies on nothing: as near to the middle of what is seen as can be, else below everything. */
export function findFreeSpot(picture: Placed, seen: Box | null): { x: number; y: number } {
  const scene = sceneOf(picture.arrangement);
  const isFree = ({ x, y }: { x: number; y: number }): boolean => {
    const { width, height } = noteSize;
    const box = { x: x - air, y: y - air, width: width + 2 * air, height: height + 2 * air };
    return scene.findIn(box).length === 0 && notesIn(picture.layout.notes, box).length === 0;
  };
  const found = seen && spotsIn(seen).find(isFree);
  if (found) return { x: found.x, y: found.y };
  const bounds = boundsOfAll(picture);
  return bounds ? { x: Math.round(bounds.x), y: Math.round(bounds.y + bounds.height + step) } : { x: 0, y: 0 };
}

/** Places for a note inside of `seen`, from the middle outwards. */
function spotsIn(seen: Box): { x: number; y: number }[] {
  const { width, height } = noteSize;
  const [right, down] = [Math.floor((seen.width - width) / step), Math.floor((seen.height - height) / step)];
  const count = 1 + Math.max(right, down, 0);
  // A view of the whole of a large flow has no end of places: there the note goes below.
  if (count > 60) return [];
  const [x, y] = [seen.x + (seen.width - width) / 2, seen.y + (seen.height - height) / 2];
  const spots: { x: number; y: number; far: number }[] = [];
  for (let column = -Math.floor(right / 2); column <= right / 2; column++)
    for (let row = -Math.floor(down / 2); row <= down / 2; row++)
      spots.push({ x: Math.round(x + column * step), y: Math.round(y + row * step), far: Math.hypot(column, row) });
  return spots.sort((a, b) => a.far - b.far);
}
