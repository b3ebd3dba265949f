import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diff, documentOf, edited } from "./edits.arbitrary";

const root = { type: "root" } as const;
const fileOf = (block: string, eol = "\n"): string =>
  `agents:\n  a:\n    instructions: ${block}\n    model: demo:x # last\nswarm:\n  flow: a\n`.replaceAll("\n", eol);
const textOf = (file: string): string | undefined => documentOf(file).flow.agents.get("a")?.instructions;
const set = (file: string, value: string): string =>
  edited(file, { type: "set-agent-field", name: "a", field: "instructions", value });

describe("a text in a block", () => {
  const rows = [
    "You plan a short article. Name the question",
    "to answer, then three angles that can be",
    "worked on at once.",
  ];
  const folded = `>-\n${rows.map((row) => `      ${row}`).join("\n")}\n\n      Answer in one paragraph.`;

  it.each([
    ["folded", folded],
    ["folded, with another indentation", folded.replaceAll("      ", "         ")],
    ["folded, with a line break at its end", folded.replace(">-", ">")],
    ["literal", folded.replace(">-", "|-")],
    ["literal, with a line break at its end", folded.replace(">-", "|")],
    ["literal, with its indentation stated", folded.replace(">-", "|2-")],
    ["literal, with a comment", folded.replace(">-", "| # why")],
    ["literal, with its empty lines", folded.replace(">-", "|+")],
  ])("%s: a change of one word is a change of one line", (_, block) => {
    for (const eol of ["\n", "\r\n"]) {
      const file = fileOf(block, eol);
      const before = textOf(file) ?? "";
      const after = set(file, before.replace("three", "four"));
      expect(textOf(after)).toBe(before.replace("three", "four"));
      const { gone, fresh } = diff(file, after);
      expect([gone.length, fresh.length]).toEqual([1, 1]);
      expect(fresh[0]).toBe(gone[0]?.replace("three", "four"));
    }
  });

  it("folded: only the line that grows too long is wrapped anew", () => {
    const file = fileOf(folded);
    const after = set(
      file,
      (textOf(file) ?? "").replace("three angles", `three angles ${"that matter ".repeat(6).trim()}`),
    );
    const { gone, fresh } = diff(file, after);
    expect(gone).toEqual([`      ${rows[1]}`]);
    expect(fresh.length).toBe(2);
    expect(fresh.every((line) => line.length <= 86)).toBe(true);
  });

  it("keeps its style when it becomes one line, and changes it only where the style cannot hold the text", () => {
    expect(set(fileOf("|-\n      a\n      b"), "a")).toContain("instructions: |-\n      a\n");
    expect(set(fileOf(">-\n      a\n      b"), "a c")).toContain("instructions: >-\n      a\n      c\n");
    expect(set(fileOf("|\n      a\n      b"), "a")).toContain("instructions: |-\n      a\n");
  });

  const line = fc.oneof(
    fc.constantFrom("", "word", "- a list", "  indented", "# no comment", "a: b", "'", '"', "two  spaces", "end "),
    fc
      .array(fc.constantFrom("plan", "the", "article", "with", "sources"), { minLength: 1, maxLength: 40 })
      .map((words) => words.join(" ")),
  );
  const text = fc.array(line, { minLength: 1, maxLength: 8 }).map((lines) => lines.join("\n"));
  const header = fc.constantFrom("|", "|-", "|+", ">", ">-", ">+");

  it("property: any text is read back as it was set, and lines outside the block stay", () => {
    fc.assert(
      fc.property(header, text, text, fc.boolean(), (sign, first, second, windows) => {
        const rows = first.split("\n").map((row) => (row === "" ? "" : `      ${row}`));
        const file = fileOf([sign, "      start", ...rows].join("\n"), windows ? "\r\n" : "\n");
        const after = set(file, second);
        expect(textOf(after)).toBe(second);
        const others = (source: string): string[] =>
          source.split(/\r?\n/).filter((row) => /^(?:\w| {2}\w| {4}model)/.test(row));
        expect(others(after)).toEqual(others(file));
        expect(set(after, second)).toBe(after);
      }),
      { numRuns: 150 },
    );
  });

  it("property: a text of one more word keeps every line of a folded block but one", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.constantFrom("plan", "cost", "tree"), { minLength: 1, maxLength: 8 }), {
          minLength: 2,
          maxLength: 8,
        }),
        fc.nat(),
        (words, pick) => {
          const rows = words.map((row, index) => [`row${index}`, ...row].join(" "));
          const file = fileOf([">-", ...rows.map((row) => `      ${row}`)].join("\n"));
          const name = `row${pick % rows.length}`;
          const after = set(file, (textOf(file) ?? "").replace(name, `${name} more`));
          expect(diff(file, after).gone.length).toBe(1);
          expect(diff(file, after).fresh.length).toBe(1);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe("a prompt of several lines", () => {
  const prompt = "First.\nThen: the rest.";
  const block = "\n    instructions: |-\n      First.\n      Then: the rest.";

  it("leaves its quotes", () => {
    expect(set(fileOf('"short" # why'), prompt)).toContain(
      "instructions: |- # why\n      First.\n      Then: the rest.\n",
    );
  });

  it("turns a declaration in braces into one key a line, the other values as written", () => {
    const file =
      "agents:\n  a: { model: 'demo:x', \"tools\":[calculator], max_steps: 4 } # first\n  b: { model: demo:y }\nswarm:\n  flow: a >> b\n";
    const after = set(file, prompt);
    expect(after).toContain(
      `  a: # first\n    model: 'demo:x'\n    "tools": [calculator]\n    max_steps: 4${block}\n  b: { model: demo:y }\n`,
    );
  });

  it("stays in braces where the whole section is", () => {
    expect(set("agents: { a: { model: demo:x } }\nswarm: { flow: a }\n", prompt)).toContain(
      'agents: { a: { model: demo:x, instructions: "First.\\nThen: the rest." } }',
    );
  });

  it("is a block in a new agent, which has one key a line", () => {
    const file = "agents:\n  a: { model: demo:x }\nswarm:\n  flow: a\n";
    const after = edited(
      file,
      { type: "add-agent", name: "b", model: "demo:y", instructions: prompt, scope: root, after: "a" },
      { type: "add-agent", name: "c", scope: root, after: "b" },
      { type: "set-agent-field", name: "c", field: "model", value: "demo:z" },
    );
    expect(after).toBe(
      `agents:\n  a: { model: demo:x }\n  b:\n    model: demo:y${block}\n  c:\n    model: demo:z\nswarm:\n  flow: a >> b >> c\n`,
    );
  });
});

describe("a condition", () => {
  it("is written in single quotes, and keeps the quotes it has", () => {
    const file = "agents:\n  a: {}\nbranches:\n  is_refund:\n    if_true: a\nswarm:\n  flow: is_refund\n";
    const change = (text: string, value: string): string =>
      edited(text, { type: "set-control-field", name: "is_refund", path: ["condition"], value });
    const after = change(file, 'contains(input, "refund")');
    expect(after).toContain(`    condition: 'contains(input, "refund")'\n`);
    expect(change(after, `input == "it's"`)).toContain(`    condition: 'input == "it''s"'\n`);
    const plain = file.replace("    if_true", "    condition: turn > 3\n    if_true");
    expect(change(plain, "turn > 4")).toContain("    condition: turn > 4\n");
  });
});
