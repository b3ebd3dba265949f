import { expect, test } from "vitest";
import { Timeline } from "../time/timeline";
import { SimulatedProcess } from "./simulated-process";

test("a shorter freeze during a longer one ends neither it nor the order of what happens then", async () => {
  const timeline = new Timeline();
  const process = new SimulatedProcess("A1", timeline);
  const happened: string[] = [];
  const schedule = (afterMs: number, name: string): void =>
    void timeline.schedule(afterMs, process, () => happened.push(`${name} at ${timeline.now}`));
  process.freeze(100);
  schedule(10, "first");
  timeline.schedule(20, null, () => process.freeze(5));
  schedule(50, "second");
  while (await timeline.step(200));
  expect(happened).toEqual(["first at 100", "second at 100"]);
});
