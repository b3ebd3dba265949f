import { describe, expect, test } from "vitest";
import { Trace } from "../model/trace";
import { marked, type SampleSpan, sampleTrace } from "../testing/trace.samples";
import { toCriticalPath } from "./critical-path";

const pathOf = (spans: readonly SampleSpan[], now = 1000): number[] => marked(toCriticalPath(sampleTrace(spans), now));

describe("the critical path", () => {
  test.each<[string, SampleSpan[], number[]]>([
    [
      "of a chain is all of it",
      [
        { start: 0, end: 30 },
        { start: 0, end: 10 },
        { start: 10, end: 30 },
      ],
      [0, 1, 2],
    ],
    [
      "of a group is the member that ended last",
      [
        { start: 0, end: 30 },
        { start: 0, end: 10 },
        { start: 0, end: 30 },
      ],
      [0, 2],
    ],
    [
      "leads from the slowest member back to the step before the group",
      [
        { start: 0, end: 50 },
        { start: 0, end: 10 },
        { start: 10, end: 20 },
        { start: 10, end: 40 },
        { start: 40, end: 50 },
      ],
      [0, 1, 3, 4],
    ],
    [
      "passes over a step that ended while the next one was already at work",
      [
        { start: 0, end: 40 },
        { start: 0, end: 25 },
        { start: 20, end: 40 },
        { start: 0, end: 15 },
      ],
      [0, 2, 3],
    ],
    [
      "goes into the children of its steps, and into no others",
      [
        { start: 0, end: 30 },
        { start: 0, end: 10 },
        { start: 0, end: 30 },
        { parent: 1, start: 0, end: 10 },
        { parent: 2, start: 5, end: 30 },
      ],
      [0, 2, 4],
    ],
    [
      "has the later of two equal members",
      [
        { start: 0, end: 10 },
        { start: 0, end: 10 },
        { start: 0, end: 10 },
      ],
      [0, 2],
    ],
    [
      "has a step without length between two others",
      [
        { start: 0, end: 20 },
        { start: 0, end: 10 },
        { start: 10, end: 10 },
        { start: 10, end: 20 },
      ],
      [0, 1, 2, 3],
    ],
    ["of nothing is nothing", [], []],
  ])("%s", (_, spans, expected) => expect(pathOf(spans)).toEqual(expected));

  test("a child that outlived its parent did not hold it up", () => {
    expect(
      pathOf([
        { start: 0, end: 20 },
        { start: 0, end: 20 },
        { parent: 1, start: 0, end: 30 },
      ]),
    ).toEqual([0, 1]);
  });

  test("what still runs ends now", () => {
    const spans = [{ start: 0 }, { start: 0, end: 40 }, { start: 0 }];
    expect(pathOf(spans, 50)).toEqual([0, 2]);
  });

  test("is found without recursion, however deep the steps are", () => {
    const trace = new Trace();
    for (let span = 0; span < 20_000; span++) trace.append(span - 1, { kind: 0, name: 0, cut: 0, tail: 0, at: span });
    expect(marked(toCriticalPath(trace, 50_000))).toHaveLength(20_000);
  });
});
