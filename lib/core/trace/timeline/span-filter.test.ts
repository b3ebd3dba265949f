import { describe, expect, test } from "vitest";
import { marked, type SampleSpan, sampleTrace } from "../testing/trace.samples";
import { countFailedSteps, failedSteps, filterSpans } from "./span-filter";

const spans: readonly SampleSpan[] = [
  { name: "Article", path: "/", start: 0, end: 90, status: "FAILED" },
  { name: "Émile", path: "review/Émile", start: 0, end: 40 },
  { name: "critic", path: "review/critic", start: 0, end: 50, status: "FAILED" },
  {
    kind: "llm_call",
    name: "demo:critic",
    path: "review/critic#llm-1",
    parent: 2,
    start: 0,
    end: 20,
    status: "TIMEOUT",
  },
  { kind: "llm_call", name: "demo:writer", path: "review/Émile#llm-1", parent: 1, start: 0, end: 20 },
];
const filter = (query: string, errorsOnly = false) => filterSpans(sampleTrace(spans), query, errorsOnly);

describe("a filter of steps", () => {
  test.each<[string, string, number[]]>([
    ["part of a name", "riti", [2, 3]],
    ["a name in another case", "ARTICLE", [0]],
    ["a letter with an accent, in another case", "émile", [1]],
    ["spaces round the text", "  writer ", [4]],
    ["a mark of paths", "#llm", [4, 3]],
    ["a path in another case", "REVIEW/", [1, 4, 2, 3]],
    ["signs that mean something in patterns", ".*", []],
    ["nothing that is there", "absent", []],
  ])("finds by %s, in the order of the rows", (_, query, hits) =>
    expect([...(filter(query)?.hits ?? [])]).toEqual(hits),
  );

  test("a path is not searched for a text without a mark of paths", () => {
    expect([...(filter("review")?.hits ?? [])]).toEqual([]);
  });

  test("keeps what is above its hits, and nothing else", () => {
    expect(marked(filter("writer")?.kept ?? new Uint8Array())).toEqual([0, 1, 4]);
    expect(marked(filter("absent")?.kept ?? new Uint8Array([1]))).toEqual([]);
  });

  test("that asks for nothing is none", () => {
    expect(filter("")).toBeNull();
    expect(filter(" \t ")).toBeNull();
  });

  test("for errors finds failed and timed out steps, with a text only those that both fit", () => {
    expect([...(filter("", true)?.hits ?? [])]).toEqual([0, 2, 3]);
    expect([...(filter("demo", true)?.hits ?? [])]).toEqual([3]);
  });
});

test.each<[string, readonly SampleSpan[], number[]]>([
  ["those that nothing below them failed", spans, [3]],
  ["not those that were cancelled or go on", [{ start: 0, end: 1, status: "CANCELLED" }, { start: 0 }], []],
])("failed steps are %s", (_, samples, failed) => {
  const trace = sampleTrace(samples);
  expect([...failedSteps(trace)]).toEqual(failed);
  expect(countFailedSteps(trace)).toBe(failed.length);
});
