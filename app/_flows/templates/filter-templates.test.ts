import { describe, expect, it } from "vitest";
import type { Template } from "@/lib/templates/template";
import { filterTemplates, listUses } from "./filter-templates";

const templateOf = (title: string, use: Template["use"], about = ""): Template => ({
  name: title,
  title,
  about,
  source: `name: ${title}`,
  agents: 1,
  picture: { type: "blocks", columns: [] },
  use,
  input: "",
});
const templates = [
  templateOf("Research report", "Research", "A critic checks"),
  templateOf("Customer support", "Support"),
  templateOf("Market scan", "Research"),
];
const titles = (query: string, use: string | null = null) =>
  filterTemplates(templates, { query, use }).map(({ title }) => title);

describe("the templates of a gallery", () => {
  it("are found by every word, of any field", () => {
    expect(titles(" ")).toHaveLength(3);
    expect(titles("critic RESEARCH")).toEqual(["Research report"]);
    expect(titles("research", "Support")).toEqual([]);
    expect(titles("", "Research")).toEqual(["Research report", "Market scan"]);
  });

  it("are counted by use", () => {
    expect(listUses(templates)).toEqual([
      { label: "Research", value: "Research", count: 2 },
      { label: "Support", value: "Support", count: 1 },
    ]);
  });
});
