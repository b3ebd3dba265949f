import { bench, describe } from "vitest";
import { emptyLayout } from "../flow/edit";
import { flowOfStages } from "../kinds/testing/flow.arbitrary";
import { arrangeFlow } from "./arrange-flow";

describe("layout", () => {
  for (const count of [1000, 5000, 100_000]) {
    const flow = flowOfStages(count);
    bench(`${count} agents`, () => {
      arrangeFlow(flow, emptyLayout);
    });
  }
});
