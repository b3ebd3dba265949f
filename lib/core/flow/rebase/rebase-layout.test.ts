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

const withTexts = (texts: Readonly<Record<string, string>>): Layout => ({
  pins: {},
  notes: Object.fromEntries(Object.entries(texts).map(([id, text]) => [id, { ...note, text }])),
});

/** The texts of the notes that are left. */
function rebaseNotes(...versions: Readonly<Record<string, string>>[]): Record<string, string> {
  const [before = { pins: {} }, after = { pins: {} }, current = { pins: {} }] = versions.map(withTexts);
  const { notes = {} } = rebaseLayout(before, after, current);
  return Object.fromEntries(Object.entries(notes).map(([id, { text }]) => [id, text]));
}

test.each([
  ["at its two ends", "Begin", "Begin w1", "w2 Begin", "w2 Begin w1"],
  ["in two lines", "one\ntwo\nthree", "one w1\ntwo\nthree", "one\ntwo\nthree w2", "one w1\ntwo\nthree w2"],
  ["the same, and one of them more", "Begin", "Begin w1", "Begin w1 w2", "Begin w1 w2"],
  ["and one deletes a word", "one two three", "one three", "one two three w2", "one three w2"],
])("both write in one note %s", (_, before, after, current, merged) => {
  expect(rebaseNotes({ n: before }, { n: after }, { n: current })).toEqual({ n: merged });
});

test("a note that one side deletes stays where the other side wrote in it", () => {
  expect(rebaseNotes({ n: "Begin" }, {}, { n: "Begin w2" })).toEqual({ n: "Begin w2" });
  expect(rebaseNotes({ n: "Begin" }, { n: "Begin w2" }, {})).toEqual({ n: "Begin w2" });
  expect(rebaseNotes({ n: "Begin" }, {}, { n: "Begin", m: "other" })).toEqual({ m: "other" });
});

test("two new notes with the same id are both kept, unless one has the text of the other", () => {
  expect(rebaseNotes({}, { n: "mine" }, { n: "theirs", n_2: "x" })).toEqual({ n: "theirs", n_2: "x", n_3: "mine" });
  expect(rebaseNotes({}, { n: "Begin w1" }, { n: "Begin" })).toEqual({ n: "Begin w1" });
  expect(rebaseNotes({}, { n: "Begin" }, { n: "Begin w1" })).toEqual({ n: "Begin w1" });
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
