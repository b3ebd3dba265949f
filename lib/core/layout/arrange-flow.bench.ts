import { bench, describe } from "vitest";
import { emptyLayout } from "../flow/edit";
import { flowOfStages } from "../kinds/testing/flow.arbitrary";
import { arrangeFlow } from "./arrange-flow";
import { chooseArrangement } from "./choose-arrangement";

describe("layout", () => {
  for (const count of [1000, 5000, 100_000]) {
    const flow = flowOfStages(count);
    bench(`${count} agents`, () => {
      arrangeFlow(flow, emptyLayout);
    });
    if (count <= 5000)
      bench(`${count} agents, choosing an arrangement`, () => {
        chooseArrangement(flow, emptyLayout, { width: 1048, height: 640 });
      });
  }
});
