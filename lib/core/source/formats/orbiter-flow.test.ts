import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFlow } from "../../dsl/parse";
import { shape } from "../../dsl/parse.arbitrary";
import { printFlow } from "../../dsl/print";
import { anyCodePoint } from "../../flow/code-point.arbitrary";
import { type Expression, nameExpression, namesOf, parallelExpression, serialExpression } from "../../flow/expression";
import { toFileName } from "./format-names";
import { isOrbiterFlow, isOrbiterName, orderOf, printOrbiterFlow, readOrbiterFlow } from "./orbiter-flow";

const parse = (text: string): Expression => {
  const { expression } = parseFlow(text);
  if (!expression) throw new Error(`not a flow: ${text}`);
  return expression;
};
const names = (text: string): Set<string> => new Set(text.split(" "));

describe("names of Orbiter", () => {
  it.each(["a", "my agent", '"quoted"', "#b", "a > b", "研究者", "a,b"])("%j can be written", (name) => {
    expect(isOrbiterName(name)).toBe(true);
  });
  it.each(["", " ", " a", "a ", "a|b", "(a", "a)", "a>>b"])("%j cannot", (name) => {
    expect(isOrbiterName(name)).toBe(false);
  });
});

describe("a flow line of Orbiter", () => {
  it.each<[text: string, isLine: boolean, written: string]>([
    ["a", true, "a"],
    ["a >> b", true, "a >> b"],
    ["(a | b)", true, "(a | b)"],
    ["a >> (b | c) >> d", true, "a >> (b | c) >> d"],
    ["a >> (b >> c | d)", false, "a >> b >> d >> c"],
    ["(a >> b | c) >> d", false, "a >> c >> b >> d"],
  ])("of %s is one: %s, and is written %s", (text, isLine, written) => {
    expect([isOrbiterFlow(parse(text)), printOrbiterFlow(parse(text))]).toEqual([isLine, written]);
  });

  it("is written with other names where they are called otherwise", () => {
    expect(printOrbiterFlow(parse("a >> (b | c)"), (name) => name.toUpperCase())).toBe("A >> (B | C)");
    expect(printOrbiterFlow(parse("(a >> b | c)"), (name) => name.toUpperCase())).toBe("A >> C >> B");
  });

  it.each<[text: string, read: string | null]>([
    ["a>>b", "a >> b"],
    [" a >> ( b|c ) ", "a >> (b | c)"],
    ["(a)", "a"],
    ["(a | a) >> b", "a >> b"],
    ["a >> missing", null],
    ["a >> (b | missing)", null],
    ["a >> ", null],
    ["", null],
    ["a | b", null],
    ["(a >> b)", null],
  ])("%j is read as %s", (text, read) => {
    const expression = readOrbiterFlow(text, names("a b c"));
    expect(expression && printFlow(expression)).toBe(read);
  });

  it("takes signs of the DSL for parts of names", () => {
    const expression = readOrbiterFlow('"a" >> b # c', new Set(['"a"', "b # c"]));
    expect(expression && namesOf(expression).map(({ name }) => name)).toEqual(['"a"', "b # c"]);
  });

  it("property: is read as it was written", () => {
    const anyName = fc.stringMatching(/^[a-z#"'][a-z ]{0,3}[a-z]$/);
    const anyStages = fc
      .tuple(
        fc.uniqueArray(anyName, { minLength: 1, maxLength: 12 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 3 })),
      )
      .map(([pool, sizes]) => {
        const stages: Expression[] = [];
        for (let start = 0, size = 0; start < pool.length; start += size) {
          size = sizes.next().value;
          stages.push(parallelExpression(pool.slice(start, start + size).map((name) => nameExpression(name))));
        }
        return serialExpression(stages);
      });
    fc.assert(
      fc.property(anyStages, (expression) => {
        const read = readOrbiterFlow(
          printOrbiterFlow(expression),
          new Set(namesOf(expression).map(({ name }) => name)),
        );
        expect(read && shape(read)).toEqual(shape(expression));
      }),
    );
  });
});

describe("the order in which Orbiter works", () => {
  it.each<[text: string, order: string]>([
    ["c >> b >> a", "c b a"],
    ["(b | a) >> c", "a b c"],
    ["a >> (c | b) >> d", "a b c d"],
    ["(a >> z | b) >> c", "a b z c"],
  ])("of %s is %s", (text, order) => {
    expect(orderOf(parse(text))).toEqual(order.split(" "));
  });

  it("of names in a cycle is that in which they are written, each once", () => {
    const name = (text: string) => nameExpression(text);
    expect(orderOf(serialExpression([name("b"), name("a"), name("b")]))).toEqual(["b", "a"]);
  });
});

describe("file names", () => {
  it.each<[flow: string, file: string]>([
    ["Article", "Article.yaml"],
    ["My desk / 2", "My-desk-2.yaml"],
    ["../../etc/passwd", "etc-passwd.yaml"],
    ["研究 é", "研究-é.yaml"],
    ["e\u0301", "é.yaml"],
    ["...", "flow.yaml"],
    ["", "flow.yaml"],
    ["CON:\0<>|", "CON.yaml"],
    ["x".repeat(100), `${"x".repeat(60)}.yaml`],
  ])("of %j is %s", (flow, file) => {
    expect(toFileName(flow, "yaml")).toBe(file);
  });

  it("property: hold no separators, and do not begin with a dot", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint }), (name) => {
        expect(toFileName(name, "json")).toMatch(/^[^./\\:*?"<>|\p{Cc}][^/\\:*?"<>|\p{Cc}]*\.json$/u);
      }),
    );
  });
});
