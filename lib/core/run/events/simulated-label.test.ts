import { expect, it } from "vitest";
import { simulatedLabel, splitSimulatedLabel } from "./simulated-label";

it("splits the disclaimer off a simulated answer, and nothing off others", () => {
  expect(splitSimulatedLabel(`${simulatedLabel}.\n\nTopic: bees`)).toEqual({
    isSimulated: true,
    content: "Topic: bees",
  });
  expect(splitSimulatedLabel(`${simulatedLabel}: bees`)).toEqual({ isSimulated: true, content: "bees" });
  expect(splitSimulatedLabel("  Bees dance.")).toEqual({ isSimulated: false, content: "  Bees dance." });
  expect(splitSimulatedLabel("")).toEqual({ isSimulated: false, content: "" });
});
