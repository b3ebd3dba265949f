import fc from "fast-check";
import { expect, test } from "vitest";
import { toBatches } from "./batches";

async function batchesOf(spans: readonly string[]): Promise<string[][]> {
  async function* each() {
    yield* spans;
  }
  const batches: string[][] = [];
  for await (const batch of toBatches(each())) batches.push(batch);
  return batches;
}

test("a collector gets some hundred spans at once, and a huge one alone", async () => {
  const many = await batchesOf(Array.from({ length: 1201 }, () => "x"));
  expect(many.map(({ length }) => length)).toEqual([500, 500, 201]);
  const huge = await batchesOf(["a", "x".repeat(2_000_000), "b", "c"]);
  expect(huge.map(({ length }) => length)).toEqual([1, 1, 2]);
});

test("property: every span is in one batch, in order, and no batch is empty", async () => {
  const length = fc.oneof(fc.nat(10), fc.integer({ min: 300_000, max: 600_000 }));
  await fc.assert(
    fc.asyncProperty(fc.array(length, { maxLength: 20 }), async (lengths) => {
      const spans = lengths.map((one, at) => `${at}${"x".repeat(one)}`);
      const batches = await batchesOf(spans);
      expect(batches.flat()).toEqual(spans);
      expect(batches.every((batch) => batch.length > 0)).toBe(true);
    }),
  );
});
