import type { MovedItem } from "@/app/_canvas/mapping/canvas-mapping";
import type { Edit, Layout } from "@/lib/core/flow/edit";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { findNote, findNotes, fitNote, type Notes } from "@/lib/core/flow/note";
import type { Arrangement } from "@/lib/core/layout/arrange-flow";
import { nearestClear } from "@/lib/core/layout/scene/nearest-clear";
import { indexNodes } from "@/lib/core/layout/scene/node-index";

/** Each pin is the distance from the automatic position. Pins come before notes. */
export function toPositionEdits({ pins, notes }: Layout, items: readonly MovedItem[]): Edit[] {
  const moved = items.filter(({ dx, dy }) => Math.round(dx) !== 0 || Math.round(dy) !== 0);
  return [
    ...moved.flatMap(({ key, dx, dy }): Edit[] => {
      if (findNote(notes, key)) return [];
      const pin = Object.hasOwn(pins, key) ? pins[key] : undefined;
      return [
        { type: "set-pin", key, pin: { dx: Math.round((pin?.dx ?? 0) + dx), dy: Math.round((pin?.dy ?? 0) + dy) } },
      ];
    }),
    ...moved.flatMap(({ key, dx, dy }): Edit[] => {
      const note = findNote(notes, key);
      return note ? [{ type: "change-note", id: note.id, change: fitNote({ x: note.x + dx, y: note.y + dy }) }] : [];
    }),
  ];
}

/** A card that is dropped on another one lies beside it. */
export function clearOfCards(item: MovedItem, arrangement: Arrangement): MovedItem {
  const node = indexNodes(arrangement).get(item.key);
  if (!node || node.frame) return item;
  const others = arrangement.nodes.filter((other) => other !== node && !other.frame);
  const { x, y } = nearestClear({ ...node, x: node.x + item.dx, y: node.y + item.dy }, others);
  return { ...item, dx: x - node.x, dy: y - node.y };
}

export const growNotes = (
  notes: Notes | undefined,
  selection: readonly NodeKey[],
  { dx, dy }: Omit<MovedItem, "key">,
): Edit[] =>
  findNotes(notes, selection).map(({ id, width, height }) => ({
    type: "change-note",
    id,
    change: fitNote({ width: width + dx, height: height + dy }),
  }));

export const removeNotes = (notes: Notes | undefined, selection: readonly NodeKey[]): Edit[] =>
  findNotes(notes, selection).map(({ id }) => ({ type: "remove-note", id }));
