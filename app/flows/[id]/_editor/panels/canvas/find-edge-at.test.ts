import { describe, expect, it } from "vitest";
import { toEdges } from "@/app/_canvas/mapping/canvas-edges";
import { emptyLayout } from "@/lib/core/flow/edit";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { indexNodes } from "@/lib/core/layout/scene/node-index";
import { readSource } from "@/lib/core/source/read-source";
import { findEdgeAt } from "./find-edge-at";

const source = "agents: { a: {}, b: {}, c: {}, d: {} }\nflow: a >> (b | c) >> d\n";

const arrangement = arrangeFlow(readSource(source).flow, emptyLayout);
const picture = { arrangement, edges: toEdges({ arrangement, edge: null }) };

const boxOf = (key: string) => {
  const node = indexNodes(arrangement).get(key);
  if (!node) throw new Error(`There is no node ${key}.`);
  return node;
};

/** The end of the link from a to b, a little before its head. */
const [a, b] = [boxOf("a"), boxOf("b")];
const down = arrangement.direction === "down";
const beforeB = down ? { x: b.x + b.width / 2, y: b.y - 16 } : { x: b.x - 16, y: b.y + b.height / 2 };

describe("findEdgeAt", () => {
  it("finds the link whose line is nearest", () => {
    const found = picture.edges.find(({ id }) => id === findEdgeAt(picture, beforeB, 1));
    expect(found).toMatchObject({ source: "a", target: "b" });
  });

  it("finds nothing on a card, beyond the ends of links", () => {
    expect(findEdgeAt(picture, { x: a.x + a.width / 2, y: a.y + a.height / 2 }, 1)).toBeNull();
  });

  it("reaches as far on the screen when the picture is small", () => {
    const beside = down ? { x: beforeB.x - 20, y: beforeB.y } : { x: beforeB.x, y: beforeB.y - 20 };
    expect(findEdgeAt(picture, beside, 1)).toBeNull();
    expect(findEdgeAt(picture, beside, 0.5)).not.toBeNull();
  });
});
