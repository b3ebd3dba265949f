import { expect, test } from "vitest";
import { type Layout, sameLayout } from "../edit";
import type { Note } from "../note";
import { rebaseLayout } from "./rebase-layout";

const note: Note = { x: 0, y: 0, width: 200, height: 100, text: "old", color: "yellow" };
const pin = (dx: number) => ({ dx, dy: 0 });

test("an entry that only the others changed stays, one that was changed here is changed", () => {
  const before: Layout = { pins: { a: pin(1), b: pin(1) }, folded: ["g"] };
  const after: Layout = { pins: { a: pin(2) }, folded: ["g", "h"] };
  const current: Layout = { pins: { a: pin(1), b: pin(1), c: pin(3) }, direction: "down" };
  expect(rebaseLayout(before, after, current)).toEqual({
    pins: { a: pin(2), c: pin(3) },
    direction: "down",
    folded: ["h"],
  });
});

test("two fields of one note are both changed", () => {
  const before: Layout = { pins: {}, notes: { n: note } };
  const after: Layout = { pins: {}, notes: { n: { ...note, text: "new" } } };
  const current: Layout = { pins: {}, notes: { n: { ...note, x: 50 } } };
  expect(rebaseLayout(before, after, current).notes).toEqual({ n: { ...note, text: "new", x: 50 } });
});

test("a fit to which one side added a field is changed", () => {
  const before: Layout = { pins: {}, fit: { density: "compact" } };
  const after = { pins: {}, fit: { density: "compact", wrap: 900 } } as const;
  const current: Layout = { ...before, pins: { a: pin(1) } };
  expect(rebaseLayout(before, after, current)).toEqual({ ...after, pins: { a: pin(1) } });
  expect(rebaseLayout(after, before, { ...current, fit: after.fit })).toEqual(current);
});

test("without changes by others it is exactly the layout afterwards", () => {
  const before: Layout = { pins: { a: pin(1) } };
  const after: Layout = { pins: {} };
  expect(rebaseLayout(before, after, before)).toBe(after);
  expect(rebaseLayout(before, before, after)).toBe(after);
});

test("many folded keys are compared without a look at all others for each", () => {
  let reads = 0;
  const countedKeys = (name: string): string[] =>
    new Proxy(
      Array.from({ length: 500 }, (_, index) => `${name} ${index}`),
      {
        get(target, key, receiver) {
          reads++;
          return Reflect.get(target, key, receiver);
        },
      },
    );
  const layoutOf = (name: string): Layout => ({ pins: {}, folded: countedKeys(name) });
  expect(rebaseLayout(layoutOf("a"), layoutOf("b"), layoutOf("c")).folded).toHaveLength(1_000);
  const reversed: Layout = { pins: {}, folded: countedKeys("a").toReversed() };
  expect(sameLayout(reversed, layoutOf("a"))).toBe(true);
  expect(reads).toBeLessThan(500 * 50);
});
