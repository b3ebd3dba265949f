import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCodePoint } from "../../flow/code-point.arbitrary";
import {
  Identifiers,
  inlineName,
  stubToolName,
  toolStub,
  toPythonCall,
  toPythonComment,
  toPythonString,
  toPythonText,
} from "./python-text";

const identifiersOf = (...names: string[]): string[] => {
  const identifiers = new Identifiers();
  return names.map((name) => identifiers.take(name));
};

describe("variables of Python", () => {
  it.each<[name: string, variable: string]>([
    ["writer", "writer"],
    ["my agent", "my_agent"],
    ["  spaces  ", "spaces"],
    ["a--b", "a_b"],
    ["Économie", "E_conomie"],
    ["3rd", "node_3rd"],
    ["_hidden_", "hidden"],
    ["研究者", "node"],
    ["😀", "node"],
    ["", "node"],
    ["x".repeat(200), "x".repeat(60)],
  ])("for %j is %s", (name, variable) => {
    expect(identifiersOf(name)).toEqual([variable]);
  });

  it.each(["class", "None", "Agent", "Swarm", "tool", "print", "match", "swarm"])(
    "is never the word %s, which means something",
    (word) => {
      expect(identifiersOf(word)).toEqual([`${word}_2`]);
    },
  );

  it("is another one for each name, also where names look alike", () => {
    expect(identifiersOf("a b", "a-b", "a_b", "研究", "者")).toEqual(["a_b", "a_b_2", "a_b_3", "node", "node_2"]);
  });

  it("property: is valid, and never taken twice", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 8 }), { maxLength: 30 }), (names) => {
        const variables = identifiersOf(...names);
        expect(new Set(variables).size).toBe(names.length);
        for (const variable of variables) expect(variable).toMatch(/^[A-Za-z]\w*$/);
      }),
    );
  });
});

describe("texts of Python", () => {
  it.each<[text: string, written: string]>([
    ["plain", '"plain"'],
    ['say "hi"', '"say \\"hi\\""'],
    ["back\\slash", '"back\\\\slash"'],
    ["a\u007fb", '"a\\x7fb"'],
    ["\u0000", '"\\u0000"'],
  ])("write %j as %s", (text, written) => {
    expect(toPythonString(text)).toBe(written);
  });

  it("of several lines are strings side by side, one a line", () => {
    expect(toPythonText("one", "  ")).toBe('"one"');
    expect(toPythonText("one\n", "  ")).toBe('"one\\n"');
    expect(toPythonText("one\n\ntwo", "  ")).toBe('(\n      "one\\n"\n      "\\n"\n      "two"\n  )');
  });

  it.each<[text: string, comment: string]>([
    ["one", "# one"],
    ["one\r\ntwo\n\nthree", "# one\n# two\n#\n# three"],
    ["a\u2028import os\u0085b", "# a\n# import os\n# b"],
  ])("are comments in every line: %j", (text, comment) => {
    expect(toPythonComment(text)).toBe(comment);
  });

  it("property: a comment stays one, whatever it holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint }), (text) => {
        for (const line of toPythonComment(text).split(/[\p{Cc}\u2028\u2029]/u))
          expect(line.startsWith("#")).toBe(true);
      }),
    );
  });
});

describe("calls of Python", () => {
  it("leave out arguments without a value", () => {
    expect(toPythonCall("f", {})).toBe("f()");
    expect(toPythonCall("f", { a: "1", b: undefined, c: "" })).toBe("f(a=1, c=)");
  });

  it("are on one line up to 88 characters, else one argument a line", () => {
    const value = "x".repeat(88 - "f(a=)".length);
    expect(toPythonCall("f", { a: value })).toBe(`f(a=${value})`);
    expect(toPythonCall("f", { a: `${value}x` })).toBe(`f(\n    a=${value}x,\n)`);
    expect(toPythonCall("f", { a: "1", b: "(\n2)" })).toBe("f(\n    a=1,\n    b=(\n2),\n)");
  });
});

describe("placeholders of tools", () => {
  it.each(["web_search", "on: off", 'q"""uote', "研究", "a\\b", "#x", "\\", '"'])(
    "know their tool %j again",
    (name) => {
      expect(stubToolName(toolStub("tool_1", name))).toBe(name);
    },
  );

  it.each([
    ["other code", "    return input"],
    ["more code", `    raise NotImplementedError("web_search")\n    print(1)`],
    ["another error", `    raise ValueError("web_search")`],
  ])("are none any more with %s in them", (_, code) => {
    const stub = toolStub("web_search", "web_search");
    const [lastLine = ""] = stub.split("\n").slice(-1);
    expect(stubToolName(stub)).toBe("web_search");
    expect(stubToolName(stub.replace(lastLine, code))).toBeNull();
  });
});

describe("names of groups that are parentheses", () => {
  it("join the names of their members, up to 200 characters", () => {
    expect(inlineName("parallel", ["a", "b"])).toBe("a + b");
    expect(inlineName("serial", ["a", "b"])).toBe("a then b");
    expect(inlineName("serial", ["x".repeat(100), "y".repeat(94)])).toHaveLength(200);
    expect(inlineName("serial", ["x".repeat(100), "y".repeat(95)])).toBeNull();
  });
});
