import { describe, expect, it } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { noteLimits } from "@/lib/core/flow/note";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { moveEdits } from "./move-selected";
import { boundsOfAll, boxOf, findFreeSpot, growNotes, noteAt, notesIn, removeNotes } from "./notes";
import { flowOf } from "./test-flow";

const arrangement = arrangeFlow(flowOf("a >> b"), emptyLayout);
const note = { x: -300, y: 0, width: 200, height: 100, text: "", color: "blue" } as const;
const notes = { n: note, m: { ...note, x: -250, y: 40 } };
const picture = { arrangement, layout: { ...emptyLayout, notes } };

describe("notes on the canvas", () => {
  it("are found where they lie, the uppermost first", () => {
    expect(boxOf(picture, "/n/")).toMatchObject(note);
    expect(boxOf(picture, "a")).toMatchObject({ x: 0, y: 0 });
    expect(boxOf(picture, "/gone/")).toBeUndefined();
    expect(noteAt(notes, -240, 50)?.key).toBe("/m/");
    expect(noteAt(notes, -290, 10)?.key).toBe("/n/");
    expect(noteAt(notes, 0, 500)).toBeNull();
    expect(notesIn(notes, { x: -80, y: 130, width: 10, height: 10 }).map(({ key }) => key)).toEqual(["/m/"]);
    expect(notesIn(undefined, note)).toEqual([]);
  });

  it("count for the whole picture, which is measured once", () => {
    const bounds = boundsOfAll(picture);
    expect(bounds).toMatchObject({ x: -300, y: 0 });
    expect(boundsOfAll({ ...picture })).toBe(bounds);
    expect(boundsOfAll({ arrangement, layout: emptyLayout })).toMatchObject({ x: 0 });
    expect(boundsOfAll({ arrangement: arrangeFlow(flowOf(""), emptyLayout), layout: emptyLayout })).toBeNull();
  });

  it("move with cards that are moved, and no further than the limits", () => {
    const moved = ["a", "/n/"].map((key) => ({ key, dx: 10.4, dy: -5 }));
    expect(moveEdits(picture.layout, moved)).toEqual([
      { type: "set-pin", key: "a", pin: { dx: 10, dy: -5 } },
      { type: "change-note", id: "n", change: { x: -290, y: -5 } },
    ]);
    expect(moveEdits(picture.layout, [{ key: "/n/", dx: 0.2, dy: 0 }])).toEqual([]);
    const grown = growNotes(notes, ["/n/", "a"], { dx: -9999, dy: 20 });
    expect(grown).toEqual([{ type: "change-note", id: "n", change: { width: noteLimits.width.least, height: 120 } }]);
    expect(removeNotes(notes, ["a", "/m/"])).toEqual([{ type: "remove-note", id: "m" }]);
  });

  it("find room where nothing lies: in view, else below everything", () => {
    const seen = { x: -400, y: -300, width: 1200, height: 800 };
    const spot = findFreeSpot(picture, seen);
    const { x, y } = spot;
    expect(Object.keys(spot)).toEqual(["x", "y"]);
    const box = { x, y, width: 220, height: 120 };
    expect(notesIn(notes, box)).toEqual([]);
    for (const card of arrangement.nodes)
      expect(x > card.x + card.width || x + 220 < card.x || y > card.y + card.height || y + 120 < card.y).toBe(true);
    expect(x >= seen.x && x + 220 <= seen.x + seen.width && y >= seen.y && y + 120 <= seen.y + seen.height).toBe(true);
    const below = boundsOfAll(picture);
    for (const view of [null, { x: 0, y: 0, width: 100, height: 60 }])
      expect(findFreeSpot(picture, view).y).toBeGreaterThan((below?.y ?? 0) + (below?.height ?? 0));
  });
});
