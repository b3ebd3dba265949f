import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyLayout } from "../flow/edit";
import { anyFlow } from "../source/read/source.arbitrary";
import { readSource } from "../source/read-source";
import { arrangeFlow } from "./arrange-flow";
import { listVisible, nodesAt, type Outline, outlineFlow } from "./outline";

const read = (text: string) => readSource(text, { providers: [], tools: [] }).flow;

/** One line per row: indentation, relation of its children, label. */
const draw = ({ items }: Outline): string[] =>
  items.map(({ level, type, label, joins }) =>
    `${"  ".repeat(level - 1)}${type === "node" ? label : `${type} ${label}`.trim()}${joins ? ` (${joins})` : ""}`.trimEnd(),
  );

const kitchenSink = read(`name: Sink
agents: { a: {}, b: {}, c: {}, d: {}, e: {}, f: {}, g: {}, idle: {} }
groups:
  review: { type: parallel, flow: "b | c >> d" }
swarms:
  talk: { type: handoff, agents: [e, f], edges: [[e, f], [f, e]] }
branches:
  check: { condition: 'contains(input, "x")', if_true: g }
swarm:
  flow: a >> review >> talk >> check
`);

describe("outlineFlow", () => {
  it("mirrors parentheses, groups, lanes, members with their links, and unreached declarations", () => {
    expect(draw(outlineFlow(kitchenSink))).toEqual([
      "root Sink (serial)",
      "  a",
      "  review (parallel)",
      "    b",
      "    list (serial)",
      "      c",
      "      d",
      "  talk (members)",
      "    e",
      "      link f",
      "    f",
      "      link e",
      "  check (lanes)",
      "    lane if_true (serial)",
      "      g",
      "waiting (members)",
      "  idle",
    ]);
  });

  it("numbers each row among its siblings", () => {
    const { items, indexes } = outlineFlow(kitchenSink);
    expect(items[indexes.get("review/c") ?? -1]).toMatchObject({ level: 4, position: 1 });
    expect(items[indexes.get("talk/f") ?? -1]).toMatchObject({ level: 3, position: 2 });
    expect(indexes.get("talk/e//talk/f")).toBe(9);
  });

  it("has a row for every arranged node, parents before their children", () => {
    fc.assert(
      fc.property(anyFlow, (flow) => {
        const { items, indexes } = outlineFlow(flow);
        for (const { key } of arrangeFlow(flow, emptyLayout).nodes)
          expect(items[indexes.get(key) ?? -1]?.label).toBeDefined();
        expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
        items.forEach(({ parent, end, level }, index) => {
          expect(parent).toBeLessThan(index);
          expect(level).toBe((items[parent]?.level ?? 0) + 1);
          expect(end).toBeLessThanOrEqual(items[parent]?.end ?? items.length);
        });
      }),
    );
  });

  it("ends with the notes of the canvas", () => {
    const note = { x: 0, y: 0, width: 200, height: 100, text: "Ask Ann", color: "blue" } as const;
    const notes = { n: note, m: { ...note, text: "" } };
    const { items, indexes } = outlineFlow(kitchenSink, notes);
    expect(
      items.slice(-3).map(({ type, label, level, position, size }) => [type, label, level, position, size]),
    ).toEqual([
      ["notes", "", 1, 3, 3],
      ["note", "Ask Ann", 2, 1, 2],
      ["note", "empty", 2, 2, 2],
    ]);
    expect(items[0]).toMatchObject({ position: 1, size: 3 });
    expect(nodesAt({ items, indexes }, items.length - 3)).toEqual(["/n/", "/m/"]);
    expect(outlineFlow(kitchenSink, notes)).toBe(outlineFlow(kitchenSink, notes));
    expect(outlineFlow(kitchenSink).items.at(-1)?.label).toBe("idle");
  });

  it("is cached by flow", () => {
    expect(outlineFlow(kitchenSink)).toBe(outlineFlow(kitchenSink));
  });
});

describe("listVisible", () => {
  it("omits the descendants of a collapsed row", () => {
    const outline = outlineFlow(kitchenSink);
    const names = listVisible(outline, new Set(["review", "#waiting"])).map((index) => outline.items[index]?.label);
    expect(names).toEqual(["Sink", "a", "review", "talk", "e", "f", "f", "e", "check", "if_true", "g", ""]);
  });
});
