import fc from "fast-check";
import { expect, test } from "vitest";
import { Fifo } from "./fifo";

test("property: a queue gives what was put in, in order", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1500, max: 3000 }), { maxLength: 20 }), (moves) => {
      const [queue, model] = [new Fifo<number>(), [] as number[]];
      let next = 0;
      for (const move of moves) {
        for (let i = 0; i < move; i++, next++) {
          queue.push(next);
          model.push(next);
        }
        for (let i = 0; i > move; i--) {
          expect(queue.peek()).toBe(model[0]);
          expect(queue.shift()).toBe(model.shift());
        }
        expect(queue.length).toBe(model.length);
      }
    }),
    { numRuns: 50 },
  );
});

test("an emptied queue starts anew", () => {
  const queue = new Fifo<number>();
  queue.push(1);
  queue.clear();
  expect([queue.length, queue.peek(), queue.shift()]).toEqual([0, undefined, undefined]);
  queue.push(2);
  expect(queue.shift()).toBe(2);
});
