import { describe, expect, test } from "vitest";
import { z } from "zod";
import { readSource } from "../../source/read-source";
import type { HumanInputAnswer, RunEvent } from "../events/events";
import type { NumberedQuestion } from "../ports/human-input";
import type { ModelRequest } from "../ports/model";
import type { Tool } from "../ports/tool";
import { runFlow } from "../run-flow";
import { continueRun, type RunSketch } from "../testing/killed-run";
import { expectValid } from "../testing/run-shapes";
import { makeScriptedWorld } from "../testing/scripted-run";
import { VirtualClock } from "../testing/virtual-clock";
import { forkEvents } from "./fork-events";

const source = (fields = ""): string =>
  `agents:\n  a: { model: "scripted:m", tools: [pay]${fields} }\nswarm: { flow: a }\n`;
const withApproval = source(", needs_approval: [pay]");

/** A payment that must not be made twice; the first `hangs` executions never end. */
class Payments {
  readonly made: string[] = [];
  readonly questions: NumberedQuestion[] = [];
  readonly sent: string[] = [];
  readonly tool: Tool;

  constructor(hangs: number) {
    this.tool = {
      spec: { name: "pay", description: "", parameters: {} },
      input: z.object({ sum: z.number() }),
      isIdempotent: () => false,
      execute: async (input) => {
        this.made.push(JSON.stringify(input));
        if (this.made.length <= hangs) await new Promise(() => undefined);
        return "paid";
      },
    };
  }

  sketch(flow: string, answers: (HumanInputAnswer | null)[]): RunSketch {
    const script = ({ messages }: ModelRequest) => {
      this.sent.push(messages.at(-1)?.content ?? "");
      return messages.some(({ role }) => role === "tool")
        ? { text: "done" }
        : { calls: [{ name: "pay", arguments: { sum: 1 } }] };
    };
    const ask = (question: NumberedQuestion): Promise<HumanInputAnswer> => {
      this.questions.push(question);
      const answer = answers.shift();
      return answer ? Promise.resolve(answer) : new Promise(() => undefined);
    };
    return { source: flow, script, tools: [this.tool], context: () => ({ humanInput: { ask } }) };
  }
}

const approved = (text?: string): HumanInputAnswer => ({
  decision: "approved",
  by: "Ann",
  ...(text !== undefined && { text }),
});

describe("a tool that must not run twice", () => {
  test("asks after each crash: an answer counts for one execution", async () => {
    const payments = new Payments(2);
    const sketch = payments.sketch(source(), [approved(), approved(), approved()]);
    const first = await continueRun(sketch, [], () => payments.made.length === 1);
    const second = await continueRun(sketch, first, () => payments.made.length === 2);
    expect(payments.questions).toHaveLength(1);
    const all = await continueRun(sketch, second);
    expectValid(all);
    expect(payments.questions.map(({ message }) => message)).toEqual([
      expect.stringMatching(/stopped while pay was at work/),
      expect.stringMatching(/stopped while pay was at work/),
    ]);
    expect(payments.made).toHaveLength(3);
    expect(all.at(-1)).toMatchObject({ status: "SUCCESS", output: { text: "done" } });
  });

  test("is shown with, and gets, the arguments that a person gave last", async () => {
    const payments = new Payments(2);
    const answers = [approved('{"sum":2}'), approved(), approved('{"sum":3}')];
    const sketch = payments.sketch(withApproval, answers);
    const first = await continueRun(sketch, [], () => payments.made.length === 1);
    const second = await continueRun(sketch, first, () => payments.made.length === 2);
    const all = await continueRun(sketch, second);
    expectValid(all);
    expect(payments.questions.map(({ text }) => text)).toEqual(['{"sum":1}', '{"sum":2}', '{"sum":2}']);
    expect(payments.made).toEqual(['{"sum":2}', '{"sum":2}', '{"sum":3}']);
    expect(payments.sent.at(-1)).toBe('Ann changed the arguments of this call to {"sum":3}. Its result:\npaid');
  });

  test("keeps its open question while processes come and go, and its answer lets it run once", async () => {
    const payments = new Payments(1);
    const sketch = payments.sketch(source(), [null, null, approved()]);
    const isAsked = (events: readonly RunEvent[]) => events.at(-1)?.type === "answer.requested";
    let events = await continueRun(sketch, [], () => payments.made.length === 1);
    events = await continueRun(sketch, events, isAsked);
    events = await continueRun(sketch, events, () => payments.questions.length === 2);
    const all = await continueRun(sketch, events);
    expectValid(all);
    expect(new Set(payments.questions.map(({ question }) => question)).size).toBe(1);
    expect(payments.made).toHaveLength(2);
  });

  test("is not executed before its answer is stored", async () => {
    const payments = new Payments(0);
    const sketch = payments.sketch(withApproval, [approved()]);
    const world = makeScriptedWorld(sketch.script, sketch.tools, sketch.context?.(new VirtualClock()));
    const { flow } = readSource(withApproval, { tools: ["pay"] });
    for await (const { type } of runFlow(flow, "Q", world.context)) {
      if (type !== "answer.given") continue;
      for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
      expect(payments.made).toEqual([]);
    }
    expect(payments.made).toEqual(['{"sum":1}']);
  });
});

