import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findDeclaration } from "./flow";
import { findFreeName } from "./free-name";
import { groupBy } from "./group-by";
import { hashText } from "./hash-text";
import { parseModel } from "./model-name";
import { keyNames, keyOfPath, nodeKey, parentKey, renameInKey } from "./node-key";
import { nameSchema, runLimitsSchema } from "./schemas/flow-schemas";
import { createSuggester, nearest } from "./suggest-name";

const names = fc.array(
  fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom("a/b", "a%2Fb", "%", "#1", "a#llm-1", "/", "é", "😀")),
  { minLength: 1, maxLength: 5 },
);
const keyOf = (path: readonly string[]): string => path.reduce(nodeKey, "");

describe("node keys", () => {
  it("property: contain the names from the root down, whatever characters they have", () => {
    fc.assert(
      fc.property(names, (path) => {
        const key = keyOf(path);
        expect(keyNames(key)).toEqual(path);
        expect(keyNames(parentKey(key))).toEqual(path.slice(0, -1));
        expect(key).not.toContain("#");
      }),
    );
  });

  it("property: different names have different keys", () => {
    fc.assert(
      fc.property(names, names, (a, b) => {
        expect(keyOf(a) === keyOf(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
  });

  it("property: a rename and back is the same key, unless the new name was in use", () => {
    fc.assert(
      fc.property(names, fc.string({ minLength: 1 }), (path, newName) => {
        fc.pre(!path.includes(newName));
        const [oldName = ""] = path;
        const renamed = renameInKey(keyOf(path), oldName, newName);
        expect(keyNames(renamed)).toEqual(path.map((part) => (part === oldName ? newName : part)));
        expect(renameInKey(renamed, newName, oldName)).toBe(keyOf(path));
      }),
    );
  });

  it.each([
    ["review/analyst", "review/analyst"],
    ["review/analyst#llm-2#tool-1", "review/analyst"],
    ["refine#3/writer", "refine/writer"],
    ["a#2/b#call-1-2/c#llm-1", "a/b/c"],
    ["", ""],
    ["a%23b#1", "a%23b"],
  ])("of the path %s is %s", (path, key) => expect(keyOfPath(path)).toBe(key));

  it("the root contains no name", () => {
    expect([keyNames(""), parentKey(""), parentKey("a")]).toEqual([[], "", ""]);
  });
});

describe("free names", () => {
  it.each([
    ["a", [], "a"],
    ["a", ["a"], "a_2"],
    ["a", ["a", "a_2"], "a_3"],
    ["a_2", ["a_2"], "a_3"],
    ["a_9", ["a_9", "a_2"], "a_3"],
    ["a_b", ["a_b"], "a_b_2"],
    ["_1", ["_1"], "_2"],
  ])("%s next to %j is %s", (base, taken, expected) => {
    const takenNames = new Set<string>(taken);
    expect(findFreeName(base, (name) => takenNames.has(name))).toBe(expected);
  });

  it("have at most 200 characters", () => {
    const base = "x".repeat(200);
    const free = findFreeName(base, (name) => name === base || name.endsWith("_2"));
    expect(free).toBe(`${"x".repeat(198)}_3`);
    expect(nameSchema.safeParse(free).success).toBe(true);
  });
});

describe("the rules for names", () => {
  it.each([
    ["a", true],
    ["two words", true],
    ["研究者 😀", true],
    ["x".repeat(200), true],
    ["x".repeat(201), false],
    ["", false],
    [" a", false],
    ["a\n", false],
    ["a\u0000b", false],
    ["a\tb", false],
    ["a\u007fb", false],
    [5, false],
  ])("%j is valid: %s", (name, isValid) => expect(nameSchema.safeParse(name).success).toBe(isValid));
});

describe("limits of a run", () => {
  it.each([
    [{}, true],
    [{ max_seconds: 0.5, max_tokens: 1, max_cost: 0.001 }, true],
    [{ max_seconds: 0 }, false],
    [{ max_seconds: 31_536_001 }, false],
    [{ max_tokens: 0 }, false],
    [{ max_tokens: 1.5 }, false],
    [{ max_cost: 0 }, false],
    [{ max_cost: Number.NaN }, false],
    [{ max_calls: 3 }, false],
  ])("%j are valid: %s", (limits, isValid) => expect(runLimitsSchema.safeParse(limits).success).toBe(isValid));
});

describe("suggestions", () => {
  /** Levenshtein distance by its definition. */
  const distance = (a: string, b: string): number => {
    if (a === "" || b === "") return a.length + b.length;
    const [restOfA, restOfB] = [a.slice(1), b.slice(1)];
    if (a[0] === b[0]) return distance(restOfA, restOfB);
    return 1 + Math.min(distance(restOfA, b), distance(a, restOfB), distance(restOfA, restOfB));
  };

  it("property: the nearest name by edit distance, up to a third of the letters, the first of equals", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "C"), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 6 }), (name, candidates) => {
        const most = Math.max(1, Math.floor(name.length / 3));
        const distances = candidates.map((candidate) => distance(name.toLowerCase(), candidate.toLowerCase()));
        const least = Math.min(...distances);
        expect(nearest(name, candidates)).toBe(least <= most ? (candidates[distances.indexOf(least)] ?? null) : null);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["analist", ["critic", "analyst"], "analyst"],
    ["WRITER", ["writer"], "writer"],
    ["writer", ["riter", "writers"], "riter"],
    ["cat", ["dog"], null],
    ["a", [], null],
    ["", ["a", "bc"], "a"],
  ])("for %s among %j: %s", (name, candidates, expected) => expect(nearest(name, candidates)).toBe(expected));

  it("end after a bounded number of comparisons", () => {
    const candidates = Array.from({ length: 1000 }, (_, index) => `name_${String(index).padStart(4, "0")}`);
    const suggest = createSuggester(candidates);
    const found = Array.from({ length: 200 }, () => suggest("nams_0500"));
    expect(found[0]).toBe("name_0500");
    expect(found.at(-1)).toBeNull();
  });
});

describe("small helpers", () => {
  it.each([
    ["demo:writer", { provider: "demo", name: "writer" }],
    ["gpt-5", { provider: "openai", name: "gpt-5" }],
    ["a:b:c", { provider: "a", name: "b:c" }],
    [":x", { provider: "", name: "x" }],
    ["x:", { provider: "x", name: "" }],
  ])("the model %s", (text, model) => expect(parseModel(text)).toEqual(model));

  it("groups keep the order of keys and items", () => {
    const groups = groupBy(["b1", "a1", "b2", "a2"], (item) => item[0]);
    expect([...groups]).toEqual([
      ["b", ["b1", "b2"]],
      ["a", ["a1", "a2"]],
    ]);
  });

  it("hashes are those of FNV-1a, and fit 32 bits", () => {
    expect([hashText(""), hashText("a"), hashText("foobar")]).toEqual([0x811c9dc5, 0xe40c292c, 0xbf9cf968]);
    fc.assert(fc.property(fc.string(), (text) => hashText(text) === hashText(text) >>> 0));
  });

  it("declarations are found by name in agents first", () => {
    const flow = { agents: new Map(), groups: new Map(), swarms: new Map(), controls: new Map() };
    expect(
      findDeclaration(
        {
          name: "",
          vars: new Map(),
          limits: {},
          swarm: { type: "swarm", name: "", mode: "workflow", separator: "" },
          ...flow,
        },
        "toString",
      ),
    ).toBeNull();
  });
});
