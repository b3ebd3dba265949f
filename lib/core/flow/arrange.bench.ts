import { bench, describe } from "vitest";
import { parseFlow } from "../dsl/parse";
import { arrangeFlow } from "./arrange";
import { emptyLayout } from "./edit";
import { flowOf } from "./flow.arbitrary";

describe("layout", () => {
  for (const count of [1000, 5000, 100_000]) {
    const lanes = Array.from(
      { length: count / 10 },
      (_, lane) => `(${Array.from({ length: 5 }, (_, i) => `a${lane}_${i} >> b${lane}_${i}`).join(" | ")})`,
    );
    const { expression } = parseFlow(lanes.join(" >> "));
    if (!expression) continue;
    const flow = flowOf(expression);
    bench(`${count} agents`, () => {
      arrangeFlow(flow, emptyLayout);
    });
  }
});
