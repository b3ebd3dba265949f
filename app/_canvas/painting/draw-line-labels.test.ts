import { expect, it } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { sceneOf } from "@/lib/core/layout/scene/scene";
import { flowOf } from "@/lib/core/layout/testing/flow-of";
import { listLabels } from "./draw-line-labels";

it("labels the rows of a wrapped flow with the numbers of their agents", () => {
  const chain = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? `s${index}` : `(a${index} | b${index})`));
  const arrangement = arrangeFlow(flowOf(chain.join(" >> ")), emptyLayout, { wrap: 5 * 280, density: "compact" });
  expect(listLabels(sceneOf(arrangement))).toEqual(["00–06", "07–14", "15–17"]);
});
