import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type SearchArea, searchAreas } from "../../kinds/search-field";
import { edited } from "../edit/edits.arbitrary";
import { anyFlow } from "../read/source.arbitrary";
import { readSource } from "../read-source";
import { writeSource } from "../write-source";
import { rangeOfHit, replaceHits, type SearchQuery, searchFlow, toFinder } from "./search-flow";

const text = `agents:
  scout:
    model: demo:scout
    tools: [read_page, web_search]
    instructions: |
      You scout. Look up \${outputs.writer}.
  writer: { model: "openai:gpt", description: Scouts words }
branches:
  is_it: { condition: 'contains(outputs.scout, "a+b")', if_true: writer }
routers:
  desk: { model: "demo:router", lanes: { one: { when: the scout knows, flow: writer } } }
approvals:
  check: { message: May the scout go on? }
swarm: { flow: scout >> is_it >> desk >> check }
`;
const { flow } = readSource(text);
const all = new Set<SearchArea>(searchAreas);

function search(query: Partial<SearchQuery>, areas = all) {
  const finder = toFinder({ text: "", matchCase: false, pattern: false, ...query });
  if (!finder?.ok) throw new Error(finder?.message ?? "nothing is asked");
  return searchFlow(flow, finder.find, areas);
}
const places = (query: Partial<SearchQuery>, areas = all) =>
  search(query, areas).map(({ owner, label, text: value, range }) => [owner, label, value.slice(range.from, range.to)]);

describe("a search", () => {
  it("finds names, instructions, models, tools and the rest, in the order of the file", () => {
    expect(places({ text: "scout" })).toEqual([
      ["scout", "Name", "scout"],
      ["scout", "Model", "scout"],
      ["scout", "Instructions", "scout"],
      ["writer", "Description", "Scout"],
      ["is_it", "Condition", "scout"],
      ["desk", "When one", "scout"],
      ["check", "Question", "scout"],
    ]);
    expect(places({ text: "Scout", matchCase: true })).toEqual([["writer", "Description", "Scout"]]);
    expect(places({ text: "scout" }, new Set(["names"]))).toEqual([["scout", "Name", "scout"]]);
    expect(places({ text: "web" })).toEqual([["scout", "Tool", "web"]]);
  });

  it("takes signs as they are unless a pattern is asked for, and refuses patterns that cannot be bounded", () => {
    expect(places({ text: "a+b" })).toEqual([["is_it", "Condition", "a+b"]]);
    expect(places({ text: "sc(o)ut?s", pattern: true })).toEqual([["writer", "Description", "Scouts"]]);
    expect(places({ text: "x*", pattern: true })).toEqual([]);
    expect(toFinder({ text: "(a)\\1", matchCase: true, pattern: true })).toMatchObject({ ok: false });
    expect(toFinder({ text: "x".repeat(501), matchCase: true, pattern: false })).toMatchObject({ ok: false });
    expect(toFinder({ text: "", matchCase: true, pattern: true })).toBeNull();
  });
});

describe("a place that was found", () => {
  it("has its range in the file", () => {
    const document = readSource(text);
    for (const hit of search({ text: "scout" })) {
      const range = rangeOfHit(document, hit);
      expect(range && text.slice(range.from, range.to).toLowerCase()).toBe("scout");
    }
    const [tool] = search({ text: "web" });
    const range = tool && rangeOfHit(document, tool);
    expect(range && text.slice(range.from, range.to + 7)).toBe("web_search");
  });
});

describe("replacing", () => {
  it("renames with every reference, and changes fields in place", () => {
    const result = edited(text, ...replaceHits(flow, search({ text: "scout" }), "ranger"));
    const after = readSource(result).flow;
    expect([...after.agents.keys()]).toEqual(["ranger", "writer"]);
    expect(after.agents.get("ranger")).toMatchObject({ model: "demo:ranger", tools: ["read_page", "web_search"] });
    expect(after.agents.get("writer")?.description).toBe("rangers words");
    expect(after.controls.get("is_it")).toMatchObject({ condition: 'contains(outputs.ranger, "a+b")' });
    expect(result).toContain("flow: ranger >> is_it >> desk >> check");
    expect(searchFlow(after, (value) => [...value.matchAll(/scout/gi)].map(() => ({ from: 0, to: 1 })), all)).toEqual(
      [],
    );
  });

  it("takes out tools and fields that nothing is left of", () => {
    const result = edited(text, ...replaceHits(flow, search({ text: "web_search" }), ""));
    expect(readSource(result).flow.agents.get("scout")?.tools).toEqual(["read_page"]);
  });

  it("property: with the same text changes nothing", () => {
    fc.assert(
      fc.property(anyFlow, fc.constantFrom("a", "e", "demo", " "), (start, wanted) => {
        const finder = toFinder({ text: wanted, matchCase: true, pattern: false });
        const hits = finder?.ok ? searchFlow(start, finder.find, all) : [];
        for (const { text: value, range } of hits) expect(value.slice(range.from, range.to)).toBe(wanted);
        expect(replaceHits(start, hits, wanted)).toEqual([]);
        expect(readSource(writeSource(start)).broken).toBe(false);
      }),
      { numRuns: 10 },
    );
  });
});
