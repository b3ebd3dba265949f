import { describe, expect, it } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { applyChanges } from "@/lib/core/flow/text-change";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { applyEdit } from "@/lib/core/source/apply-edit";
import { readSource } from "@/lib/core/source/read-source";
import { planInsert, planMove } from "./drop-plan";
import { toInsertEdit } from "./insert-target";

const source = `agents: { a: {}, b: {}, c: {}, d: {}, spare: {} }
groups: { pair: { type: parallel, flow: b | c } }
swarm: { flow: a >> pair >> d }
`;
const fragment = "agents: { new: {} }\nswarm: { flow: new }\n";

function open(text = source) {
  const document = readSource(text);
  const { flow } = document;
  const arrangement = arrangeFlow(flow, emptyLayout);
  /** A point in a card, as shares of its size. */
  const at = (key: string, across: number, down: number, edge: string | null = null) => {
    const { x = 0, y = 0, width = 0, height = 0 } = arrangement.nodes.find((node) => node.key === key) ?? {};
    return { x: x + across * width, y: y + down * height, edge };
  };
  const perform = (edit: Parameters<typeof applyEdit>[2]): string => {
    const result = applyEdit(document, emptyLayout, edit);
    if (!result.ok) return result.problem.message;
    return applyChanges(text, result.changes);
  };
  const insert = (point: ReturnType<typeof at>) => {
    const { target, preview } = planInsert({ flow, arrangement }, point);
    return {
      ...preview,
      text: perform(toInsertEdit({ flow, arrangement, selection: [], edge: null }, fragment, target)),
    };
  };
  const move = (key: string, point: ReturnType<typeof at>) => {
    const plan = planMove({ flow, arrangement }, key, { point, centre: point });
    return plan && { ...plan.preview, text: perform(plan.edit) };
  };
  return { arrangement, at, insert, move };
}

describe("a drop from the strip", () => {
  const { arrangement, at, insert } = open();
  const nowhere = { x: -5000, y: 0, edge: null };

  it.each([
    ["the left end of a card", at("a", 0.1, 0.5), "Insert before a", "flow: new >> a >> pair >> d"],
    ["the right end of a card", at("d", 0.9, 0.5), "Insert after d", "flow: a >> pair >> d >> new"],
    ["the middle of a card", at("d", 0.5, 0.9), "Run beside d", "flow: a >> pair >> (d | new)"],
    ["a card in a group", at("pair/b", 0.5, 0.5), "Run beside b, in pair", "flow: b | new | c"],
    ["a link", at("a", 1.2, 0.5, "a//pair"), "Insert between a and pair", "flow: a >> new >> pair >> d"],
    ["the empty canvas", nowhere, "Add to the end", "flow: a >> pair >> d >> new"],
  ])("on %s does what its words describe", (_, point, words, line) => {
    const dropped = insert(point);
    expect([dropped.words, dropped.text]).toEqual([words, expect.stringContaining(line)]);
  });

  it("shows a line beside the card, the link, or the place of the new card", () => {
    const d = arrangement.nodes.find(({ key }) => key === "d");
    const after = insert(at("d", 0.9, 0.5));
    expect(after).toMatchObject({ member: { x: d?.x, y: d?.y }, mark: { type: "line" } });
    expect(after.mark?.box.x).toBeGreaterThan((d?.x ?? 0) + (d?.width ?? 0));
    expect(insert(at("a", 1.2, 0.5, "a//pair"))).toMatchObject({ edge: "a//pair", mark: null });
    const end = insert(nowhere).mark;
    expect(end?.type).toBe("card");
    expect(end?.box.x).toBeGreaterThan((d?.x ?? 0) + (d?.width ?? 0));
  });

  it("adds a member where members have no order", () => {
    const team = open("agents: { lead: {}, hand: {} }\nswarm: { type: team, agents: [lead, hand] }\n");
    const dropped = team.insert(team.at("hand", 0.1, 0.5));
    expect([dropped.words, dropped.text]).toEqual(["Add as a member", expect.stringContaining("[lead, hand, new]")]);
  });
});

describe("a card that is dragged", () => {
  const { at, move } = open();

  it("moves onto a link that is not its own", () => {
    expect(move("spare", at("a", 1.2, 0.5, "a//pair"))).toMatchObject({
      words: "Move spare between a and pair",
      text: expect.stringContaining("a >> spare >> pair"),
    });
    expect(move("d", at("a", 1.2, 0.5, "a//pair"))?.text).toContain("flow: a >> d >> pair");
    expect(move("a", at("a", 1.2, 0.5, "a//pair"))).toBeNull();
  });

  it("moves into a frame, with the member that it goes next to", () => {
    const moved = move("d", at("pair/c", 0.5, 0.7));
    expect(moved).toMatchObject({ frame: "pair", words: "Move d into pair, beside c" });
    expect(moved?.text).toContain("flow: b | c | d");
  });

  it("only changes its position in its own frame", () => {
    expect(move("pair/b", at("pair/c", 0.5, 0.7))).toBeNull();
  });
});
