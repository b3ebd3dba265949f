import { expect, test } from "vitest";
import { continueRun } from "./testing/killed-run";
import { nestedLoops as source } from "./testing/nested-loops";
import { expectValid } from "./testing/run-shapes";

const script = {};

test("nested loops that call no model end at the limit of steps, with a reason", async () => {
  const events = await continueRun({ source, script, context: () => ({ maxSteps: 500 }) });
  expectValid(events);
  expect(events.filter(({ type }) => type === "node.started")).toHaveLength(500);
  expect(events.at(-1)).toMatchObject({
    status: "FAILED",
    error: { code: "limit", message: expect.stringContaining("500 steps") },
  });
});

test("the steps of earlier processes count", async () => {
  const sketch = { source, script, context: () => ({ maxSteps: 500 }) };
  const whole = await continueRun(sketch);
  const first = whole.slice(0, 900);
  const all = await continueRun(sketch, first);
  expectValid(all);
  expect(all.filter(({ type }) => type === "node.started")).toHaveLength(500);
});
