import { expect, it } from "vitest";
import type { TwinText } from "../../state/live/live";
import { describeTwin, titleOfTwin } from "./describe-twin";

const twinOf = (name: string, changes: Partial<TwinText> = {}): TwinText => ({
  owner: "planner",
  field: { type: "set-agent-field", name: "planner", field: "instructions", value: "" },
  merged: "One\nTwo",
  parts: [
    { name: null, text: "One" },
    { name, text: "Two" },
  ],
  both: "One\nTwo",
  ...changes,
});

it("names the field, and what the flow has", () => {
  expect(titleOfTwin(twinOf("Ada"))).toBe("Instructions of planner: which text should stay?");
  expect(describeTwin(twinOf("Ada"))).toBe(
    "You and Ada changed the instructions of planner while you were offline. Both texts are in the flow until you choose.",
  );
});

it("says of a condition that the other text is in the flow", () => {
  const field = { type: "set-control-field", name: "ok", path: ["condition"], value: "" } as const;
  const twin = twinOf("Ada", { field, merged: "Two", both: null });
  expect(titleOfTwin(twin)).toBe("Condition of ok: which text should stay?");
  expect(describeTwin(twin)).toBe(
    "You and Ada changed the condition of ok while you were offline. The other text is in the flow until you choose.",
  );
});

it.each([
  ["Ada and Ben", "You, Ada and Ben"],
  ["the flow", "You and someone else"],
  ["your other tab", "Two of your tabs"],
])("names who changed the text: %s", (name, expected) => {
  expect(describeTwin(twinOf(name))).toContain(`${expected} changed the instructions`);
});

it("claims nothing where someone has changed the field since", () => {
  const twin = twinOf("Ada", { merged: "Three", both: "One\nThree\nTwo" });
  expect(describeTwin(twin)).toBe("You and Ada changed the instructions of planner while you were offline.");
});
