import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Expression,
  mapNames,
  nameExpression,
  namesOf,
  parallelExpression,
  serialExpression,
} from "../flow/expression";
import { limits } from "../flow/flow";
import { isSpace, lexDsl } from "./lexer";
import { parseFlow } from "./parse";
import { anyExpression, shape } from "./parse.arbitrary";
import { printFlow, printName } from "./print";
import { countLinks, fromGraph, toGraph } from "./series-parallel";
import { findNameAt, splitDsl } from "./words";

const parse = (text: string, as?: "flow" | "group-parallel" | "group-serial"): Expression => {
  const { expression, problems } = parseFlow(text, as ? { as } : {});
  if (!expression) throw new Error(problems[0]?.message);
  return expression;
};
const tokensOf = (text: string): string[] => lexDsl(text).map(({ type, text: content }) => `${type} ${content}`.trim());

describe("printName", () => {
  it.each<[name: string, written: string]>([
    ["a", "a"],
    ["my agent", "my agent"],
    ["x_1#2", "x_1#2"],
    ["a-b=c", "a-b=c"],
    ["研究者", "研究者"],
    ["a #b", '"a #b"'],
    ["#a", '"#a"'],
    ["a|b", '"a|b"'],
    ["a,b", '"a,b"'],
    ["a → b", '"a → b"'],
    ["a->b", '"a->b"'],
    ["a >> b", '"a >> b"'],
    ["(a)", '"(a)"'],
    ['say "hi"', '"say \\"hi\\""'],
    ["back\\slash", "back\\slash"],
    ['\\"', '"\\\\\\""'],
    ["", '""'],
  ])("writes %j as %s", (name, written) => {
    expect(printName(name)).toBe(written);
  });

  it("property: what is written is one name, and reads as the same", () => {
    const anyName = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
      .map((text) => text.replaceAll(/\p{Cc}/gu, "").trim())
      .filter((text) => text !== "" && !isSpace(text[0]) && !isSpace(text.at(-1)));
    fc.assert(
      fc.property(anyName, (name) => {
        expect(shape(parse(printName(name)))).toBe(name);
        expect(tokensOf(printName(name))).toHaveLength(2);
      }),
    );
  });
});

describe("printFlow", () => {
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => nameExpression(name));
  if (!a || !b || !c || !d) throw new Error("four names");

  it.each<[Expression, whole: string, members: string]>([
    [a, "a", "a"],
    [serialExpression([a, b]), "a >> b", "a >> b"],
    [parallelExpression([a, b]), "(a | b)", "a | b"],
    [parallelExpression([a, serialExpression([b, c])]), "(a | b >> c)", "a | b >> c"],
    [serialExpression([a, parallelExpression([b, c])]), "a >> (b | c)", "a >> (b | c)"],
    [
      parallelExpression([a, serialExpression([b, parallelExpression([c, d])])]),
      "(a | b >> (c | d))",
      "a | b >> (c | d)",
    ],
  ])("writes parentheses only where they mean something: %#", (expression, whole, members) => {
    expect(printFlow(expression)).toBe(whole);
    expect(printFlow(expression, { as: "group-serial" })).toBe(whole);
    expect(printFlow(expression, { as: "group-parallel" })).toBe(members);
  });

  it("property: reads back as the members of a parallel group, without their parentheses", () => {
    fc.assert(
      fc.property(anyExpression, (expression) => {
        expect(shape(parse(printFlow(expression, { as: "group-parallel" }), "group-parallel"))).toEqual(
          shape(expression),
        );
      }),
    );
  });

  it("property: is as written, whatever spaces, comments and lines are between the tokens", () => {
    const gaps = fc.infiniteStream(fc.constantFrom(" ", "\n", "\r\n", "\t", "  # why\n", "\u00a0", "\ufeff "));
    fc.assert(
      fc.property(anyExpression, gaps, (expression, gap) => {
        const text = printFlow(expression);
        const spaced = lexDsl(text).map(({ from: start, to: end }) => text.slice(start, end) + gap.next().value);
        expect(printFlow(parse(spaced.join("")))).toBe(text);
      }),
    );
  });

  it("writes a chain of 100,000 names, and nests as deep as is allowed", () => {
    const chain = serialExpression(Array.from({ length: 100_000 }, (_, i) => nameExpression(`n${i}`)));
    expect(printFlow(chain)).toMatch(/^n0 >> n1 >> .* >> n99999$/);
    let tree: Expression = a;
    for (let depth = 0; depth < limits.depth; depth++)
      tree = parallelExpression([serialExpression([nameExpression(`s${depth}`), tree]), nameExpression(`p${depth}`)]);
    expect(shape(parse(printFlow(tree)))).toEqual(shape(tree));
  });
});

