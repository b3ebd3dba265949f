import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareWords, findWordChanges } from "./word-diff";

test("words that changed", async () => {
  expect(await findWordChanges("The red loom.", "The blue loom.")).toEqual([
    { type: "same", text: "The " },
    { type: "removed", text: "red" },
    { type: "added", text: "blue" },
    { type: "same", text: " loom." },
  ]);
});

test("both texts can be read from what changed", async () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "é", "😀") });
  await fc.assert(
    fc.asyncProperty(text, text, async (before, after) => {
      const changes = (await findWordChanges(before, after)) ?? [];
      const without = (left: "added" | "removed") =>
        changes.map(({ type, text }) => (type === left ? "" : text)).join("");
      expect(without("added")).toBe(before);
      expect(without("removed")).toBe(after);
    }),
  );
});

test("gives up on texts that have nothing in common rather than searching on and on", async () => {
  const words = (letter: string) => Array.from({ length: 30_000 }, (_, i) => `${letter}${i}`).join(" ");
  expect(await findWordChanges(words("a").replaceAll(" ", " , "), words("b").replaceAll(" ", " ; "))).toBeNull();
});

describe("compareWords", () => {
  test("names the words that changed", () => {
    expect(compareWords("Be brief. Round 1.", "Be brief. Round 2.")).toEqual([
      { type: "same", text: "Be brief. Round " },
      { type: "removed", text: "1" },
      { type: "added", text: "2" },
      { type: "same", text: "." },
    ]);
  });

  test("equal texts have no removed and no added words", () => {
    expect(compareWords("same", "same")).toEqual([{ type: "same", text: "same" }]);
    expect(compareWords("", "")).toEqual([]);
  });

  test("texts without a common word that take too long to compare are removed and added", () => {
    const words = (letter: string) => Array.from({ length: 30_000 }, (_, index) => `${letter}${index}`);
    const [before, after] = [words("a").join(" , "), words("b").join(" ; ")];
    expect(compareWords(before, after)).toEqual([
      { type: "removed", text: before },
      { type: "added", text: after },
    ]);
  });

  test("property: both texts can be put together from the pieces", () => {
    const text = fc.array(fc.constantFrom("a", "b", "loom", " ", "\n", ".", "é", "😀"), { maxLength: 40 });
    fc.assert(
      fc.property(text, text, (one, two) => {
        const [older, newer] = [one.join(""), two.join("")];
        const pieces = compareWords(older, newer);
        const without = (gone: string) => pieces.filter(({ type }) => type !== gone).map((piece) => piece.text);
        expect(without("added").join("")).toBe(older);
        expect(without("removed").join("")).toBe(newer);
      }),
    );
  });
});
