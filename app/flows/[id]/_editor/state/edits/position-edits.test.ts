import { describe, expect, it } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { noteLimits } from "@/lib/core/flow/note";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { readSource } from "@/lib/core/source/read-source";
import { clearOfCards, growNotes, removeNotes, toPositionEdits } from "./position-edits";

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

describe("a card that is dropped", () => {
  const { flow } = readSource('agents: { a: { model: "demo:x" }, b: { model: "demo:x" } }\nswarm: { flow: a >> b }\n');
  const arrangement = arrangeFlow(flow, emptyLayout);
  const [a, b] = arrangement.nodes;
  const gap = (b?.x ?? 0) - (a?.x ?? 0);

  it("on another one lies beside it, and anywhere else where it is dropped", () => {
    expect(clearOfCards({ key: a?.key ?? "", dx: gap - 150, dy: 0 }, arrangement).dx).toBeLessThan(gap - 200);
    expect(clearOfCards({ key: a?.key ?? "", dx: 30, dy: 400 }, arrangement)).toMatchObject({ dx: 30, dy: 400 });
  });
});
