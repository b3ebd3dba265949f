import { expect, test } from "vitest";
import { Batcher } from "./batcher";

/** Doubles numbers; refuses negative ones, and batches that contain 13. */
function createDoubler(most = 10) {
  const batches: number[][] = [];
  const perform = async (items: readonly number[]): Promise<PromiseSettledResult<number>[]> => {
    batches.push([...items]);
    if (items.includes(13)) throw new Error("the whole batch failed");
    return items.map((item) =>
      item < 0 ? { status: "rejected", reason: new Error(`${item}`) } : { status: "fulfilled", value: item * 2 },
    );
  };
  return { batches, batcher: new Batcher(perform, { most, wait: async () => {} }) };
}

test("what comes until the batch begins is performed together, what comes later in the next one", async () => {
  const { batches, batcher } = createDoubler();
  const results = [batcher.add(1), batcher.add(2)];
  await results[0];
  results.push(batcher.add(3));
  expect(await Promise.all(results)).toEqual([2, 4, 6]);
  expect(batches).toEqual([[1, 2], [3]]);
});

test("a batch has at most so many items", async () => {
  const { batches, batcher } = createDoubler(2);
  expect(await Promise.all([1, 2, 3, 4, 5].map((item) => batcher.add(item)))).toEqual([2, 4, 6, 8, 10]);
  expect(batches).toEqual([[1, 2], [3, 4], [5]]);
});

test("an item that is refused does not concern the others; a batch that fails does not concern the next", async () => {
  const { batcher } = createDoubler(2);
  const results = await Promise.allSettled([1, -1, 13, 2, 3].map((item) => batcher.add(item)));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "rejected", "fulfilled"]);
});
