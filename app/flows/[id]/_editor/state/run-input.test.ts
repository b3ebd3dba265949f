import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FakeStorage } from "@/app/_ui/draft/testing/fake-storage";
import { followRunInput } from "./run-input";
import { createViewState } from "./view";

beforeEach(() => vi.stubGlobal("localStorage", new FakeStorage()));
afterEach(() => vi.unstubAllGlobals());

function open(flowId: string) {
  const view = createViewState({ shownRun: null, lastRun: null, lastInput: "Looms" });
  return { view, stop: followRunInput(view, flowId) };
}

it("an input that was written is there after a reload, also an empty one", () => {
  const { view, stop } = open("f");
  expect(view.getState().runInput).toBe("Looms");
  view.setState({ runInput: "Looms of Jacq" });
  stop();
  view.setState({ runInput: "Looms of no one" });
  const again = open("f");
  expect(again.view.getState().runInput).toBe("Looms of Jacq");
  again.view.setState({ runInput: "" });
  expect(open("f").view.getState().runInput).toBe("");
  expect(open("other").view.getState().runInput).toBe("Looms");
});
