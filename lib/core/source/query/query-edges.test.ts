import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type SearchArea, searchAreas } from "../../kinds/search-field";
import { edited } from "../edit/edits.arbitrary";
import { readSource } from "../read-source";
import { findName, nameWrittenAt } from "./find-names";
import { previewMode } from "./preview-mode";
import { mostHits, rangeOfHit, replaceHits, searchFlow, toFinder } from "./search-flow";

const all = new Set<SearchArea>(searchAreas);
const finderOf = (text: string, { matchCase = false, pattern = false } = {}) => {
  const finder = toFinder({ text, matchCase, pattern });
  if (!finder?.ok) throw new Error(finder?.message ?? "nothing is asked");
  return finder.find;
};
const hitsIn = (source: string, text: string, options = {}) =>
  searchFlow(readSource(source).flow, finderOf(text, options), all);

describe("a finder", () => {
  it.each<[query: string, options: { matchCase?: boolean; pattern?: boolean }, text: string, matches: string[]]>([
    ["aa", {}, "aaaaa", ["aa", "aa"]],
    ["É", {}, "é É", ["é", "É"]],
    ["É", { matchCase: true }, "é É", ["É"]],
    [".*+?^{}$()|[]\\", {}, "x .*+?^{}$()|[]\\ y", [".*+?^{}$()|[]\\"]],
    ["a|b", {}, "a b a|b", ["a|b"]],
    ["a|b", { pattern: true }, "A b", ["A", "b"]],
    ["a|b", { pattern: true, matchCase: true }, "A b", ["b"]],
    ["\\d+", { pattern: true }, "12 and 345", ["12", "345"]],
    ["x", {}, "", []],
    ["\n", {}, "a\nb", ["\n"]],
  ])("of %j with %j finds its places in %j", (query, options, text, matches) => {
    const ranges = finderOf(query, options)(text);
    expect(ranges.map(({ from: start, to: end }) => text.slice(start, end))).toEqual(matches);
  });

  it("refuses queries that are too long, with the numbers", () => {
    expect(toFinder({ text: "x".repeat(501), matchCase: false, pattern: false })).toEqual({
      ok: false,
      message: "Expected at most 500 characters to look for, found 501. Look for less.",
    });
    expect(toFinder({ text: "x".repeat(500), matchCase: false, pattern: false })?.ok).toBe(true);
  });

  it("property: a literal query finds itself wherever it is", () => {
    const anyQuery = fc.string({ minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(anyQuery, fc.string({ maxLength: 8 }), (query, around) => {
        const ranges = finderOf(query, { matchCase: true })(around + query);
        expect(ranges.some(({ to: end }) => end === (around + query).length) || (around + query).includes(query)).toBe(
          true,
        );
        expect(ranges.every(({ from: start, to: end }) => (around + query).slice(start, end) === query)).toBe(true);
        expect(ranges.length).toBeGreaterThan(0);
      }),
    );
  });
});

describe("hits in a flow", () => {
  it("are at most 2,000, the first ones of the file", () => {
    const source = `agents:\n  a: { instructions: "${"x".repeat(1500)}" }\n  b: { instructions: "${"x".repeat(1500)}" }\nswarm: { flow: a >> b }\n`;
    const hits = hitsIn(source, "x");
    expect(hits).toHaveLength(mostHits);
    expect(hits.filter(({ owner }) => owner === "b")).toHaveLength(500);
  });

  it("have the range of the whole value where folds prevent an exact one, and none without a declaration", () => {
    const source = "agents:\n  a:\n    instructions: >\n      find\n      facts\nswarm: { flow: a }\n";
    const document = readSource(source);
    const [hit] = hitsIn(source, "facts");
    const range = hit && rangeOfHit(document, hit);
    expect(range && source.slice(range.from, range.to)).toContain("facts");
    expect(hit && rangeOfHit(readSource("agents: { b: {} }\n"), hit)).toBeNull();
  });

  it("are found under the name that Orbiter has for instructions, and in items of lists", () => {
    const source = "agents:\n  a:\n    system_prompt: find facts\n    tools: [one, facts]\nswarm: { flow: a }\n";
    const document = readSource(source);
    const written = hitsIn(source, "facts").map((hit) => rangeOfHit(document, hit)?.from);
    expect(written.toSorted()).toEqual([source.indexOf("facts"), source.lastIndexOf("facts")]);
  });
});

describe("replacing hits", () => {
  const replaced = (source: string, query: string, replacement: string): string => {
    const { flow } = readSource(source);
    return edited(source, ...replaceHits(flow, searchFlow(flow, finderOf(query), all), replacement));
  };

  it.each<[what: string, query: string, replacement: string, line: string]>([
    ["several places of one text", "o", "0", "instructions: f00 b00"],
    ["a text that becomes empty", "foo boo", "", "a:"],
    ["one tool of several", "read", "write", "tools: [write_page, search]"],
    ["a tool that becomes empty", "search", "", "tools: [read_page]"],
  ])("changes %s", (_, query, replacement, line) => {
    const source = "agents:\n  a:\n    instructions: foo boo\n    tools: [read_page, search]\nswarm: { flow: a }\n";
    expect(replaced(source, query, replacement)).toContain(line);
  });

  it("renames a node last, so that other edits of it still find it", () => {
    const source = "agents:\n  scout:\n    instructions: a scout\nswarm:\n  flow: scout\n";
    const { flow } = readSource(source);
    const edits = replaceHits(flow, searchFlow(flow, finderOf("scout"), all), "finder");
    expect(edits.map(({ type }) => type)).toEqual(["set-agent-field", "rename"]);
    expect(edited(source, ...edits)).toBe("agents:\n  finder:\n    instructions: a finder\nswarm:\n  flow: finder\n");
  });

  it("changes nothing where the replacement is what is there, or nothing was found", () => {
    const { flow } = readSource("agents: { a: { instructions: x } }\nswarm: { flow: a }\n");
    expect(replaceHits(flow, searchFlow(flow, finderOf("x"), all), "x")).toEqual([]);
    expect(replaceHits(flow, [], "y")).toEqual([]);
  });
});

describe("names in a text", () => {
  const source =
    "agents: { a: {}, b: {} }\ngroups: { g: { type: parallel, flow: a | b } }\nswarm: { flow: b >> g >> c }\n";
  const document = readSource(source);
  const written = (name: string) => {
    const { declaration, references } = findName(document, name);
    return [declaration, ...references].map((range) => range && source.slice(range.from, range.to));
  };

  it.each<[name: string, places: (string | null)[]]>([
    ["b", ["b", "b", "b"]],
    ["g", ["g", "g"]],
    ["c", [null, "c"]],
    ["nothing", [null]],
  ])("%s are its declaration and its uses", (name, places) => {
    expect(written(name)).toEqual(places);
  });

  it("are known at both of their ends, and not next to them", () => {
    const start = source.lastIndexOf("c");
    for (const offset of [start, start + 1]) expect(nameWrittenAt(document, offset)?.name).toBe("c");
    for (const offset of [start - 1, start + 3]) expect(nameWrittenAt(document, offset)).toBeNull();
  });
});

describe("a change of mode", () => {
  const agents = "agents: { a: {}, b: {}, c: {} }\n";

  it("from one lead to another kind of lead changes what its links mean", () => {
    const preview = previewMode(
      readSource(`${agents}swarm: { type: team, agents: [a, b, c] }\n`),
      { type: "root" },
      "orchestrate",
    );
    expect(preview.ok && preview.links).toEqual([
      { from: "a", to: "b", before: "delegation", after: "spawn" },
      { from: "a", to: "c", before: "delegation", after: "spawn" },
    ]);
  });

  it("to the same mode leaves every link", () => {
    const preview = previewMode(readSource(`${agents}swarm: { flow: a >> (b | c) }\n`), { type: "root" }, "workflow");
    expect(preview.ok && preview.links).toEqual([
      { from: "a", to: "b", before: "step", after: "step" },
      { from: "a", to: "c", before: "step", after: "step" },
    ]);
  });

  it("of something that is no swarm is refused with a message", () => {
    const scope = { type: "swarm", name: "missing" } as const;
    expect(previewMode(readSource(`${agents}swarm: { flow: a }\n`), scope, "team")).toEqual({
      ok: false,
      message: expect.any(String),
    });
  });
});
