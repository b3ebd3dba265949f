import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyRepeatingFlow, writeCompleteFlow, writeTowerFlow } from "../../kinds/testing/repeating-flow.arbitrary";
import { readSource } from "../../source/read-source";
import { type FlowThumbnail, maxThumbnailUnits, type ThumbnailDrawing } from "./thumbnail";
import { toThumbnail } from "./to-thumbnail";

const names = ["a", "b", "c", "d"];
const thumbnailOf = (text: string, agents = names): FlowThumbnail =>
  toThumbnail(readSource(`agents: { ${agents.map((name) => `${name}: { model: demo:x }`).join(", ")} }\n${text}`).flow);
function drawingOf(text: string, agents = names): ThumbnailDrawing {
  const thumbnail = thumbnailOf(text, agents);
  if (thumbnail.type !== "drawing") throw new Error("expected a drawing");
  return thumbnail;
}
const countOf = ({ links }: ThumbnailDrawing, type: string): number => links.filter(([own]) => own === type).length;

describe("toThumbnail", () => {
  it("draws a flow from left to right, agents in the colours of the canvas", () => {
    const drawing = drawingOf("swarm: { flow: a >> (c | b) >> d }");
    expect(drawing.nodes.map(([shape, , , , , color]) => [shape, color])).toEqual([
      ["card", 4],
      ["card", 2],
      ["card", 5],
      ["card", 3],
    ]);
    expect(drawing.links).toHaveLength(4);
    expect(drawing).toMatchObject({ width: 3 * 46 + 2 * 30, height: 50 });
    const xs = drawing.nodes.map(([, x]) => x);
    expect(xs).toEqual([0, 76, 76, 152]);
  });

  it("gives each mode its own shape", () => {
    const team = drawingOf("swarm: { type: team, agents: [a, b, c, d] }");
    expect([team.nodes[0]?.[0], countOf(team, "spoke")]).toEqual(["frame", 3]);
    const handoff = drawingOf("swarm: { type: handoff, agents: [a, b, c], edges: [[a, b], [b, a], [a, c], [b, c]] }");
    expect([countOf(handoff, "both"), countOf(handoff, "flow"), countOf(handoff, "down")]).toEqual([1, 1, 1]);
    const orchestrate = drawingOf("swarm: { type: orchestrate, agents: [a] }");
    expect(orchestrate.nodes.map(([shape]) => shape)).toEqual(["dashed", "card", "ghost", "ghost", "ghost"]);
  });

  it("leaves room for the arrow between members that hand over in a column, less in a long one", () => {
    const spaceOf = (members: string): number[] => {
      const { nodes } = drawingOf(`swarm: { type: handoff, agents: [a, ${members}], edges: [${edgesTo(members)}] }`);
      const column = nodes.slice(2);
      return column.slice(1).map(([, , y], index) => y - (column[index]?.[2] ?? 0) - 20);
    };
    const edgesTo = (members: string): string =>
      members
        .split(", ")
        .map((name) => `[a, ${name}]`)
        .join(", ");
    expect(spaceOf("b, c")).toEqual([36]);
    expect(spaceOf("b, c, d")).toEqual([24, 24]);
  });

  it("draws controls as the canvas does", () => {
    const drawing = drawingOf(
      "branches: { urgent: { condition: 'input', if_true: a, if_false: b } }\nloops: { polish: { body: c >> d, count: 2 } }\napprovals: { ok: {} }\nswarm: { flow: urgent >> ok >> polish }",
    );
    expect(drawing.nodes.map(([shape]) => shape)).toEqual([
      "diamond",
      "card",
      "card",
      "hexagon",
      "frame",
      "card",
      "card",
    ]);
    expect(countOf(drawing, "back")).toBe(1);
  });

  it("has a loop and its members in line with what is before and after it", () => {
    const { nodes, links } = drawingOf(
      "loops: { again: { body: b >> c, count: 2 } }\nswarm: { flow: a >> again >> d }",
    );
    expect(new Set(nodes.map(([, , y, , height]) => y + height / 2)).size).toBe(1);
    for (const [type, , y1, , y2] of links) if (type === "flow") expect(y1).toBe(y2);
  });

  it("wraps a long chain into rows", () => {
    const agents = Array.from({ length: 12 }, (_, i) => `s${i}`);
    const drawing = drawingOf(`swarm: { flow: ${agents.join(" >> ")} }`, agents);
    expect(drawing.width).toBeLessThanOrEqual(360);
    expect(new Set(drawing.nodes.map(([, , y]) => y)).size).toBe(3);
    expect(countOf(drawing, "line")).toBe(2 * 4);
  });

  it("turns to the next row between both rows, all lanes together and around frames", () => {
    const agents = Array.from({ length: 12 }, (_, i) => `s${i}`);
    const flow = "s0 >> s1 >> s2 >> (s3 | s4) >> again >> s7 >> (s8 | s9 | s10) >> s11";
    const drawing = drawingOf(`loops: { again: { body: s5 >> s6, count: 2 } }\nswarm: { flow: ${flow} }`, agents);
    const turns = drawing.links.filter(([type, x1, y1, x2, y2]) => type === "line" && y1 === y2 && x1 > x2);
    expect(turns.length).toBeGreaterThan(0);
    for (const [, x1, turn, x2] of turns)
      for (const [, x, y, width, height] of drawing.nodes)
        expect(x < x1 && x2 < x + width && y <= turn && turn <= y + height).toBe(false);
  });

  it("shows agents of a flow without a topology", () => {
    expect(drawingOf("swarm: {}").nodes).toHaveLength(4);
    expect(toThumbnail(readSource("name: Empty\n").flow)).toEqual({
      type: "drawing",
      width: 0,
      height: 0,
      nodes: [],
      links: [],
    });
  });

  it("draws a large flow as columns of blocks, limited in size", () => {
    const agents = Array.from({ length: 300 }, (_, i) => `s${i}`);
    const flow = Array.from({ length: 60 }, (_, i) => {
      const [first, ...others] = agents.slice(i * 5, i * 5 + 5);
      return `${first} >> (${others.join(" | ")})`;
    }).join(" >> ");
    const thumbnail = thumbnailOf(`swarm: { flow: ${flow} }`, agents);
    expect(thumbnail).toMatchObject({ type: "blocks" });
    if (thumbnail.type === "blocks") expect(thumbnail.columns.slice(0, 3)).toEqual(["6", "1032", "5"]);
    const many = Array.from({ length: 5000 }, (_, i) => `s${i}`);
    expect(JSON.stringify(thumbnailOf(`swarm: { flow: ${many.join(" | ")} }`, many)).length).toBeLessThan(4000);
  });

  it("ends for a container that contains itself", () => {
    expect(() => drawingOf("groups: { g: { flow: a >> g } }\nswarm: { flow: g >> b }")).not.toThrow();
  });

  it("opens containers while there is room, and draws the others as cards", () => {
    for (const source of [writeCompleteFlow(7), writeTowerFlow(7, 4), writeTowerFlow(9, 7), writeCompleteFlow(14)]) {
      const thumbnail = toThumbnail(readSource(source).flow);
      if (thumbnail.type !== "drawing") throw new Error("expected a drawing");
      expect(thumbnail.nodes.length).toBeGreaterThan(20);
      expect(thumbnail.nodes.length).toBeLessThanOrEqual(120);
    }
  });

  it("is small for a short text whose few names have exponentially many places", () => {
    fc.assert(
      fc.property(anyRepeatingFlow, (source) => {
        const thumbnail = toThumbnail(readSource(source).flow);
        expect(JSON.stringify(thumbnail).length).toBeLessThanOrEqual(maxThumbnailUnits);
      }),
    );
  });

  it("is small for one name or link that is written thousands of times", () => {
    const names = Array.from({ length: 5000 }, () => "a");
    const sources = [
      `swarm: { flow: ${names.join(" >> ")} }`,
      `groups: { g: { flow: ${names.join(" >> ")} } }\nswarm: { flow: g >> g }`,
      `swarm: { type: handoff, agents: [a, b], edges: [${names.map(() => "[a, b]").join(", ")}] }`,
    ];
    for (const source of sources)
      expect(JSON.stringify(thumbnailOf(source)).length).toBeLessThanOrEqual(maxThumbnailUnits);
  });

  it("is small for every template", () => {
    for (const name of ["demo-article", "nested", "team", "loop", "router"]) {
      const source = readFileSync(`lib/templates/${name}.yaml`, "utf8");
      expect(JSON.stringify(toThumbnail(readSource(source).flow)).length).toBeLessThan(2000);
    }
  });
});
