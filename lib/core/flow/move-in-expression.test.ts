import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFlow } from "../dsl/parse";
import { anyExpression } from "../dsl/parse.arbitrary";
import { printFlow } from "../dsl/print";
import { type Expression, nameExpression, namesOf } from "./expression";
import { type MoveWay, moveMember } from "./move-in-expression";

const read = (text: string): Expression => parseFlow(text).expression ?? nameExpression("?");
const move = (text: string, name: string, way: MoveWay, containers: string[] = []): string => {
  const result = moveMember(read(text), name, way, {
    isContainer: (member) => containers.includes(member),
    isRoot: true,
  });
  if (result.type === "moved") return printFlow(result.tree);
  return result.type === "into" ? `into ${result.name}` : result.type;
};

describe("moveMember", () => {
  it("swaps a member with a neighbour", () => {
    expect(move("a >> b >> c", "b", "up")).toBe("b >> a >> c");
    expect(move("a >> (b | c) >> d", "a", "down")).toBe("(b | c) >> a >> d");
    expect(move("a >> (b | c)", "c", "up")).toBe("a >> (c | b)");
    expect(move("a >> (b | c)", "c", "down")).toBe("refused");
    expect(move("a", "a", "up")).toBe("refused");
  });

  it("moves a member out of parentheses, after them", () => {
    expect(move("a >> (b | c) >> d", "b", "out")).toBe("a >> c >> b >> d");
    expect(move("(b >> x | c)", "x", "out")).toBe("(b | x | c)");
    expect(move("(a | b)", "b", "out")).toBe("a >> b");
    expect(move("a >> b", "b", "out")).toBe("leaves");
  });

  it("moves a member into what precedes it", () => {
    expect(move("a >> (b | c) >> d", "d", "in")).toBe("a >> (b | c | d)");
    expect(move("a >> b >> c", "c", "in")).toBe("a >> (b | c)");
    expect(move("(a | b)", "b", "in")).toBe("a >> b");
    expect(move("a >> group >> c", "c", "in", ["group"])).toBe("into group");
    expect(move("a >> b", "a", "in")).toBe("refused");
  });

  it("neither loses nor adds names", () => {
    const ways = fc.constantFrom<MoveWay>("up", "down", "in", "out");
    fc.assert(
      fc.property(anyExpression, ways, fc.nat(), (tree, way, pick) => {
        const names = namesOf(tree).map(({ name }) => name);
        fc.pre(new Set(names).size === names.length);
        const result = moveMember(tree, names[pick % names.length] ?? "", way, {
          isContainer: () => false,
          isRoot: false,
        });
        if (result.type !== "moved") return;
        expect(
          namesOf(result.tree)
            .map(({ name }) => name)
            .toSorted(),
        ).toEqual(names.toSorted());
      }),
    );
  });
});
