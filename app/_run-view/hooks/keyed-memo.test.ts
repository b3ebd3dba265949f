import { expect, test } from "vitest";
import { createMemo } from "./keyed-memo";

test("computes again only when a value of the key, or their number, changes", () => {
  const memo = createMemo<number>();
  let computed = 0;
  const read = (...key: unknown[]): number => memo(key, () => ++computed);
  const table = {};
  expect([read(1, table), read(1, table), read(1, {}), read(1), read(2), read(Number.NaN), read(Number.NaN)]).toEqual([
    1, 1, 2, 3, 4, 5, 5,
  ]);
  expect([read(), read()]).toEqual([6, 6]);
});

test("remembers the last key alone, and offers the last result", () => {
  const memo = createMemo<string>();
  const append = (letter: string): string => memo([letter], (previous) => `${previous ?? ""}${letter}`);
  expect([append("a"), append("b"), append("a"), append("a")]).toEqual(["a", "ab", "aba", "aba"]);
});

test("remembers results that are null, and computes again after a failure", () => {
  const memo = createMemo<null>();
  let computed = 0;
  const read = (key: string, fails = false): null =>
    memo([key], () => {
      computed++;
      if (fails) throw new Error("no result");
      return null;
    });
  read("a");
  read("a");
  expect(() => read("b", true)).toThrow("no result");
  read("b");
  expect(computed).toBe(3);
});
