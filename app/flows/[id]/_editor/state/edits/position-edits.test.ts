import { describe, expect, it } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { noteLimits } from "@/lib/core/flow/note";
import { growNotes, removeNotes, toPositionEdits } from "./position-edits";

const note = { x: -300, y: 0, width: 200, height: 100, text: "", color: "blue" } as const;
const notes = { n: note, m: { ...note, x: -250, y: 40 } };
const layout = { ...emptyLayout, notes };

describe("notes", () => {
  it("move with cards that are moved, and no further than the limits", () => {
    const moved = ["a", "/n/"].map((key) => ({ key, dx: 10.4, dy: -5 }));
    expect(toPositionEdits(layout, moved)).toEqual([
      { type: "set-pin", key: "a", pin: { dx: 10, dy: -5 } },
      { type: "change-note", id: "n", change: { x: -290, y: -5 } },
    ]);
    expect(toPositionEdits(layout, [{ key: "/n/", dx: 0.2, dy: 0 }])).toEqual([]);
    const grown = growNotes(notes, ["/n/", "a"], { dx: -9999, dy: 20 });
    expect(grown).toEqual([{ type: "change-note", id: "n", change: { width: noteLimits.width.least, height: 120 } }]);
    expect(removeNotes(notes, ["a", "/m/"])).toEqual([{ type: "remove-note", id: "m" }]);
  });
});
