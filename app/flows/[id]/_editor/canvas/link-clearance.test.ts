import { describe, expect, it } from "vitest";
import { arrangeFlow } from "@/lib/core/flow/arrange";
import { emptyLayout } from "@/lib/core/flow/edit";
import { readSource } from "@/lib/core/source/read-source";
import { indexNodes } from "./gestures";
import { findClearance } from "./link-clearance";

const desk = `agents: { a: {}, b: {}, c: {}, d: {} }
swarm:
  type: handoff
  agents: [a, b, c, d]
  edges: [[a, b], [a, c], [b, d], [c, d], [d, a], [b, a]]
`;
const between = (from: string, to: string, direction: "right" | "down" = "right"): number => {
  const arrangement = arrangeFlow(readSource(desk).flow, { ...emptyLayout, direction });
  const nodes = indexNodes(arrangement);
  return findClearance(arrangement, nodes.get(from), nodes.get(to));
};

describe("a link back", () => {
  it("passes below the cards between its ends", () => {
    const { nodes } = arrangeFlow(readSource(desk).flow, emptyLayout);
    const bottom = Math.max(...nodes.map(({ y, height }) => y + height));
    const ends = nodes.filter(({ name }) => name === "a" || name === "d").map(({ y, height }) => y + height / 2);
    expect(between("d", "a")).toBeCloseTo(bottom - ends.reduce((sum, y) => sum + y, 0) / 2);
    expect(between("d", "a", "down")).toBeGreaterThan(100);
  });

  it("needs no room where nothing stands between, nor does a link that leads on", () => {
    expect([between("b", "a"), between("a", "d"), between("a", "b"), between("a", "gone")]).toEqual([0, 0, 0, 0]);
  });
});
