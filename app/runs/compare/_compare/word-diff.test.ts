import fc from "fast-check";
import { expect, test } from "vitest";
import { findWordChanges } from "./word-diff";

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
