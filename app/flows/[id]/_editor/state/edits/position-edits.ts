import type { Edit, Layout, Pin } from "@/lib/core/flow/edit";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { findNote, findNotes, fitNote, type Notes } from "@/lib/core/flow/note";

/** A distance in canvas pixels. */
interface Offset {
  dx: number;
  dy: number;
}

export interface MovedItem extends Offset {
  key: NodeKey;
}

export const toPositionEdits = ({ pins, notes }: Layout, moved: readonly MovedItem[]): Edit[] => [
  ...pinMoved(
    pins,
    moved.filter(({ key }) => !findNote(notes, key)),
  ),
  ...moveNotes(notes, moved),
];

/** Each pin is the distance from the automatic position. */
export const pinMoved = (pins: Readonly<Record<NodeKey, Pin>>, moved: readonly MovedItem[]): Edit[] =>
  moved.filter(isMoved).map(({ key, dx, dy }): Edit => {
    const pin = Object.hasOwn(pins, key) ? pins[key] : undefined;
    return {
      type: "set-pin",
      key,
      pin: { dx: Math.round((pin?.dx ?? 0) + dx), dy: Math.round((pin?.dy ?? 0) + dy) },
    };
  });

const moveNotes = (notes: Notes | undefined, moved: readonly MovedItem[]): Edit[] =>
  moved.filter(isMoved).flatMap(({ key, dx, dy }): Edit[] => {
    const note = findNote(notes, key);
    return note ? [{ type: "change-note", id: note.id, change: fitNote({ x: note.x + dx, y: note.y + dy }) }] : [];
  });

const isMoved = ({ dx, dy }: Offset): boolean => Math.round(dx) !== 0 || Math.round(dy) !== 0;

export const growNotes = (notes: Notes | undefined, selection: readonly NodeKey[], { dx, dy }: Offset): Edit[] =>
  findNotes(notes, selection).map(({ id, width, height }) => ({
    type: "change-note",
    id,
    change: fitNote({ width: width + dx, height: height + dy }),
  }));

export const removeNotes = (notes: Notes | undefined, selection: readonly NodeKey[]): Edit[] =>
  findNotes(notes, selection).map(({ id }) => ({ type: "remove-note", id }));
