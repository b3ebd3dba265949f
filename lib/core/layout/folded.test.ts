import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyLayout, findFoldsAround, foldInLayout, renamePins, sameLayout } from "../flow/edit";
import { layoutSchema } from "../flow/schemas/layout-schema";
import { writeCompleteFlow, writePairsFlow } from "../kinds/testing/repeating-flow.arbitrary";
import { applyEdit } from "../source/apply-edit";
import { anyFlow } from "../source/read/source.arbitrary";
import { readSource } from "../source/read-source";
import { arrangeFlow } from "./arrange-flow";
import { chooseArrangement } from "./choose-arrangement";
import { isFoldable, listFoldedAgents } from "./folded-agents";

const source = `agents: { plan: {}, ann: {}, ben: {}, lead: {}, hand: {}, write: {} }
groups:
  review: { type: parallel, flow: ann | desk }
swarms:
  desk: { type: team, agents: [lead, hand] }
loops:
  refine: { body: ben, count: 2 }
branches:
  check: { condition: "true", if_true: write }
swarm: { flow: plan >> review >> refine >> check }
`;
const { flow } = readSource(source);
const fold = (...folded: string[]) => arrangeFlow(flow, { pins: {}, folded });

describe("folding", () => {
  it("lists some agents of a card whose few names have exponentially many places", () => {
    const agentsOf = (text: string) => listFoldedAgents(readSource(text).flow, { key: "g0", name: "g0" });
    expect(agentsOf(writeCompleteFlow(14))).toEqual([]);
    expect(agentsOf(writePairsFlow(24))).toHaveLength(500);
  });

  it("draws a group as one card without its members, and attaches the links to it", () => {
    const open = arrangeFlow(flow, emptyLayout);
    const { nodes, edges, width } = fold("review");
    const review = nodes.find(({ key }) => key === "review");
    expect(review).toMatchObject({ frame: false, folded: true });
    expect(nodes.filter(({ key }) => key.startsWith("review/"))).toEqual([]);
    expect(edges.map(({ key }) => key)).toEqual(expect.arrayContaining(["plan//review", "review//refine"]));
    expect(width).toBeLessThan(open.width);
  });

  it("folds what is nested, and ignores keys of nothing or of an agent", () => {
    const keys = fold("review/desk").nodes.map(({ key }) => key);
    expect(keys).toContain("review/desk");
    expect(keys).not.toContain("review/desk/lead");
    expect(fold("plan", "ghost")).toEqual(arrangeFlow(flow, emptyLayout));
  });

  it("lists the agents of a card with the keys that they have when it is open", () => {
    expect(listFoldedAgents(flow, { key: "review", name: "review" }).map(({ key }) => key)).toEqual([
      "review/ann",
      "review/desk/lead",
      "review/desk/hand",
    ]);
  });

  it("is offered for groups, swarms and loops", () => {
    const names = ["plan", "review", "desk", "refine", "check", "ghost"];
    expect(names.filter((name) => isFoldable(flow, name))).toEqual(["review", "desk", "refine"]);
  });

  it("lets a flow be larger in the view", () => {
    const area = { width: 900, height: 500 };
    const folded = ["review", "refine", "check"];
    const arranged = arrangeFlow(flow, { pins: {}, folded }, chooseArrangement(flow, { pins: {}, folded }, area));
    expect(arranged.height).toBeLessThan(
      arrangeFlow(flow, emptyLayout, chooseArrangement(flow, emptyLayout, area)).height,
    );
  });

  it("property: every card of a folded picture is in the open one, with the same links between them", () => {
    fc.assert(
      fc.property(anyFlow, fc.nat(), (anyOne, seed) => {
        const open = arrangeFlow(anyOne, emptyLayout);
        const frames = open.nodes.filter(({ frame }) => frame).map(({ key }) => key);
        const folded = frames.filter((_, index) => (seed >> (index % 30)) % 2 === 0);
        const layout = { pins: {}, folded };
        const picture = arrangeFlow(anyOne, layout);
        const isShown = (key: string): boolean => findFoldsAround(layout, key).length === 0;
        expect(picture.nodes.map(({ key }) => key)).toEqual(open.nodes.map(({ key }) => key).filter(isShown));
        expect(picture.edges.map(({ key }) => key).toSorted()).toEqual(
          open.edges
            .filter(({ from, to }) => isShown(from) && isShown(to))
            .map(({ key }) => key)
            .toSorted(),
        );
      }),
    );
  });
});

describe("folds in the layout", () => {
  const edit = (folded: readonly string[], change: Parameters<typeof applyEdit>[2]) => {
    const result = applyEdit(readSource(source), { pins: {}, folded }, change);
    if (!result.ok) throw new Error(result.problem.message);
    return result;
  };

  it("are set without a change of the text", () => {
    const { changes, layout } = edit([], { type: "set-folded", keys: ["review"], folded: true });
    expect([changes, layout.folded]).toEqual([[], ["review"]]);
    expect(edit(["review"], { type: "set-folded", keys: ["review"], folded: false }).layout).toEqual(emptyLayout);
  });

  it("follow a rename and go with their node", () => {
    expect(renamePins({ pins: {}, folded: ["review/desk"] }, "review", "panel").folded).toEqual(["panel/desk"]);
    const deletion = { type: "delete-nodes", scope: { type: "root" }, names: ["review"], declarations: true } as const;
    expect(edit(["review", "refine"], deletion).layout.folded).toEqual(["refine"]);
  });

  it("are stored, compared in any order, and found around a node", () => {
    const layout = foldInLayout(foldInLayout(emptyLayout, ["a"], true), ["b", "a/c"], true);
    expect(layoutSchema.parse(structuredClone(layout))).toEqual(layout);
    expect(sameLayout(layout, { pins: {}, folded: ["b", "a/c", "a"] })).toBe(true);
    expect(sameLayout(layout, emptyLayout)).toBe(false);
    expect(findFoldsAround(layout, "a/c/d")).toEqual(["a", "a/c"]);
    expect(findFoldsAround(layout, "ab/c")).toEqual([]);
  });
});
