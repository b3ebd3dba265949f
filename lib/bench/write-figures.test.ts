import { describe, expect, it } from "vitest";
import { formatTable, replaceFigures } from "./write-figures";

const page = (content: string): string =>
  `# Figures\n\n<!-- figures: engine -->\n${content}<!-- end of figures -->\n\nAfter.\n\n<!-- figures: canvas -->\n<!-- end of figures -->\n`;

describe("the figures in the documentation", () => {
  it("are replaced in their own block only, as often as needed", () => {
    const first = replaceFigures(page(""), "engine", "one");
    expect(first).toBe(page("\none\n\n"));
    expect(replaceFigures(first, "engine", "two")).toBe(page("\ntwo\n\n"));
  });

  it("need a block", () => {
    expect(() => replaceFigures(page(""), "timeline", "one")).toThrow('no block for the figures "timeline"');
  });

  it("are a Markdown table, also with a | in a name", () => {
    expect(formatTable(["case", "ms"], [["a | b", "1"]])).toBe("| case | ms |\n|---|---|\n| a \\| b | 1 |");
  });
});
