import { readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type FlowTextKind, namesOf } from "../flow/expression";
import type { Problem } from "../flow/problem";
import { applyChanges } from "../flow/text-change";
import { parseFlow } from "./parse";
import { anyExpression, plainExpression, shape } from "./parse.arbitrary";
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

const kinds: FlowTextKind[] = ["flow", "group-parallel", "group-serial"];
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
  "|>",
  ">>>>",
  "a >> b",
);
const soup = fc.array(pieces, { maxLength: 25 }).map((parts) => parts.join(""));

const count = (problems: readonly Problem[], code: string): number =>
  problems.filter((problem) => problem.code === code).length;

describe("parseFlow", () => {
  it("reads back what the printer wrote", () => {
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
    fc.assert(
      fc.property(soup, fc.constantFrom(...kinds), (text, as) => {
        const { expression, problems } = parseFlow(text, { as });
        expect(expression === null).toBe(problems.some((problem) => problem.code !== "duplicate-name"));
        for (const { range } of problems) {
          expect(range?.from).toBeGreaterThanOrEqual(0);
          expect(range?.to).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["a -> b", "a >> b"],
    ["a->b", "a >> b"],
    ["a ->> b", "a >> b"],
    ["a, b, c", "a >> b >> c"],
    ["(a, b) >> c", "(a | b) >> c"],
    ["a > b", "a >> b"],
    ["a >>> b", "a >> b"],
    ["a |> b", "a >> b"],
    ["a => b → c", "a >> b >> c"],
    ["a | b", "(a | b)"],
    ["a >> b | c >> d", "a >> (b | c) >> d"],
    ["a >>", "a"],
    ["a ->", "a"],
    [">> a", "a"],
    ["a >> >> b", "a >> b"],
    ["a >>>> b", "a >> b"],
    ["(a | ) >> b", "(a) >> b"],
    ["(a || b)", "(a | b)"],
    ["(| a)", "(a)"],
    ["a >> () >> b", "a >> b"],
    ["(() | a)", "(a)"],
    ["a >> ((())) # note", "a # note"],
    ["(a | b", "(a | b)"],
    ["(a | b >> c", "(a | b) >> c"],
    ["x >> (a >> b # note", "x >> (a >> b) # note"],
    ["a >> (", "a"],
    ["a) >> b", "a >> b"],
    ["x >> a | b) >> c", "x >> (a | b) >> c"],
    ["(a | b)) >> c", "(a | b) >> c"],
    ['"a >> b', '"a" >> b'],
    ['my "agent', 'my >> "agent"'],
    ['a >> "" >> b', "a >> b"],
    ["(a | b)(c | d)", "(a | b) >> (c | d)"],
    ["(a | b) c >> d", "(a | b) >> c >> d"],
    ["a\nb", "a\n>> b"],
    ["a >> b >> a", "a >> b"],
    ["(a | a) >> b", "(a) >> b"],
    ["(x | a >> b) >> a", "(x | a >> b)"],
    ["a >> b >> (c | a >> d)", "a >> b >> (c | d)"],
  ])("mends %j to %j", (broken, mended) => {
    let text = broken;
    for (let [problem] = parseFlow(text).problems; problem; [problem] = parseFlow(text).problems) {
      expect(problem.fix, `${text}: ${problem.code}`).toBeDefined();
      text = applyChanges(text, problem.fix?.changes ?? []);
    }
    expect(text).toBe(mended);
  });

  it.each([
    ["a ->", 1],
    ["a,", 1],
    [">>", 1],
    ["a >> >> >> b", 2],
    ["((()))", 1],
    ["(a | b) c (d", 3],
    ["a -> b, c > d", 3],
    ["a >> () >> (b || c) >> d | e >> a", 4],
    ["(", 1],
  ])("finds every mistake of %j once: %i", (text, count) => {
    expect(parseFlow(text).problems).toHaveLength(count);
  });

  it("mends one mistake in a good text with one fix", () => {
    const mistakes = fc.constantFrom(">>", "->", ",", "|", "(", ")", "()", '"', ">", " a ", " (a) ");
    const place = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(plainExpression, mistakes, place, (expression, mistake, where) => {
        const good = printFlow(expression);
        const at = Math.floor(where * good.length);
        const text = good.slice(0, at) + mistake + good.slice(at);
        const { problems } = parseFlow(text);
        for (const { code, fix } of problems) {
          expect(fix, `${text}: ${code}`).toBeDefined();
          const next = parseFlow(applyChanges(text, fix?.changes ?? [])).problems;
          expect(count(next, code), `${text}: ${code}`).toBeLessThan(count(problems, code));
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("comes to an end when every fix is taken, whatever the text", () => {
    fc.assert(
      fc.property(soup, (start) => {
        let text = start;
        for (let steps = 0; steps < 100; steps++) {
          const fix = parseFlow(text).problems.find((problem) => problem.fix)?.fix;
          if (!fix) return;
          text = applyChanges(text, fix.changes);
        }
        throw new Error(`fixes never end: ${start} became ${text}`);
      }),
      { numRuns: 2000 },
    );
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

  it("reads the members of a named group", () => {
    expect(shapeOf("a | b", "group-parallel")).toEqual({ parallel: ["a", "b"] });
    expect(shapeOf("(a | b)", "group-parallel")).toEqual({ parallel: ["a", "b"] });
    expect(shapeOf("a >> b | c", "group-parallel")).toEqual({ parallel: [{ serial: ["a", "b"] }, "c"] });
    expect(shapeOf("a >> (b | c)", "group-serial")).toEqual({ serial: ["a", { parallel: ["b", "c"] }] });
    expect(parseFlow("a | b", { as: "group-serial" }).problems[0]?.code).toBe("bare-parallel");
  });

  it("stops at the depth limit with one problem, and continues after it", () => {
    const nest = (depth: number): string => `${"(".repeat(depth)}a${")".repeat(depth)}`;
    expect(parseFlow(nest(200)).problems).toEqual([]);
    for (const text of [nest(201), nest(100_000), "(".repeat(100_000), `${"(".repeat(100_000)}a`])
      expect(parseFlow(text).problems.map(({ code }) => code)).toEqual(["too-deep"]);
    expect(parseFlow(`${nest(201)} -> b`).problems.map(({ code }) => code)).toEqual(["too-deep", "not-an-arrow"]);
  });

  const names = Array.from({ length: 100_000 }, (_, index) => `agent_${index}`);
  it.each([
    ["a chain", names.join(" >> "), 0],
    ["a group", `(${names.join(" | ")})`, 0],
    ["commas", ",".repeat(2_000_000), 1000],
    ["dashes", `a ${"-".repeat(2_000_000)}`, 1],
    ["escaped quotes", `"${'\\"'.repeat(1_000_000)}`, 1],
    ["one name over and over", "a >> ".repeat(400_000), 1000],
    ["groups side by side", "(a)".repeat(600_000), 1000],
    ["comments", "# x\n".repeat(500_000), 1],
  ])("reads a large text at once: %s", (_, text, problems) => {
    expect(parseFlow(text).problems).toHaveLength(problems);
  });

  it("refuses texts with more links than can be drawn", () => {
    const wide = (name: string): string => `(${Array.from({ length: 1001 }, (_, i) => `${name}${i}`).join(" | ")})`;
    const { expression, problems } = parseFlow(`${wide("a")} >> ${wide("b")}`);
    expect(problems.map(({ code }) => code)).toEqual(["too-large"]);
    expect(() => expression && toGraph(expression)).toThrow(/links/);
  });
});

const shapeOf = (text: string, as: FlowTextKind): unknown => {
  const { expression, problems } = parseFlow(text, { as });
  expect(problems).toEqual([]);
  return expression && shape(expression);
};
