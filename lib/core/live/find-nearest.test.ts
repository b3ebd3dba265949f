import { expect, it } from "vitest";
import type { Note } from "../flow/note";
import { findNearest } from "./find-nearest";
import type { FlowContent } from "./live-document";

const note: Note = { x: 0, y: 0, width: 200, height: 100, text: "", color: "yellow" };
const stateOf = (source: string, texts: Readonly<Record<string, string>>): FlowContent => ({
  source,
  layout: {
    pins: {},
    notes: Object.fromEntries(Object.entries(texts).map(([id, text]) => [id, { ...note, text }])),
  },
});

const [first, second, third] = [
  stateOf("a", { n: "Begin" }),
  stateOf("a", { n: "Begin w1" }),
  stateOf("a", { n: "Begin w1", m: "" }),
] as const;

it.each([
  ["a", { n: "Begi" }, first],
  ["a", { n: "w2 Begin w1" }, second],
  ["a", { n: "Begin w1", m: "w3" }, third],
  ["a", {}, first],
])("of states with the same text it is the one with the nearest notes: %s %j", (source, texts, nearest) => {
  expect(findNearest([first, second, third], stateOf(source, texts))).toBe(nearest);
});

it("is the one with the nearest text, whatever its notes are", () => {
  const other = stateOf("a b", { n: "something else" });
  expect(findNearest([first, other, third], stateOf("a b c", { n: "Begin" }))).toBe(other);
});
