import { describe, expect, it } from "vitest";
import { isMap, type Node, visit } from "yaml";
import { moveEntry, moveNode } from "./move-nodes";
import { parseYaml } from "./parse-yaml";
import { findUnknownAliases, isInFlow, rangeOfNode, readEntries, readItems, readText, resolve } from "./yaml-nodes";

const entriesOf = (text: string) => {
  const document = parseYaml(text);
  return { document, entries: readEntries(document.contents, document) };
};
/** The text of the range of the value of `k`. */
const written = (text: string): string | undefined => {
  const range = rangeOfNode(entriesOf(text).entries?.get("k")?.value, text);
  return range && text.slice(range.from, range.to);
};

describe("the entries of a mapping", () => {
  it("are in order, by their keys as texts, and the first of equal keys counts", () => {
    const { entries } = entriesOf("b: 1\na: 2\n12: x\ntrue: y\nb: 3\n? [c]\n: 4\n");
    expect([...(entries ?? [])].map(([key, { value }]) => [key, readText(value)])).toEqual([
      ["b", "1"],
      ["a", "2"],
      ["12", "x"],
      ["true", "y"],
    ]);
  });

  it.each(["- a\n", "text\n", "", "*none\n"])("are none in %j", (text) => expect(entriesOf(text).entries).toBeNull());

  it("contain what an alias repeats", () => {
    const { entries, document } = entriesOf("a: &x [1, 2]\nb: *x\nc: *y\n");
    expect(readItems(entries?.get("b")?.value, document)?.map(readText)).toEqual(["1", "2"]);
    expect(entries?.get("c")?.value).toBeNull();
    expect(findUnknownAliases(document).map(({ source }) => source)).toEqual(["y"]);
  });

  it("take the nearest anchor above, for one name may be given twice", () => {
    const { entries, document } = entriesOf("a: &x 1\nb: *x\nc: &x 2\nd: *x\n");
    expect(["b", "d"].map((key) => readText(entries?.get(key)?.value ?? null))).toEqual(["1", "2"]);
    expect(resolve(entries?.get("d")?.pair.value, document)).toBe(entries?.get("c")?.value);
  });
});

describe("the range of a value", () => {
  it.each<[string, string, string]>([
    ["a plain text without its comment", "k: a b # c\n", "a b"],
    ["a quoted text", "k: 'a'   # c\n", "'a'"],
    ["a text over lines", "k: a\n  b\n\nl: 1\n", "a\n  b"],
    ["a list in brackets", "k: [a, b]  \nl: 1\n", "[a, b]"],
    ["a list with dashes, without the comment of its last item", "k:\n  - a\n  - b # c\n\nl: 1\n", "- a\n  - b"],
    ["a mapping", "k:\n  a: 1\n  b: 2\n\n# next\nl: 1\n", "a: 1\n  b: 2"],
    ["a literal block", "k: |\n  a\n  b\n\nl: 1\n", "|\n  a\n  b"],
    ["a block that keeps its last lines", "k: |+\n  a\n\n\nl: 1\n", "|+\n  a\n\n"],
    ["a block with spaces at its end", "k: |\n  a  \nl: 1\n", "|\n  a  "],
    ["a mapping that ends with a block", "k:\n  a: |+\n    b\n\nl: 1\n", "a: |+\n    b\n"],
    ["Windows line ends", "k: |\r\n  a\r\n  b\r\nl: 1\r\n", "|\r\n  a\r\n  b"],
  ])("is that of %s", (_, text, expected) => expect(written(text)).toBe(expected));

  it("of an entry is from its key to the end of its value, or to its colon", () => {
    const text = "a: 1\nk:\n  b: 2\n\nl:\n";
    const { entries } = entriesOf(text);
    const rangeText = (key: string): string => {
      const range = rangeOfNode(entries?.get(key)?.pair, text) ?? { from: 0, to: 0 };
      return text.slice(range.from, range.to);
    };
    expect([rangeText("k"), rangeText("l")]).toEqual(["k:\n  b: 2", "l:"]);
  });
});

describe("braces and brackets", () => {
  it.each<[string, string, boolean]>([
    ["a block", "k:\n  l: @\n", false],
    ["a mapping in braces", "k: { l: @ }\n", true],
    ["a list in brackets", "k:\n  l: [a, @]\n", true],
    ["a block after braces", "j: { a: b }\nk: @\n", false],
    ["a list with dashes", "k:\n  - @\n", false],
    ["a list in a list with dashes", "k:\n  - [@]\n", true],
  ])("are known around an offset in %s", (_, text, expected) => {
    expect(isInFlow(parseYaml(text.replace("@", "x")), text.indexOf("@"))).toBe(expected);
  });
});

describe("a moved node", () => {
  const text = "k: { a: [1, 'two'], b: &x { c: null } }\nl:\n  - *x\n";
  const rangesOf = (node: Node | null): unknown[] => {
    const ranges: unknown[] = [];
    visit(node, { Node: (_, { range }) => void ranges.push(range) });
    return ranges;
  };

  it("has every range further on, and leaves the first one as it was", () => {
    const { contents } = parseYaml(text);
    if (!isMap(contents)) throw new Error("a mapping is expected");
    const map = contents.items[0]?.value;
    if (!isMap(map)) throw new Error("a mapping is expected");
    const before = rangesOf(map);
    const moved = moveNode(map, 100);
    const further = before.map((range) => (Array.isArray(range) ? range.map((offset: number) => offset + 100) : range));
    expect(rangesOf(moved)).toEqual(further);
    expect(rangesOf(map)).toEqual(before);
    expect(isMap(moved) && moved.flow).toBe(true);
    expect(moved.toJSON()).toEqual(map.toJSON());
  });

  it("of an entry has the same key and value", () => {
    const entry = entriesOf(text).entries?.get("k");
    const moved = entry && moveEntry(entry, 7);
    expect(moved?.key).toBe("k");
    expect(moved?.keyNode.range).toEqual([7, 8, 8]);
    expect(moved?.pair.value).toBe(moved?.value);
    expect(moved?.pair.key).toBe(moved?.keyNode);
  });

  it("without a value stays without one", () => {
    const entry = entriesOf("k:\n").entries?.get("k");
    expect(entry && readText(moveEntry(entry, 3).value)).toBeNull();
  });
});
