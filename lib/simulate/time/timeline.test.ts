import { expect, test } from "vitest";
import { type EventOwner, Timeline } from "./timeline";

const makeOwner = (): EventOwner & { isAlive: boolean; frozenUntil: number } => ({
  name: "A1",
  isAlive: true,
  frozenUntil: 0,
});

async function runAll(timeline: Timeline, end: number): Promise<void> {
  while (await timeline.step(end));
}

test("events happen in the order of their times, and of equal times in the order in which they were scheduled", async () => {
  const timeline = new Timeline();
  const seen: string[] = [];
  for (const [name, delayMs] of [
    ["c", 30],
    ["a", 10],
    ["b", 10],
    ["late", 200],
  ] as const)
    timeline.schedule(delayMs, null, () => seen.push(`${name} at ${timeline.now}`));
  await runAll(timeline, 100);
  expect(seen).toEqual(["a at 10", "b at 10", "c at 30"]);
  expect(timeline.now).toBe(100);
});

test("what an event resolves goes on before the next event", async () => {
  const timeline = new Timeline();
  const seen: string[] = [];
  timeline.schedule(1, null, () => {
    void Promise.resolve()
      .then(() => new Promise((resolve) => process.nextTick(resolve)))
      .then(() => seen.push("followed"));
  });
  timeline.schedule(1, null, () => seen.push("next"));
  await runAll(timeline, 10);
  expect(seen).toEqual(["followed", "next"]);
});

test("a frozen process receives everything once it works again, in order; a dead one nothing", async () => {
  const timeline = new Timeline();
  const seen: string[] = [];
  const [frozen, dead] = [makeOwner(), makeOwner()];
  frozen.frozenUntil = 50;
  timeline.schedule(10, frozen, () => seen.push(`first at ${timeline.now}`));
  timeline.schedule(20, frozen, () => seen.push(`second at ${timeline.now}`));
  timeline.schedule(30, dead, () => seen.push("never"));
  timeline.schedule(25, null, () => {
    dead.isAlive = false;
  });
  timeline.schedule(40, null, () => seen.push("other")).cancel();
  await runAll(timeline, 100);
  expect(seen).toEqual(["first at 50", "second at 50"]);
});
