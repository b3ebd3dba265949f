import { describe, expect, test } from "vitest";
import type { RunEvent } from "../events/events";
import { PauseGate } from "../ports/pause-gate";
import { runFlow } from "../run-flow";
import {
  expectValid,
  finish,
  flows,
  humanInput,
  Outside,
  readFlow,
  toJournal,
  withoutTimes,
} from "../testing/run-shapes";
import { makeScriptedWorld } from "../testing/scripted-run";

/** The run until it is paused, or its end if that comes first; the pause is requested with its event `count`. */
async function pauseAfter(name: string, outside: Outside, count: number): Promise<RunEvent[]> {
  const { clock, context } = makeScriptedWorld(outside.script, [outside.tool], { humanInput });
  const pause = new PauseGate();
  const events: RunEvent[] = [];
  let isOver = false;
  const consuming = (async () => {
    for await (const event of runFlow(readFlow(name).flow, "Q", context, { runId: "run", pause })) {
      events.push(event);
      if (events.length === count) pause.request();
      if (event.type === "run.paused") break;
    }
    isOver = true;
  })();
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    if (!isOver) clock.advance();
  }
  await consuming;
  return events;
}

const isCall = (event: RunEvent): boolean =>
  event.type === "node.started" && (event.kind === "llm_call" || event.kind === "tool_call");

describe.each(Object.keys(flows))("a run of %s that is paused", (name) => {
  test("after any event begins no further call, and goes on to the same end with each call made once", async () => {
    const whole = new Outside();
    const { events } = await finish(name, whole);
    let pauses = 0;
    for (let count = 1; count < events.length; count++) {
      const outside = new Outside();
      const first = await pauseAfter(name, outside, count);
      if (first.at(-1)?.type === "run.finished") continue;
      pauses++;
      const requestedAt = first[count - 1]?.at ?? 0;
      expect(first.filter((event) => isCall(event) && event.at > requestedAt)).toEqual([]);
      const journal = toJournal(first);
      const ended = new Set([...journal.listEnded()].map(({ id }) => id));
      const open = first.filter(
        (event) => event.type === "node.started" && event.kind === "llm_call" && !ended.has(event.id),
      );
      expect(open).toEqual([]);
      const again = await finish(name, outside, { journal });
      const all = [...first, ...again.events];
      expectValid(all);
      expect(withoutTimes(all)).toEqual(withoutTimes(events));
      expect(outside.modelCalls.length).toBe(whole.modelCalls.length);
      expect(outside.toolCalls.length).toBe(whole.toolCalls.length);
    }
    expect(pauses).toBeGreaterThan(0);
  });
});

test("any number of pauses is no sign that a step ends its process", () => {
  const at = 1;
  const events: RunEvent[] = [{ seq: 1, at, type: "run.started", input: { text: "" }, flow: "F" }];
  for (let seq = 2; seq < 12; seq += 2)
    events.push({ seq, at, type: "run.paused" }, { seq: seq + 1, at, type: "run.resumed" });
  expect(toJournal(events).resumesWithoutProgress).toBe(0);
  expect(toJournal([...events, { seq: 12, at, type: "run.resumed" }]).resumesWithoutProgress).toBe(1);
});
