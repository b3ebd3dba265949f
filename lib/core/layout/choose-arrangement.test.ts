import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFlow } from "../dsl/parse";
import { anyExpression } from "../dsl/parse.arbitrary";
import { emptyLayout, type Layout } from "../flow/edit";
import type { Flow } from "../flow/flow";
import { flowOf } from "../kinds/testing/flow.arbitrary";
import { arrangeFlow } from "./arrange-flow";
import { adaptToLayout, chooseArrangement, keepArrangement, readableScale, reducedScale } from "./choose-arrangement";

const read = (dsl: string, spare: string[] = []): Flow => {
  const { expression } = parseFlow(dsl);
  if (!expression) throw new Error(`not readable: ${dsl}`);
  return flowOf(expression, {}, spare);
};
const chain = (count: number): Flow => read(Array.from({ length: count }, (_, index) => `s${index}`).join(" >> "));
const scaleIn = (flow: Flow, area: { width: number; height: number }, layout: Layout = emptyLayout): number => {
  const { width, height } = arrangeFlow(flow, layout, chooseArrangement(flow, layout, area));
  return Math.min(1, area.width / width, area.height / height);
};
const desktop = { width: 1048, height: 640 };
const low = { width: 1048, height: 360 };
const phone = { width: 330, height: 560 };

