import { bench, describe } from "vitest";
import { arrangeFlow } from "./arrange";
import { emptyLayout } from "./edit";
import { flowOfStages } from "./flow.arbitrary";

describe("layout", () => {
  for (const count of [1000, 5000, 100_000]) {
    const flow = flowOfStages(count);
    bench(`${count} agents`, () => {
      arrangeFlow(flow, emptyLayout);
    });
  }
});
