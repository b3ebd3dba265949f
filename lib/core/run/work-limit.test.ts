import { describe, expect, test } from "vitest";
import { readSource } from "../source/read-source";
import type { RunEvent } from "./events/events";
import { WorkClock } from "./events/work-clock";
import { runFlow } from "./run-flow";
import { continueRun } from "./testing/killed-run";
import { nestedLoops as source } from "./testing/nested-loops";
import { expectValid } from "./testing/run-shapes";
import { makeScriptedWorld } from "./testing/scripted-run";

/** A clock of which a millisecond goes by with each look. */
function makeTicking() {
  let time = 1_000;
  const skip = (ms: number): void => {
    time += ms;
  };
  return { now: () => ++time, skip };
}

const limited = (seconds: number) => {
  const clock = makeTicking();
  return { clock, context: () => ({ maxWorkSeconds: seconds, now: clock.now }) };
};
const ending = { status: "TIMEOUT", error: { code: "limit", message: expect.stringContaining("worked for 1 s") } };

describe("a run that works for longer than the server allows", () => {
  test("ends with a reason, although it calls no model", async () => {
    const events = await continueRun({ source, script: {}, context: limited(1).context });
    expectValid(events);
    expect(events.at(-1)).toMatchObject(ending);
  });

  test("ends also where earlier processes did most of the work; the time between them does not count", async () => {
    const { clock, context } = limited(1);
    const first = await continueRun({ source, script: {}, context: () => ({ now: clock.now }) }, [], () => true);
    const early = first.filter((_, index) => index < 900 / 2);
    clock.skip(86_400_000);
    const all = await continueRun({ source, script: {}, context }, early);
    expectValid(all);
    expect(all.at(-1)).toMatchObject(ending);
    expect(all.length).toBeGreaterThan(early.length + 100);
  });

  test("ends during a call that does not end", async () => {
    const world = makeScriptedWorld({ a: [{ end: "never" }] });
    const { flow } = readSource(`agents: { a: { model: "scripted:m" } }\nswarm: { flow: a }\n`);
    const events: RunEvent[] = [];
    let isOver = false;
    const consume = async (): Promise<void> => {
      for await (const event of runFlow(flow, "Q", { ...world.context, maxWorkSeconds: 1 })) events.push(event);
      isOver = true;
    };
    void consume();
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      world.clock.advance();
    }
    expect(events.at(-1)).toMatchObject(ending);
  });
});

test("the time that a run has worked leaves out waiting for a person, a pause and the time between processes", () => {
  const clock = new WorkClock();
  const input = { text: "" };
  const node = { name: "n", input };
  const atSecond = (second: number) => ({ seq: second, at: second * 1000 });
  const events: RunEvent[] = [
    { ...atSecond(1), type: "run.started", flow: "F", input },
    { ...atSecond(2), type: "node.started", id: 1, path: "/", kind: "swarm", ...node },
    { ...atSecond(3), type: "node.started", id: 2, parent: 1, path: "gate", kind: "approval", ...node },
    { ...atSecond(4), type: "answer.requested", id: 2, request: { type: "approval", message: "May it?" } },
  ];
  for (const event of events) clock.take(event);
  expect(clock.workedMs(5_000)).toBe(3_000);
  clock.take({ ...atSecond(104), type: "node.started", id: 3, parent: 1, path: "a", kind: "agent", ...node });
  // While another branch works, waiting counts.
  expect(clock.workedMs(105_000)).toBe(4_000);
  clock.take({ ...atSecond(106), type: "run.paused" });
  clock.take({ ...atSecond(206), type: "run.resumed" });
  expect(clock.workedMs(207_000)).toBe(6_000);
  clock.take({ ...atSecond(208), type: "answer.given", id: 2, answer: { decision: "approved", by: "Ann" } });
  expect(clock.workedMs(209_000)).toBe(8_000);
});
