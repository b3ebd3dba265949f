import fc from "fast-check";
import { expect, test } from "vitest";
import { type RunFilter, readRunFilter, toSearchWords, writeRunFilter } from "./run-filter";

const full: RunFilter = {
  q: "looms & threads",
  status: "FAILED",
  flow: "f-1",
  person: "local",
  model: "openai:gpt-5",
  error: "rate-limit",
  since: "24h",
  from: "2026-03-01T00:00:00Z",
  to: "2026-03-02T12:30:00.000+02:00",
  costFrom: "0.25",
  costTo: "10",
};

test("a filter is read back from its address", () => {
  expect(readRunFilter(Object.fromEntries(new URLSearchParams(writeRunFilter(full))))).toEqual(full);
  expect(writeRunFilter({ q: "", status: "FAILED" }, { before: "1_a" })).toBe("status=FAILED&before=1_a");
  expect(writeRunFilter({})).toBe("");
});

test.each([
  { status: "GONE" },
  { since: "2y" },
  { from: "yesterday" },
  { from: "2026-02-30T00:00:00Z" },
  { to: "2026-03-01T00:00" },
  { costFrom: "-1" },
  { costTo: "1e9" },
  { costTo: "" },
  { q: "" },
  { q: "x".repeat(201) },
  { status: ["FAILED", "SUCCESS"] },
  { unheardOf: "x" },
])("unreadable values are ignored, the others are kept: %o", (params) => {
  expect(readRunFilter({ model: "a:b", ...params })).toEqual({ model: "a:b" });
});

test("never throws, whatever the address", () => {
  const params = fc.dictionary(
    fc.constantFrom(...Object.keys(full), "__proto__", "before"),
    fc.oneof(fc.string(), fc.array(fc.string()), fc.constant(undefined)),
  );
  fc.assert(fc.property(params, (address) => void readRunFilter(address)));
});

test("words of a search", () => {
  expect(toSearchWords("  Two  WORDS ")).toEqual(["two", "words"]);
  expect(toSearchWords("a b c d e f g h i j")).toHaveLength(8);
  expect(toSearchWords("   ")).toEqual([]);
});