const asking = (fields = ""): string =>
  `agents:\n  a: { model: "scripted:m", tools: [ask_human]${fields} }\nswarm: { flow: a }\n`;

/** An agent that asks a person its question, and answers with what it was told. */
function askingSketch(flow: string, answers: (HumanInputAnswer | null)[]) {
  const questions: NumberedQuestion[] = [];
  const script = ({ messages }: ModelRequest) => {
    const last = messages.at(-1);
    return last?.role === "tool"
      ? { text: `told: ${last.content}`, delayMs: 1 }
      : { calls: [{ name: "ask_human", arguments: { prompt: "Colour?" } }] };
  };
  const ask = (question: NumberedQuestion): Promise<HumanInputAnswer> => {
    questions.push(question);
    const answer = answers.shift();
    return answer ? Promise.resolve(answer) : new Promise(() => undefined);
  };
  const sketch: RunSketch = { source: flow, script, context: () => ({ humanInput: { ask } }) };
  return { sketch, questions };
}

describe("what a person answers to ask_human", () => {
  test("reaches the model as it is, also after a resume and in a fork", async () => {
    const { sketch } = askingSketch(asking(), [approved("red")]);
    const isToolDone = (events: readonly RunEvent[]) =>
      events.some(({ type }) => type === "answer.given") && events.at(-1)?.type === "request.sent";
    const first = await continueRun(sketch, [], isToolDone);
    const all = await continueRun(sketch, first);
    expectValid(all);
    expect(all.at(-1)).toMatchObject({ output: { text: "told: red" } });
    const second = all.find((event) => event.type === "node.started" && event.path === "a#llm-2");
    const node = second?.type === "node.started" ? second.id : 0;
    const fork = await continueRun(sketch, forkEvents(all, { node, now: 9_000 }).events);
    expect(fork.at(-1)).toMatchObject({ output: { text: "told: red" } });
  });

  test("is not taken for the approval of the call", async () => {
    const flow = asking(", needs_approval: [ask_human]");
    const { sketch, questions } = askingSketch(flow, [approved(), null, approved("blue")]);
    const first = await continueRun(sketch, [], () => questions.length === 2);
    const all = await continueRun(sketch, first);
    expectValid(all);
    expect(questions.map(({ type }) => type)).toEqual(["tool", "question", "question"]);
    expect(questions[1]?.question).toBe(questions[2]?.question);
    expect(all.at(-1)).toMatchObject({ output: { text: "told: blue" } });
  });
});

test("the time limit of a question goes on after a resume", async () => {
  const flow = `agents:\n  a: { model: "scripted:m" }\napprovals: { ok: { message: "Go on?", timeout_seconds: 10 } }\nswarm: { flow: ok >> a }\n`;
  const { sketch } = askingSketch(flow, []);
  let asked = 0;
  const waiting: RunSketch = {
    ...sketch,
    context: (clock) => ({
      humanInput: {
        ask: async (_, signal) => {
          asked++;
          await clock.sleep(6_000, signal);
          return asked === 1 ? new Promise(() => undefined) : approved();
        },
      },
    }),
  };
  const first = await continueRun(waiting, [], () => asked === 1);
  const last = first.at(-1);
  const rest = await continueRun(
    {
      ...waiting,
      context: (clock) => ({ ...waiting.context?.(clock), now: () => (last?.at ?? 0) + 5_000 + clock.now() }),
    },
    first,
  );
  expect(rest.at(-1)).toMatchObject({ error: { code: "timeout", path: "ok" } });
});
