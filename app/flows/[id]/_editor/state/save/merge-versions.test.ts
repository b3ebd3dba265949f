import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyLayout, type Layout } from "@/lib/core/flow/edit";
import { mergeVersions } from "./merge-versions";
import type { Snapshot } from "./snapshot";

const base = `# A flow
agents:
  a: { model: "demo:x" }
  b: { model: "demo:x" }
  c: { model: "demo:x" }

swarm:
  flow: a >> b >> c
`;
const version = (source: string, layout: Layout = emptyLayout): Snapshot => ({ source, layout });
const merge = (mine: string, theirs: string, from = base) =>
  mergeVersions(version(from), version(mine), version(theirs));
const pins = (entries: Record<string, number>): Layout => ({
  pins: Object.fromEntries(Object.entries(entries).map(([key, dx]) => [key, { dx, dy: 0 }])),
});

describe("merging two versions", () => {
  it("takes changes at different places from both", () => {
    const mine = base.replace("a: { model", "a: { max_steps: 3, model");
    const theirs = base.replace("flow: a >> b >> c", "flow: (a | b) >> c");
    const both = mine.replace("flow: a >> b >> c", "flow: (a | b) >> c");
    expect(merge(mine, theirs)).toMatchObject({ conflicts: 0, text: both, suspicious: false });
    expect(merge(theirs, mine)).toMatchObject({ conflicts: 0, text: both });
  });

  it("takes the same change on both sides once", () => {
    const both = base.replace("# A flow", "# The flow");
    expect(merge(both, both)).toMatchObject({ conflicts: 0, text: both });
  });

  it("shows what both changed, with the base", () => {
    const [mine, theirs] = [base.replace("a >> b", "b >> a"), base.replace("a >> b", "(a | b)")];
    const { chunks, conflicts, text } = merge(mine, theirs);
    expect([conflicts, text]).toEqual([1, mine]);
    expect(chunks.find(({ type }) => type === "conflict")).toEqual({
      type: "conflict",
      number: 1,
      mine: "  flow: b >> a >> c\n",
      base: "  flow: a >> b >> c\n",
      theirs: "  flow: (a | b) >> c\n",
    });
  });

  it.each([
    ["before", '  a2: {}\n  b: { model: "demo:x" }\n', '  a2: {}\n  b: { model: "demo:y" }\n'],
    ["after", '  b: { model: "demo:x" }\n  b2: {}\n', '  b: { model: "demo:y" }\n  b2: {}\n'],
  ])("takes lines that one side added %s a line that the other side changed", (_, added, both) => {
    const line = '  b: { model: "demo:x" }\n';
    const [mine, theirs] = [base.replace(line, added), base.replace(line, line.replace("demo:x", "demo:y"))];
    expect(merge(mine, theirs)).toMatchObject({ conflicts: 0, text: base.replace(line, both) });
    expect(merge(theirs, mine)).toMatchObject({ conflicts: 0, text: base.replace(line, both) });
  });

  it("asks where one side added to what the other side removed", () => {
    const line = '  b: { model: "demo:x" }\n';
    const [mine, theirs] = [base.replace(line, `${line}  # of b\n`), base.replace(line, "")];
    expect(merge(mine, theirs).conflicts).toBe(1);
    expect(merge(theirs, mine).conflicts).toBe(1);
  });

  it("asks a person when both texts can be read and the merged one cannot", () => {
    const mine = base.replace("  b: {", "  b2: {").replace(">> b >>", ">> b2 >>");
    const theirs = base.replace("swarm:", "groups:\n  g: { flow: b | c }\nswarm:");
    expect(merge(mine, theirs)).toMatchObject({ conflicts: 0, suspicious: true });
  });

  it("merges pins by key", () => {
    const merged = mergeVersions(
      version(base, pins({ a: 1, b: 1, c: 1 })),
      version(base, pins({ a: 2, b: 1 })),
      version(base, pins({ a: 3, b: 4, c: 1, d: 5 })),
    );
    expect(merged.layout).toEqual(pins({ a: 2, b: 4, d: 5 }));
  });

  it("of one entry both changes of different fields stay, and what one side alone changed", () => {
    const note = { x: 0, y: 0, width: 200, height: 100, text: "", color: "yellow" } as const;
    const wide = { fit: { density: "compact" } } as const;
    const layout = (fields: object, rest: Partial<Layout>): Layout => ({
      pins: {},
      notes: { a: { ...note, ...fields } },
      ...rest,
    });
    const mergeLayouts = (from: Layout, mine: Layout, theirs: Layout): Layout =>
      mergeVersions(version(base, from), version(base, mine), version(base, theirs)).layout;
    const from = layout({}, wide);
    expect(mergeLayouts(from, layout({ text: "mine" }, wide), layout({ x: 9 }, {}))).toEqual(
      layout({ text: "mine", x: 9 }, {}),
    );
    const theirFit = { fit: { density: "compact", wrap: 900 } } as const;
    expect(mergeLayouts(from, from, layout({}, theirFit))).toEqual(layout({}, theirFit));
    expect(mergeLayouts(from, layout({}, theirFit), from)).toEqual(layout({}, theirFit));
    expect(mergeLayouts(from, layout({}, {}), from)).toEqual(layout({}, {}));
    expect(mergeLayouts(from, layout({}, { fit: { wrap: 1 } }), layout({}, theirFit))).toEqual(
      layout({}, { fit: { wrap: 1 } }),
    );
  });

  it("a group is folded that either side folded, and one that either side unfolded is not", () => {
    const folded = (...keys: string[]): Snapshot => version(base, { pins: {}, folded: keys });
    const { layout } = mergeVersions(folded("a", "b"), folded("a", "c"), folded("a", "b", "d"));
    expect(layout.folded?.toSorted()).toEqual(["a", "c", "d"]);
  });

  it("merges notes one by one, and loses nothing that was written at the same time", () => {
    const note = { x: 0, y: 0, width: 200, height: 100, text: "", color: "yellow" } as const;
    const notes = (texts: Record<string, string>): Layout => ({
      pins: {},
      notes: Object.fromEntries(Object.entries(texts).map(([id, text]) => [id, { ...note, text }])),
    });
    const from = notes({ a: "1", b: "1", c: "1" });
    const mine = notes({ a: "1 mine", b: "1", note: "mine", note_2: "same" });
    const theirs = notes({ a: "their 1", b: "4", c: "1", note: "theirs", note_2: "same" });
    const { layout } = mergeVersions(version(base, from), version(base, mine), version(base, theirs));
    expect(layout).toEqual(notes({ a: "their 1 mine", b: "4", note: "theirs", note_3: "mine", note_2: "same" }));
    expect(mergeVersions(version(base, from), version(base), version(base, from)).layout).toEqual(emptyLayout);
  });

  it("property: changes of one side alone win, and no line is lost", () => {
    const line = fc.constantFrom("a", "b", "c", "", "  d");
    const text = fc
      .tuple(fc.array(line, { maxLength: 8 }), fc.boolean())
      .map(([lines, open]) => lines.join("\n") + (open ? "" : "\n"));
    fc.assert(
      fc.property(text, text, text, (from, mine, theirs) => {
        expect(merge(mine, from, from).text).toBe(mine);
        expect(merge(from, theirs, from).text).toBe(theirs);
        const { chunks } = merge(mine, theirs, from);
        const side = (which: "mine" | "theirs") =>
          chunks.map((chunk) => (chunk.type === "same" ? chunk.text : chunk[which])).join("");
        const words = (one: string) => one.split("\n").filter((word) => word !== "" && !from.includes(word));
        for (const word of words(mine)) expect(side("mine")).toContain(word);
        for (const word of words(theirs)) expect(side("theirs")).toContain(word);
      }),
      { numRuns: 150 },
    );
  });
});
