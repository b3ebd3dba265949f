import { expect, it } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { flowOf } from "@/lib/core/layout/testing/flow-of";
import { findCardsBeyond } from "./cards-beyond";

const lanes = (count: number) =>
  arrangeFlow(flowOf(`(${Array.from({ length: count }, (_, index) => `s${index}`).join(" | ")})`), emptyLayout).nodes;
const namesOf = (cards: readonly { name: string }[]): string[] => cards.map(({ name }) => name);

it("finds the cards beyond the upper and the lower edge, nearest first, also those that are cut", () => {
  // A lane has 148 px and a gap of 28 px.
  const beyond = findCardsBeyond(lanes(10), { x: 0, y: -3 * 176, zoom: 1 }, { width: 800, height: 4 * 176 });
  expect(namesOf(beyond.above)).toEqual(["s2", "s1", "s0"]);
  expect(namesOf(beyond.below)).toEqual(["s7", "s8", "s9"]);
  const cut = findCardsBeyond(lanes(10), { x: 0, y: -3 * 176 - 20, zoom: 1 }, { width: 800, height: 4 * 176 });
  expect([namesOf(cut.above)[0], namesOf(cut.below)[0]]).toEqual(["s3", "s7"]);
});

it("finds none in a flow of many agents", () => {
  expect(findCardsBeyond(lanes(61), { x: 0, y: 0, zoom: 1 }, { width: 800, height: 400 }).below).toEqual([]);
});
