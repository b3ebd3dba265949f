import { diffLines } from "diff";
import fc from "fast-check";
import { expect, it, test } from "vitest";
import { diffHunks } from "../flow/rebase/diff-hunks";
import { rebaseTexts } from "../flow/rebase/rebase-texts";
import { applyChanges } from "../flow/text-change";
import { diffTexts, diffWords } from "./diff-texts";

const toText = (count: number, toLine: (nth: number) => string): string =>
  Array.from({ length: count }, (_, nth) => `${toLine(nth)}\n`).join("");

function mergeForeign(base: string, mine: string, theirs: string): string {
  return applyChanges(theirs, rebaseTexts(base, mine, theirs, { diff: diffTexts, side: "foreign" }).changes);
}

const measure = (work: () => unknown): number => {
  const start = performance.now();
  work();
  return performance.now() - start;
};

test.each<[string, number, (nth: number) => string, (nth: number) => string]>([
  ["in half of their lines", 2_000, (nth) => `a${nth % 3}`, (nth) => (nth % 2 ? `x${nth}` : `a${nth % 3}`)],
  ["in many of their lines", 60_000, (nth) => `a${nth % 3}`, (nth) => (nth % 63 ? `a${nth % 3}` : `x${nth}`)],
  ["everywhere", 10_000, (nth) => `a${(nth * 7919) % 4}`, (nth) => `a${(nth * 104_729) % 5}`],
])(
  "texts that differ %s are compared in a fraction of the time that the shortest changes take",
  (_, count, toOld, toNew) => {
    const [before, after] = [toText(count, toOld), toText(count, toNew)];
    const shortestMs = measure(() => diffLines(before, after, { maxEditLength: 2_000 }));
    const times = [0, 1, 2].map(() => measure(() => diffTexts(before, after)));
    expect(Math.min(...times)).toBeLessThan(shortestMs / 3);
    expect(applyChanges(before, diffTexts(before, after))).toBe(after);
  },
);

test("property: texts of few lines, some of them empty, are led to each other", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n"), maxLength: 12 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(applyChanges(before, diffTexts(before, after))).toBe(after);
      expect(applyChanges(before, diffHunks(before, after))).toBe(after);
    }),
    { numRuns: 2_000, examples: [["\n  a", ""]] },
  );
});

test("of texts that differ in many lines, those that were not changed stay", () => {
  const before = toText(3_000, (nth) => (nth % 5 ? `  model: demo` : `agent ${nth}:`));
  const added = toText(3_000, (nth) =>
    nth % 5 === 1 ? `  model: other\n  tools: [x${nth}]` : nth % 5 ? `  model: demo` : `agent ${nth}:`,
  );
  const changes = diffTexts(before, added);
  expect(changes).toHaveLength(600);
  expect(changes.reduce((sum, { from: start, to: end }) => sum + end - start, 0)).toBeLessThan(600 * "demo".length + 1);
  const other = before.replace("agent 1500:", "agent last:");
  const merged = mergeForeign(before, added, other);
  expect(merged).toBe(added.replace("agent 1500:", "agent last:"));
});

test("as many lines as there were, of which many were changed in place, are changed one by one", () => {
  const before = toText(40_000, (nth) => `a${nth % 3}`);
  const mine = toText(40_000, (nth) => (nth % 42 === 0 ? `x${nth}` : `a${nth % 3}`));
  const theirs = toText(40_000, (nth) => (nth % 42 === 1 ? `y${nth}` : `a${nth % 3}`));
  const merged = mergeForeign(before, mine, theirs);
  expect(merged).toBe(
    toText(40_000, (nth) => (nth % 42 === 0 ? `x${nth}` : nth % 42 === 1 ? `y${nth}` : `a${nth % 3}`)),
  );
});

it("property: the changes between two texts that differ in hundreds of lines lead from one to the other", () => {
  const anyChange = fc.oneof(
    { weight: 3, arbitrary: fc.constant("keep" as const) },
    { weight: 1, arbitrary: fc.constantFrom("drop" as const, "add" as const, "write" as const, "double" as const) },
  );
  const anyLine = fc.tuple(fc.boolean(), fc.nat(3), anyChange);
  fc.assert(
    fc.property(fc.array(anyLine, { minLength: 900, maxLength: 1_500, size: "max" }), (lines) => {
      const olds = lines.map(([isSole, repeated], nth) => (isSole ? `sole ${nth}\n` : `line ${repeated}\n`));
      const before = olds.join("");
      const after = olds
        .map((line, nth) => {
          const change = lines[nth]?.[2];
          if (change === "drop") return "";
          if (change === "add") return `${line}new ${nth % 7}\n`;
          return change === "write" ? `wrote ${nth}\n` : change === "double" ? line + line : line;
        })
        .join("");
      const changes = diffTexts(before, after);
      expect(applyChanges(before, changes)).toBe(after);
      const spans = changes.map(({ from: start, to: end }) => [start, end]);
      expect(spans.flat()).toEqual(spans.flat().toSorted((a, b) => a - b));
    }),
    { numRuns: 40 },
  );
});

const mergeWords = (base: string, mine: string, theirs: string): string => {
  return applyChanges(theirs, rebaseTexts(base, mine, theirs, { diff: diffWords }).changes);
};

test.each<[string, base: string, mine: string, theirs: string, merged: string]>([
  [
    "what is written before and after words of which one is deleted",
    "a1x a4x",
    "a1x a3x a4x a5x",
    "a1x",
    "a1x a3x a5x",
  ],
  ["a new word beside one that is deleted", "a1x a4x", "a1x a4x a5x", "a1x", "a1x a5x"],
  ["letters that both write in one word", "color", "colour", "colors", "colours"],
  ["the same letters in one word", "a color", "a colour", "a colour", "a colour"],
  ["what both wrote at one place, and one went on after it", "a", "a one two", "a one", "a one two"],
  ["what both wrote at one place, and one began before it", "a.", "a two.", "a one two.", "a one two."],
  [
    "an ending of a word that ends the other one's words",
    "an agent",
    "an agents",
    "an agent has others",
    "an agents has others",
  ],
  ["words around what was written between them", "one two", "one, two", "one two three", "one, two three"],
])("merged by words: %s", (_, base, mine, theirs, merged) => expect(mergeWords(base, mine, theirs)).toBe(merged));

it("property: the changes by words lead to the text", () => {
  const parts = fc.array(fc.constantFrom("a", "ab", "ba", " ", "\n", ".", "é"), { maxLength: 30 });
  const text = parts.map((words) => words.join(""));
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(applyChanges(before, diffWords(before, after))).toBe(after);
    }),
    { numRuns: 2_000 },
  );
});
