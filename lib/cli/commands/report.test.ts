import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeProblem, Lines, printable, toPrinted } from "./report";

const problemAt = (from: number, to: number) =>
  ({ code: "unknown-name", severity: "error", message: "absent", range: { from, to } }) as const;
const describeAt = (text: string, from: number, to: number) => {
  const lines = new Lines(text);
  return describeProblem("f.yaml", toPrinted(problemAt(from, to), lines), lines).split("\n");
};

describe("positions", () => {
  it("agree with counting by hand", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "\n", "😀", "\r\n"), { maxLength: 30 }), fc.nat(30), (parts, nth) => {
        const text = parts.join("");
        const offset = Math.min(nth, text.length);
        const before = text.slice(0, offset).split("\n");
        expect(new Lines(text).position(offset)).toEqual({
          line: before.length,
          column: (before.at(-1)?.length ?? 0) + 1,
        });
      }),
    );
  });

  it("of a problem without a place are those of the text's beginning", () => {
    const printed = toPrinted({ code: "no-agents", severity: "error", message: "" }, new Lines("x"));
    expect(printed).toMatchObject({ line: 1, column: 1, endLine: 1, endColumn: 1 });
  });
});

describe("the excerpt", () => {
  it("puts carets under what is meant", () => {
    expect(describeAt("a:\r\n  flow: x >> nope\r\n", 17, 21)).toEqual([
      "f.yaml:2:14: error unknown-name: absent",
      " 2 |   flow: x >> nope",
      "   |              ^^^^",
    ]);
  });

  it("keeps tabs, so that carets line up", () => {
    expect(describeAt("\ta\tb", 3, 4).at(-1)).toBe("   | \t \t^");
  });

  it("ends at the line's end, shows at least one caret, and cuts long lines", () => {
    expect(describeAt("ab\ncd", 1, 5).at(-1)).toBe("   |  ^");
    expect(describeAt("ab", 2, 2).at(-1)).toBe("   |   ^");
    expect(describeAt("x".repeat(10_000), 5000, 9000).every((line) => line.length < 140)).toBe(true);
  });

  it("cannot steer a terminal", () => {
    expect(printable("a\u001b[31m\u0007\tb\u009b")).toBe("a·[31m·\tb·");
    expect(printable("a\u202eb\u200bc\u2028d\n\re")).toBe("a·b·c·d··e");
    expect(describeAt("\u001b[2J\u202e", 0, 1).join("")).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
    const lines = new Lines("");
    expect(describeProblem("\u001b]0;x\u0007.yaml", toPrinted(problemAt(0, 0), lines), lines)).toMatch(
      /^·\]0;x·\.yaml:1:1/,
    );
  });
});
