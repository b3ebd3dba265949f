import { describe, expect, test } from "vitest";
import { compareFigures, type MeasuredFigure } from "./compare-figures";

const figure = (value: number, fields: Partial<MeasuredFigure> = {}): MeasuredFigure => ({
  subject: "list",
  what: "largest paint",
  unit: "ms",
  least: false,
  value,
  ...fields,
});
const compare = (pairs: readonly (readonly [number, number])[], fields: Partial<MeasuredFigure> = {}) =>
  compareFigures(
    pairs.map(([before, after]) => ({ before: [figure(before, fields)], after: [figure(after, fields)] })),
  );

describe("two builds that were measured in turn", () => {
  test("rounds of a slow machine count by their ratio", () => {
    const [compared] = compare([
      [100, 110],
      [200, 216],
      [100, 109],
    ]);
    expect(compared).toMatchObject({ before: 100, after: 110, verdict: "worse" });
    expect(compared?.ratio).toBeCloseTo(1.09);
    expect(compared?.range[0]).toBeCloseTo(1.08);
  });

  test.each([
    [
      "worse",
      [
        [10, 12],
        [10, 11],
      ],
    ],
    [
      "better",
      [
        [10, 8],
        [10, 9],
      ],
    ],
    [
      "same",
      [
        [10, 10.4],
        [10, 9.8],
        [10, 12],
      ],
    ],
    [
      "not decided",
      [
        [10, 12],
        [10, 10.2],
        [10, 11.8],
      ],
    ],
    ["same", [[0, 0]]],
    ["worse", [[0, 1]]],
  ] as const)("is %s of %j", (verdict, pairs) => expect(compare(pairs)[0]?.verdict).toBe(verdict));

  test("of frames a second more is better", () => {
    const pairs = [
      [50, 58],
      [50, 60],
    ] as const;
    expect(compare(pairs, { unit: "fps", least: true })[0]?.verdict).toBe("better");
  });

  test("what one of them did not measure is left out", () => {
    expect(compareFigures([{ before: [figure(1, { what: "blocked" })], after: [figure(1)] }])).toEqual([]);
    expect(compare([[Number.NaN, 1]])).toEqual([]);
  });

  test("the same words with another unit are another figure", () => {
    const round = { before: [figure(1), figure(2, { unit: "fps" })], after: [figure(1), figure(2, { unit: "fps" })] };
    expect(compareFigures([round])).toHaveLength(2);
  });
});
