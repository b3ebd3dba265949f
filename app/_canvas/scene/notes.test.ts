import { describe, expect, it } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { flowOf } from "@/lib/core/layout/testing/flow-of";
import { boundsOfAll, boxOf, findFreePosition, findNoteAt, findNotesIn } from "./notes";

const arrangement = arrangeFlow(flowOf("a >> b"), emptyLayout);
const note = { x: -300, y: 0, width: 200, height: 100, text: "", color: "blue" } as const;
const notes = { n: note, m: { ...note, x: -250, y: 40 } };
const picture = { arrangement, layout: { ...emptyLayout, notes } };

describe("notes on the canvas", () => {
  it("are found where they lie, the uppermost first", () => {
    expect(boxOf(picture, "/n/")).toMatchObject(note);
    expect(boxOf(picture, "a")).toMatchObject({ x: 0, y: 0 });
    expect(boxOf(picture, "/gone/")).toBeUndefined();
    expect(findNoteAt(notes, -240, 50)?.key).toBe("/m/");
    expect(findNoteAt(notes, -290, 10)?.key).toBe("/n/");
    expect(findNoteAt(notes, 0, 500)).toBeNull();
    expect(findNotesIn(notes, { x: -80, y: 130, width: 10, height: 10 }).map(({ key }) => key)).toEqual(["/m/"]);
    expect(findNotesIn(undefined, note)).toEqual([]);
  });

  it("count for the whole picture, which is measured once", () => {
    const bounds = boundsOfAll(picture);
    expect(bounds).toMatchObject({ x: -300, y: 0 });
    expect(boundsOfAll({ ...picture })).toBe(bounds);
    expect(boundsOfAll({ arrangement, layout: emptyLayout })).toMatchObject({ x: 0 });
    expect(boundsOfAll({ arrangement: arrangeFlow(flowOf(""), emptyLayout), layout: emptyLayout })).toBeNull();
  });

  it("find room where nothing lies: in view, else below everything", () => {
    const seen = { x: -400, y: -300, width: 1200, height: 800 };
    const spot = findFreePosition(picture, seen);
    const { x, y } = spot;
    expect(Object.keys(spot)).toEqual(["x", "y"]);
    const box = { x, y, width: 220, height: 120 };
    expect(findNotesIn(notes, box)).toEqual([]);
    for (const card of arrangement.nodes)
      expect(x > card.x + card.width || x + 220 < card.x || y > card.y + card.height || y + 120 < card.y).toBe(true);
    expect(x >= seen.x && x + 220 <= seen.x + seen.width && y >= seen.y && y + 120 <= seen.y + seen.height).toBe(true);
    const below = boundsOfAll(picture);
    for (const view of [null, { x: 0, y: 0, width: 100, height: 60 }])
      expect(findFreePosition(picture, view).y).toBeGreaterThan((below?.y ?? 0) + (below?.height ?? 0));
  });
});
