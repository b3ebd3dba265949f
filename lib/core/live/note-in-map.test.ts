import { expect, test } from "vitest";
import * as Y from "yjs";
import { findLastNumber, isNote, listLatest, noteInMap } from "./note-in-map";

const openMap = (notes: Record<string, object>): Y.Map<unknown> => {
  const map = new Y.Doc().getMap("notes");
  for (const [key, note] of Object.entries(notes)) map.set(key, note);
  return map;
};

test.each([1e300, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER, Number.NaN, 1.5, -7])(
  "a note with the number %d does not come after those of editors",
  (number) => {
    const map = openMap({ crafted: { number }, old: { number: 4 } });
    noteInMap(map, 2, new Map([["next", {}]]));
    expect([...map.keys()].toSorted()).toEqual(["next", "old"]);
    expect(findLastNumber(map)).toBe(5);
    expect(listLatest(map, 1)).toEqual([["next", { number: 5 }]]);
  },
);

test("an editor writes no note that the server does not take", () => {
  const map = openMap({});
  noteInMap(map, 5, new Map([["long", { list: Array.from({ length: 3_000 }, () => 0) }]]));
  noteInMap(map, 5, new Map([["short", { list: [0] }]]));
  expect([...map.keys()]).toEqual(["short"]);
  // The number is a part of the note.
  for (let length = 2_990; length < 3_000; length++) {
    const own = openMap({});
    noteInMap(own, 5, new Map([["note", { list: Array.from({ length }, () => 0) }]]));
    for (const note of own.values()) expect(isNote(note, 0), String(length)).toBe(true);
  }
});
