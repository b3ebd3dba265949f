import { describe, expect, it } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { readSource } from "@/lib/core/source/read-source";
import { findDropTarget, listMoveTargets, toDropEdit } from "./drop-target";

const { flow } = readSource(`agents: { a: {}, b: {}, c: {}, d: {}, spare: {} }
groups:
  g: { type: parallel, flow: "b | c" }
branches:
  if: { condition: input == "x", if_true: d }
swarm: { flow: a >> g >> if }
`);
const arrangement = arrangeFlow(flow, emptyLayout);
const nodeOf = (key: string) => {
  const found = arrangement.nodes.find((node) => node.key === key);
  if (!found) throw new Error(key);
  return found;
};
const middle = (key: string) => {
  const { x, y, width, height } = nodeOf(key);
  return { x: x + width / 2, y: y + height / 2 };
};

describe("a card let go", () => {
  it("moves into the frame under it, beside the nearest member of a parallel group", () => {
    const drop = findDropTarget(arrangement, "a", middle("g/b"));
    expect(drop).toEqual({ frame: "g", at: { member: "b", side: "beside" } });
    expect(drop && toDropEdit(flow, nodeOf("a"), drop)).toEqual({
      type: "move-member",
      name: "a",
      from: { type: "root" },
      scope: { type: "group", name: "g" },
      at: { member: "b", side: "beside" },
    });
  });

  it("moves out of its frame, in line where it was let go", () => {
    const { x, y, width, height } = nodeOf("g");
    const right = { x: x + width + 5, y: y + height / 2 };
    expect(findDropTarget(arrangement, "g/b", right)).toEqual({ frame: "", at: { member: "g", side: "after" } });
  });

  it("only moves the picture in its own place, over itself and beside the flow", () => {
    expect(findDropTarget(arrangement, "a", { x: -100, y: 0 })).toBeNull();
    expect(findDropTarget(arrangement, "g/b", middle("g/c"))).toBeNull();
    expect(findDropTarget(arrangement, "g", middle("g"))).toBeNull();
    expect(findDropTarget(arrangement, "spare", { x: -100, y: 0 })).toBeNull();
  });

  it("joins the flow from beside it", () => {
    const drop = findDropTarget(arrangement, "spare", middle("g/c"));
    expect(drop && toDropEdit(flow, nodeOf("spare"), drop)).not.toHaveProperty("from");
  });

  it("goes to the lane that holds the nearest member", () => {
    const drop = findDropTarget(arrangement, "a", middle("if/d"));
    expect(drop && toDropEdit(flow, nodeOf("a"), drop)).toMatchObject({
      scope: { type: "lane", name: "if", lane: "if_true" },
    });
  });
});

describe("the places for a card", () => {
  it("leaves out its current frame, itself and its members", () => {
    expect(listMoveTargets(flow, nodeOf("a")).map(({ label }) => label)).toEqual(["g", "if: yes", "if: no"]);
    expect(listMoveTargets(flow, nodeOf("g")).map(({ label }) => label)).toEqual(["if: yes", "if: no"]);
    expect(listMoveTargets(flow, nodeOf("g/b")).map(({ label }) => label)).toContain("The flow itself");
  });
});