describe("the arrangement for a view", () => {
  it.each([
    [
      "one line to the right",
      read("planner >> (r1 | r2 | r3) >> critic >> writer"),
      desktop,
      { direction: "right", density: "full" },
    ],
    ["down where only that fits", chain(3), phone, { direction: "down", density: "full" }],
    [
      "compact cards in a low view",
      read("planner >> (r1 | r2 | r3) >> critic >> writer"),
      low,
      { direction: "right", density: "compact" },
    ],
    ["lines of equal lengths", chain(6), desktop, { direction: "right", density: "full", wrap: 768 }],
    ["compact cards in lines", chain(10), low, { direction: "right", density: "compact", wrap: 1048 }],
  ])("is %s", (_, flow, area, options) => {
    expect(chooseArrangement(flow, emptyLayout, area)).toEqual(options);
  });

  it.each([1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20])("lets a chain of %i be read in a view of 1,440 pixels", (count) => {
    expect(scaleIn(chain(count), desktop)).toBeGreaterThanOrEqual(readableScale);
  });

  it("keeps the direction that the user has chosen, and that of now where another would do as well", () => {
    expect(chooseArrangement(chain(3), { pins: {}, direction: "right" }, phone).direction).toBe("right");
    expect(chooseArrangement(chain(3), emptyLayout, desktop, { direction: "down" }).direction).toBe("down");
    expect(chooseArrangement(chain(2), emptyLayout, desktop, { direction: "down" }).direction).toBe("down");
  });

  it("stays while a panel takes room, as long as the flow can be told apart", () => {
    const options = chooseArrangement(chain(3), emptyLayout, desktop);
    const chosen = (width: number) =>
      chooseArrangement(chain(3), emptyLayout, { width, height: 640, leastScale: reducedScale }, options);
    expect(options).toEqual({ direction: "right", density: "full" });
    expect(chosen(560)).toEqual(options);
    expect(chosen(400).direction).toBe("down");
    expect(chooseArrangement(chain(3), emptyLayout, { width: 560, height: 640 }, options)).not.toEqual(options);
  });

  it("runs down in a narrow view however low it is, and whichever direction it has had before", () => {
    const market = read("planner >> (r1 | r2 | r3) >> (legal | editor) >> (deep | brief) >> writer");
    const options = { direction: "down", density: "compact" } as const;
    for (const height of [170, 560])
      for (const current of [null, options] as const)
        expect(chooseArrangement(market, emptyLayout, { width: 358, height }, current)).toEqual(options);
  });

  it("fills the view with lines where the whole cannot be read, and shows many agents whole", () => {
    const { wrap, density } = chooseArrangement(chain(40), emptyLayout, desktop);
    expect([density, (wrap ?? 0) * readableScale <= desktop.width]).toEqual(["compact", true]);
    expect(chooseArrangement(chain(9), emptyLayout, phone)).toMatchObject({ direction: "down", density: "compact" });
    const parallel = read("planner >> (r1 | r2 | r3) >> critic >> writer");
    expect(chooseArrangement(parallel, emptyLayout, phone)).toEqual({ direction: "down", density: "compact" });
    const lanes = Array.from({ length: 7 }, (_, index) => `r${index}`).join(" | ");
    expect(chooseArrangement(read(`planner >> (${lanes}) >> writer`), emptyLayout, phone).direction).toBe("right");
    const scale = scaleIn(chain(300), desktop);
    const { width, height } = arrangeFlow(chain(300), emptyLayout, chooseArrangement(chain(300), emptyLayout, desktop));
    expect(scale).toBeGreaterThan(0.2);
    expect(width / height).toBeGreaterThan(1);
    expect(width / height).toBeLessThan(2.5);
  });

  it("is arranged to be seen whole in a view that allows a lower scale, as long as that is enough", () => {
    const reduced = { width: 888, height: 210, leastScale: 0.6 };
    const parallel = read("planner >> (r1 | r2 | r3) >> critic >> writer");
    expect(chooseArrangement(parallel, emptyLayout, { width: 888, height: 210 }).wrap).toBeDefined();
    expect(chooseArrangement(parallel, emptyLayout, reduced)).toEqual({ direction: "right", density: "compact" });
    expect(scaleIn(parallel, reduced)).toBeGreaterThanOrEqual(0.6);
    const { width, height } = reduced;
    expect(chooseArrangement(chain(40), emptyLayout, reduced)).toEqual(
      chooseArrangement(chain(40), emptyLayout, { width, height }),
    );
  });

  it("counts the declarations outside of the flow, in as many columns as fit", () => {
    const waiting = ["w1", "w2", "w3", "w4"];
    expect(scaleIn(read("a >> b", waiting), desktop)).toBeGreaterThanOrEqual(readableScale);
    expect(chooseArrangement(read("a", waiting), emptyLayout, phone).waitingColumns).toBe(1);
  });

  it("never rearranges positions made by hand", () => {
    const options = { direction: "right", density: "compact", wrap: 500 } as const;
    const layout = keepArrangement({ pins: { s1: { dx: 8, dy: 0 } } }, options);
    for (const area of [desktop, low, phone]) expect(chooseArrangement(chain(9), layout, area)).toEqual(options);
    expect(chooseArrangement(chain(9), { pins: { s1: { dx: 8, dy: 0 } } }, desktop)).toEqual({
      direction: "right",
      density: "full",
    });
    expect(keepArrangement(layout, { direction: "down" })).toBe(layout);
    expect(keepArrangement({ ...layout, pins: {} }, options)).toEqual(emptyLayout);
  });

  it("drops the lines of another direction", () => {
    const options = { direction: "right", density: "compact", wrap: 500 } as const;
    expect(adaptToLayout(options, emptyLayout)).toBe(options);
    expect(adaptToLayout(options, { pins: {}, direction: "down" })).toEqual({ direction: "down", density: "compact" });
  });

  it("property: is determined by its arguments, for any flow and view", () => {
    fc.assert(
      fc.property(
        anyExpression,
        fc.integer({ min: 1, max: 4000 }),
        fc.integer({ min: 1, max: 4000 }),
        (expression, width, height) => {
          const flow = flowOf(expression, {}, ["spare"]);
          const options = chooseArrangement(flow, emptyLayout, { width, height });
          expect(chooseArrangement(flow, emptyLayout, { width, height })).toEqual(options);
          expect(arrangeFlow(flow, emptyLayout, options).nodes.length).toBe(
            arrangeFlow(flow, emptyLayout).nodes.length,
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});
