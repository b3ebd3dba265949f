import { describe, expect, it, vi } from "vitest";
import { findEntries, type ListEntry } from "./list-entry";

const entry = (title: string, group: string, words?: string): ListEntry => ({
  id: `${group} ${title}`,
  title,
  group,
  run: vi.fn(),
  ...(words === undefined ? {} : { words }),
});

const entries = [
  entry("Run this flow", "Run", "start execute"),
  entry("Fit view", "View", "zoom everything"),
  entry("researcher", "Go to a card"),
  entry("reviewer", "Go to a card"),
];
const titles = (query: string) =>
  findEntries(entries, query).map(([group, found]) => [group, found.map((e) => e.title)]);

describe("the palette's lines", () => {
  it("are grouped while nothing was typed", () => {
    expect(titles(" ")).toEqual([
      ["Run", ["Run this flow"]],
      ["View", ["Fit view"]],
      ["Go to a card", ["researcher", "reviewer"]],
    ]);
  });

  it("are found by letters of their title and by other words, the best group first", () => {
    expect(titles("rev")[0]).toEqual(["Go to a card", ["reviewer"]]);
    expect(titles("zoom")).toEqual([["View", ["Fit view"]]]);
    expect(titles("rsrchr")[0]).toEqual(["Go to a card", ["researcher"]]);
    expect(titles("nothing of the kind")).toEqual([]);
  });

  it("are never more than can be read", () => {
    const many = Array.from({ length: 20_000 }, (_, index) => entry(`agent_${index}`, "Go to a card"));
    expect(findEntries(many, "")[0]?.[1]).toHaveLength(30);
    expect(findEntries(many, "agent")[0]?.[1]).toHaveLength(60);
  });
});