describe("lexDsl", () => {
  it.each<[text: string, tokens: string[]]>([
    ["a>>b", ["name a", "arrow >>", "name b"]],
    ["a >>>> b", ["name a", "arrow >>", "arrow >>", "name b"]],
    ["a >>> b", ["name a", "wrong-arrow >>>", "name b"]],
    ["a -> b", ["name a", "wrong-arrow ->", "name b"]],
    ["a==>b", ["name a", "wrong-arrow ==>", "name b"]],
    ["a |> b", ["name a", "wrong-arrow |>", "name b"]],
    ["x->>y", ["name x-", "arrow >>", "name y"]],
    ["x ->> y", ["name x", "wrong-arrow ->>", "name y"]],
    ["a - b", ["name a - b"]],
    ["a, b", ["name a", "wrong-arrow ,", "name b"]],
    ["(a|b)", ["open (", "name a", "pipe |", "name b", "close )"]],
    ['" a "', ["name a"]],
    ['"a\\"b\\\\c\\d"', ['name a"b\\c\\d']],
    ['"a >> b', ["unclosed-quote a", "arrow >>", "name b"]],
    ['a "b', ["name a", "unclosed-quote b"]],
    ["a # b >> c", ["name a"]],
    ["a#b", ["name a#b"]],
    ["# only", []],
    ["", []],
    ["a\u200bb", ["name a\u200bb"]],
    ["a\u0085b", ["name a\u0085b"]],
  ])("splits %j", (text, tokens) => {
    expect(tokensOf(text)).toEqual([...tokens, "end"]);
  });

  it("property: the tokens are in order, and leave out only spaces and comments", () => {
    const anyText = fc
      .array(fc.constantFrom(...'ab|()>>-=,→"\\ #\n\té'), { maxLength: 40 })
      .map((signs) => signs.join(""));
    fc.assert(
      fc.property(anyText, (text) => {
        let previousEnd = 0;
        for (const { from: start, to: end } of lexDsl(text)) {
          expect(start).toBeGreaterThanOrEqual(previousEnd);
          expect(text.slice(previousEnd, start)).toMatch(/^(?:\s|#[^\n\r]*)*$/);
          previousEnd = end;
        }
        expect(previousEnd).toBe(text.length);
      }),
    );
  });
});

describe("links of an expression", () => {
  it.each<[text: string, links: number]>([
    ["a", 0],
    ["(a | b)", 0],
    ["a >> b >> c", 2],
    ["(a | b) >> (c | d | e)", 6],
    ["a >> (b >> c | d) >> e", 5],
    ["(a >> b | c) >> (d | e >> f) >> g", 8],
  ])("of %s are %i", (text, links) => {
    expect([countLinks(parse(text)), toGraph(parse(text)).edges.length]).toEqual([links, links]);
  });

  it("property: are counted as many as are drawn", () => {
    fc.assert(
      fc.property(anyExpression, (expression) => {
        expect(countLinks(expression)).toBe(toGraph(expression).edges.length);
      }),
    );
  });

  it("property: make the same tree again, also when all names are others", () => {
    fc.assert(
      fc.property(anyExpression, (expression) => {
        const named = mapNames(expression, (name) => nameExpression(`n ${name}`));
        const back = fromGraph(toGraph(named));
        expect(back.ok && new Set(namesOf(back.expression).map(({ name }) => name))).toEqual(
          new Set(namesOf(named).map(({ name }) => name)),
        );
        expect(back.ok && toGraph(back.expression).edges.length).toBe(countLinks(named));
      }),
    );
  });
});

describe("words of a text", () => {
  it("property: a name is found at each of its offsets, and nothing between words", () => {
    fc.assert(
      fc.property(anyExpression, (expression) => {
        const text = printFlow(expression);
        const words = splitDsl(text);
        for (const { name, from: start, to: end } of words)
          for (const offset of [start, Math.floor((start + end) / 2), end])
            if (name !== null) expect(findNameAt(words, offset)?.name).toBe(name);
        for (let offset = 0; offset <= text.length; offset++) {
          const isInName = words.some((word) => word.name !== null && word.from <= offset && offset <= word.to);
          expect(findNameAt(words, offset) !== null).toBe(isInName);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("of a quote that is not closed, and of an empty one, are names, too", () => {
    expect(splitDsl('"a" >> "b').map(({ name }) => name)).toEqual(["a", null, "b"]);
    expect(splitDsl('a >> ""').map(({ name }) => name)).toEqual(["a", null, ""]);
    expect(findNameAt(splitDsl("a >> b"), 99)).toBeNull();
  });
});
