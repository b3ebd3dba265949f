import { expect, it } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { flowOf } from "@/lib/core/layout/testing/flow-of";
import { coversCard } from "./minimap-box";

const area = { width: 1000, height: 800 };
const chain = (count: number) =>
  arrangeFlow(flowOf(Array.from({ length: count }, (_, index) => `s${index}`).join(" >> ")), emptyLayout);
const few = chain(2);
/** The viewport that shows the first card with its upper left corner at this point of the canvas. */
const showAt = (arrangement: typeof few, x: number, y: number) => {
  const [card] = arrangement.nodes;
  return { x: x - (card?.x ?? 0), y: y - (card?.y ?? 0), zoom: 1 };
};

it.each([
  [{ x: 800, y: 600 }, true],
  // Above, below and to the left of the map: the second card is right of the first.
  [{ x: 800, y: 440 }, false],
  [{ x: 800, y: 745 }, false],
  [{ x: 300, y: 440 }, false],
  [{ x: 540, y: 600 }, true],
])("covers a card at %o: %s", ({ x, y }, covers) => {
  expect(coversCard(few, showAt(few, x, y), area)).toBe(covers);
});

it("is there in a flow of many agents in any case", () => {
  const many = chain(80);
  expect(coversCard(many, showAt(many, 800, 600), area)).toBe(false);
});
