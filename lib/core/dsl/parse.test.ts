import { readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { namesOf } from "../flow/expression";
import { applyChanges } from "../flow/text-change";
import { type FlowTextKind, parseFlow } from "./parse";
import { anyExpression, shape } from "./parse.arbitrary";
import { printFlow } from "./print";
import { toGraph } from "./series-parallel";

const conformanceCase = z.object({
  id: z.string(),
  dsl: z.string(),
  expect: z.object({
    ok: z.boolean(),
    code: z.string().optional(),
    edges: z.array(z.tuple([z.string(), z.string()])).optional(),
    layers: z.array(z.array(z.string())).optional(),
  }),
});

describe("conformance cases", () => {
  const lines = readFileSync(path.join(import.meta.dirname, "conformance/dsl.jsonl"), "utf8")
    .trim()
    .split("\n");
  it.each(lines.map((line) => conformanceCase.parse(JSON.parse(line))))("$id $dsl", ({ dsl, expect: wanted }) => {
    const { expression, problems } = parseFlow(dsl);
    expect(problems.length === 0).toBe(wanted.ok);
    if (wanted.code) expect(problems.map((problem) => problem.code)).toContain(wanted.code);
    if (!wanted.ok || !expression) return;
    const graph = toGraph(expression);
    expect(graph.edges).toEqual(wanted.edges);
    expect(graph.layers()).toEqual(wanted.layers);
  });
});

describe("parseFlow", () => {
  it("reads back what the printer wrote", () => {
    const kinds: FlowTextKind[] = ["flow", "group-parallel", "group-serial"];
    fc.assert(
      fc.property(anyExpression, fc.constantFrom(...kinds), (expression, as) => {
        const text = printFlow(expression, { as });
        const parsed = parseFlow(text, { as });
        expect(parsed.problems).toEqual([]);
        expect(parsed.expression && shape(parsed.expression)).toEqual(shape(expression));
        expect(printFlow(parsed.expression ?? expression, { as })).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it("never throws, and keeps every range inside the text", () => {
    const pieces = fc.constantFrom(
      "a",
      "b ",
      "(",
      ")",
      "|",
      ">>",
      "->",
      ">",
      ",",
      '"',
      "#",
      " ",
      "\n",
      "\\",
      "→",
      "=>",
      "x y",
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 25 }).map((parts) => parts.join("")),
        (text) => {
          const { expression, problems } = parseFlow(text);
          expect(expression === null).toBe(problems.some((problem) => problem.code !== "duplicate-name"));
          for (const { range } of problems) {
            expect(range?.from).toBeGreaterThanOrEqual(0);
            expect(range?.to).toBeLessThanOrEqual(text.length);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("offers fixes that lead to a text without problems", () => {
    const broken = [
      "a -> b",
      "a, b, c",
      "a > b",
      "a >>> b",
      "a | b",
      "a >> b | c >> d",
      "a >>",
      ">> a",
      "a >> >> b",
      "(a | b",
      "a) >> b",
      "(a | ) >> b",
      "(a || b)",
      '"a >> b',
      "(a | b)(c | d)",
      "a => b → c",
      "(a | b) c >> d",
    ];
    for (const start of broken) {
      let text = start;
      for (let round = 0; round < 6; round++) {
        const problem = parseFlow(text).problems[0];
        if (!problem) break;
        expect(problem.fix, `${text}: ${problem.code}`).toBeDefined();
        text = applyChanges(text, problem.fix?.changes ?? []);
      }
      expect(parseFlow(text).problems, `${start} became ${text}`).toEqual([]);
    }
  });

  it.each([
    ["a >> b # note", ["a", "b"]],
    ["# note\na # >> x\n >> b", ["a", "b"]],
    ["x_1#2 >> b", ["x_1#2", "b"]],
    ['"my >> agent" >> "say \\"hi\\""', ["my >> agent", 'say "hi"']],
    ["my-agent >> b-", ["my-agent", "b-"]],
    ["x->>y", ["x-", "y"]],
    ["a\n>> (\nb |\nc\n)", ["a", "b", "c"]],
    ["\uFEFFa >> \u200Bb", ["a", "\u200Bb"]],
    ["\u001Ca\u0085 >> b", ["a", "b"]],
  ])("reads the names of %j", (text, expected) => {
    const { expression, problems } = parseFlow(text);
    expect(problems).toEqual([]);
    expect(expression && namesOf(expression).map(({ name }) => name)).toEqual(expected);
  });

  it("points at the mistake", () => {
    expect(parseFlow("a -> b").problems[0]?.range).toEqual({ from: 2, to: 4 });
    expect(parseFlow("a >> (b | ) >> c").problems[0]?.range).toEqual({ from: 8, to: 9 });
    expect(parseFlow("a >> b >> a").problems[0]?.range).toEqual({ from: 10, to: 11 });
  });

  it("stops at the depth limit and stays linear on huge texts", () => {
    expect(parseFlow(`${"(".repeat(100_000)}a${")".repeat(100_000)}`).problems[0]?.code).toBe("too-deep");
    const wide = Array.from({ length: 100_000 }, (_, index) => `agent_${index}`).join(" >> ");
    expect(parseFlow(wide).problems).toEqual([]);
    expect(parseFlow(`${"(".repeat(199)}a${")".repeat(199)}`).problems).toEqual([]);
  });
});
