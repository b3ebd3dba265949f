import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSource } from "../../source/read-source";
import type { RunEvent } from "../events/events";
import type { Usage } from "../events/usage";
import type { ModelRequest } from "../ports/model";
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
import type { ScriptedTurn } from "../testing/scripted-model";
import { type FinishedRun, makeScriptedWorld, runScripted } from "../testing/scripted-run";

/** The run up to its event `count`; whatever was under way is dropped without an event, as in a process that is killed. */
async function kill(name: string, outside: Outside, count: number): Promise<RunEvent[]> {
  const { clock, context } = makeScriptedWorld(outside.script, [outside.tool], { humanInput });
  const events: RunEvent[] = [];
  const run = runFlow(readFlow(name).flow, "Q", context, { runId: "run" });
  let isOver = false;
  const consuming = (async () => {
    while (events.length < count) {
      const { value } = await run.next();
      if (value) events.push(value);
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

function usageOf(events: readonly RunEvent[]): Usage | undefined {
  const last = events.at(-1);
  return last?.type === "run.finished" ? last.usage : undefined;
}

describe.each(Object.keys(flows))("a run of %s that is killed", (name) => {
  test("after any event goes on to the same end, and makes no finished call twice", async () => {
    expect(readFlow(name).problems.filter(({ severity }) => severity === "error")).toEqual([]);
    const whole = new Outside();
    const { events } = await finish(name, whole);
    const expected = withoutTimes(events);
    expect(expected.status).toBe("SUCCESS");
    for (let count = 1; count < events.length; count++) {
      const outside = new Outside();
      const first = await kill(name, outside, count);
      const open = toJournal(first);
      const endedCalls = [...open.listEnded()].filter(({ kind }) => kind === "llm_call" || kind === "tool_call").length;
      const again = await finish(name, outside, { journal: toJournal(first) });
      const all = [...first, ...again.events];
      expectValid(all);
      const { nodes, ...run } = withoutTimes(all);
      expect({ ...run, nodes: nodes.map(({ calls: _, ...node }) => node) }).toEqual({
        ...expected,
        nodes: expected.nodes.map(({ calls: _, ...node }) => node),
      });
      const started = first.filter((event) => event.type === "node.started");
      const begun = started.filter(({ kind }) => kind === "llm_call" || kind === "tool_call").length;
      const made = outside.modelCalls.length + outside.toolCalls.length;
      const needed = whole.modelCalls.length + whole.toolCalls.length;
      expect(made).toBeLessThanOrEqual(needed + begun - endedCalls);
      if (begun === endedCalls) expect(usageOf(all)).toEqual(usageOf(events));
    }
  });
});

test("a model call whose answer was lost has its key again, one that was answered with an error has a new one", async () => {
  const failures = ["network", "rate-limit", undefined] as const;
  const script = (_: ModelRequest, turn: number): ScriptedTurn => {
    const failure = failures[turn];
    return failure ? { end: { class: failure, message: "no" } } : { text: "done", delayMs: 1 };
  };
  const { flow } = readSource('name: F\nagents: { a: { model: "scripted:m" } }\nswarm: { flow: a }\n');
  const keysOf = ({ models }: FinishedRun) => models.requests.map(({ idempotencyKey }) => idempotencyKey);
  const first = await runScripted(flow, { script, options: { runId: "run" } });
  expect(keysOf(first)).toEqual(["run:a#llm-1:1", "run:a#llm-1:1", "run:a#llm-1:2"]);
  expect(keysOf(await runScripted(flow, { script }))).toEqual([undefined, undefined, undefined]);
  // Its executor is killed while the third attempt is under way.
  const sent = first.events.flatMap(({ type }, index) => (type === "request.sent" ? [index] : []));
  const journal = toJournal(first.events.slice(0, (sent.at(-1) ?? 0) + 1));
  const resumed = await runScripted(flow, { script: () => ({ text: "done" }), options: { runId: "run", journal } });
  expect(keysOf(resumed)).toEqual(["run:a#llm-1:2"]);
});

test("a run that waits for a person is resumed any number of times; one with an agent at work is not", () => {
  const at = 1;
  const node = { type: "node.started", kind: "approval", name: "ok", path: "ok", input: { text: "" }, at } as const;
  const call = { ...node, kind: "llm_call", name: "m", path: "a#llm-1" } as const;
  const request = { type: "approval", message: "Go on?" } as const;
  const waiting: RunEvent[] = [
    { seq: 1, at, type: "run.started", input: { text: "" }, flow: "F" },
    { ...node, seq: 2, id: 1 },
    { seq: 3, at, type: "answer.requested", id: 1, request },
  ];
  const resumed = [4, 5, 6, 7].map((seq): RunEvent => ({ seq, at, type: "run.resumed" }));
  expect(toJournal([...waiting, ...resumed]).resumesWithoutProgress).toBe(0);
  expect(toJournal([...waiting, { ...call, seq: 4, id: 2 }, ...resumed]).resumesWithoutProgress).toBe(4);
  const agent = { ...node, kind: "agent", name: "a", path: "a", seq: 4, id: 2 } as const;
  expect(toJournal([...waiting, agent, ...resumed]).resumesWithoutProgress).toBe(4);
  const answer = { decision: "approved", by: "Ann" } as const;
  const answered: RunEvent = { seq: 4, at, type: "answer.given", id: 1, answer };
  expect(toJournal([...waiting, answered, ...resumed]).resumesWithoutProgress).toBe(4);
});

test("property: a run that is killed several times ends as one that is not", async () => {
  const names = Object.keys(flows);
  const trial = fc.record({
    name: fc.constantFrom(...names),
    cuts: fc.array(fc.double({ min: 0.05, max: 0.95, noNaN: true }), { minLength: 1, maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(trial, async ({ name, cuts }) => {
      const outside = new Outside();
      const whole = await finish(name, new Outside());
      let events: RunEvent[] = await kill(name, outside, 1 + Math.floor((whole.events.length - 1) * (cuts[0] ?? 0)));
      for (const cut of cuts.slice(1)) {
        const { events: rest } = await finish(name, new Outside(), { journal: toJournal(events) });
        events = [...events, ...rest.slice(0, Math.floor(rest.length * cut))];
      }
      const { events: last } = await finish(name, outside, { journal: toJournal(events) });
      expectValid([...events, ...last]);
      expect(withoutTimes([...events, ...last]).output).toBe(withoutTimes(whole.events).output);
    }),
    { numRuns: 40 },
  );
});
