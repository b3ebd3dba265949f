import { getEventListeners, setMaxListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { emptyRunState, foldEvents } from "../trace/model/fold-events";
import type { RunEvent } from "./events/events";
import { noUsage } from "./events/usage";
import { runFlow } from "./run-flow";
import type { ScriptedTurn } from "./testing/scripted-model";
import { type FinishedRun, makeFlow, makeScriptedWorld, runScripted } from "./testing/scripted-run";

const never: ScriptedTurn = { text: "half", end: "never" };
const statuses = ({ events }: FinishedRun): string[] => [
  ...new Set(foldEvents(emptyRunState, events).nodes.map((node) => node.status)),
];
const isText = (event: RunEvent): boolean => event.type === "text.appended";

describe("cancel", () => {
  test("ends everything at once, aborts the provider's call and keeps the text so far", async () => {
    let pieces = 0;
    const ran = await runScripted(
      { flow: "a >> (b | g) >> d", groups: { g: { flow: "e | f" } } },
      {
        script: ({ agent }) => (agent === "a" ? { text: "A" } : never),
        onEvent: (event, { abort }) => {
          if (isText(event) && ++pieces === 4) abort.abort();
        },
      },
    );
    expect(ran.last).toMatchObject({
      status: "CANCELLED",
      output: { text: "half\n\nhalf\n\nhalf" },
      error: { code: "cancelled", message: "The run was cancelled." },
    });
    expect(statuses(ran)).toEqual(["CANCELLED", "SUCCESS"]);
    expect(ran.end("g/e#llm-1")).toMatchObject({ status: "CANCELLED", output: { text: "half" } });
    expect(ran.models.requests.map(({ agent, signal }) => [agent, signal.aborted])).toEqual([
      ["a", false],
      ["b", true],
      ["e", true],
      ["f", true],
    ]);
    expect(ran.clock.now()).toBe(0);
  });

  test("while a tool never returns", async () => {
    const abort = new AbortController();
    const execute = (): Promise<unknown> => {
      queueMicrotask(() => abort.abort());
      return new Promise(() => undefined);
    };
    const spec = { name: "t", description: "", parameters: {} };
    const ran = await runScripted(
      { flow: "a", agents: { a: { tools: ["t"] } } },
      {
        script: { a: [{ text: "wait", calls: [{ name: "t" }] }] },
        context: { tools: { find: () => ({ spec, input: z.unknown(), execute }) }, signal: abort.signal },
      },
    );
    expect(ran.last).toMatchObject({ status: "CANCELLED", output: { text: "wait" } });
    expect(ran.end("a#llm-1#tool-1").status).toBe("CANCELLED");
    expect(ran.end("a").status).toBe("CANCELLED");
    expect(ran.clock.sleeping).toBe(0);
  });

  test("while it waits to try again", async () => {
    const ran = await runScripted(
      { flow: "a" },
      {
        script: { a: [{ end: { class: "server", message: "busy", status: 503 } }] },
        onEvent: (event, { abort }) => {
          if (event.type === "attempt.failed") setImmediate(() => abort.abort());
        },
        context: { sleep: () => new Promise(() => undefined) },
      },
    );
    expect(ran.last.status).toBe("CANCELLED");
    expect(ran.end("a#llm-1").status).toBe("CANCELLED");
  });

  test("before the start: nothing is asked, one terminal event", async () => {
    const abort = new AbortController();
    abort.abort();
    const ran = await runScripted({ flow: "a >> (b | c)" }, { script: {}, context: { signal: abort.signal } });
    expect(ran.models.requests).toEqual([]);
    expect(ran.events.map((event) => event.type)).toEqual([
      "run.started",
      "node.started",
      "node.finished",
      "run.finished",
    ]);
    expect(ran.last.status).toBe("CANCELLED");
  });

  test("after the end it changes nothing, and no listener stays on the signal", async () => {
    const { last, abort } = await runScripted({ flow: "a" }, { script: { a: [{ text: "A" }] } });
    expect(getEventListeners(abort.signal, "abort")).toEqual([]);
    abort.abort();
    expect(last.status).toBe("SUCCESS");
  });

  test("the tokens of an interrupted call are estimated, its cost is unknown; simulated calls cost nothing", async () => {
    for (const [model, cost] of [
      ["scripted:m", null],
      ["demo:m", 0],
    ] as const) {
      const ran = await runScripted(
        { flow: "a", agents: { a: { model } } },
        { script: { a: [never] }, onEvent: (event, { abort }) => (isText(event) ? abort.abort() : undefined) },
      );
      expect(ran.last.usage).toEqual({ ...noUsage, input: 11, output: 1, calls: 1, cost, estimated: true });
    }
  });
});

describe("leaving early", () => {
  test("return() aborts the calls, ends the stream and lets nothing run on", async () => {
    const { models, context, clock } = makeScriptedWorld({ a: [never], b: [{ text: "B", delayMs: 1000 }] });
    const events = runFlow(makeFlow({ flow: "(a | b) >> c" }), "Q", context);
    for await (const event of events) if (isText(event)) break;
    expect(models.requests.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    expect(clock.sleeping).toBe(0);
    expect(await events.next()).toEqual({ done: true, value: undefined });
    expect(models.requestsOf("c")).toEqual([]);
  });

  test("return() while an event is awaited ends that wait", async () => {
    const { context } = makeScriptedWorld({ a: [{ end: "never" }] });
    const events = runFlow(makeFlow({ flow: "a" }), "Q", context);
    for (let i = 0; i < 4; i++) await events.next();
    const waiting = events.next();
    await events.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  test("throw() does the same and gives the error back", async () => {
    const { context, models } = makeScriptedWorld({ a: [never] });
    const events = runFlow(makeFlow({ flow: "a" }), "Q", context);
    for (let i = 0; i < 5; i++) await events.next();
    await expect(events.throw(new Error("mine"))).rejects.toThrow("mine");
    expect(models.requests[0]?.signal.aborted).toBe(true);
  });

  test("several questions at once are answered in order", async () => {
    const { context } = makeScriptedWorld({ a: [{ text: "A" }] });
    const events = runFlow(makeFlow({ flow: "a" }), "Q", context);
    const results = await Promise.all(Array.from({ length: 12 }, () => events.next()));
    const seqs = results.flatMap((result) => (result.done ? [] : [result.value.seq]));
    expect(seqs).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });
});

describe("time limits", () => {
  test("max_seconds ends the run with TIMEOUT and keeps what there is", async () => {
    const ran = await runScripted(
      { flow: "a >> (b | c)" },
      {
        script: { a: [{ text: "A", delayMs: 1000 }], b: [{ text: "B", delayMs: 500 }], c: [never] },
        options: { limits: { max_seconds: 2 } },
      },
    );
    expect(ran.last).toMatchObject({ status: "TIMEOUT", output: { text: "B\n\nhalf" }, error: { code: "limit" } });
    expect(ran.clock.now()).toBe(2000);
    expect(["a", "b", "c", "c#llm-1", "/"].map((path) => ran.end(path).status)).toEqual([
      "SUCCESS",
      "SUCCESS",
      "TIMEOUT",
      "TIMEOUT",
      "TIMEOUT",
    ]);
  });

  test("timeout_seconds of an agent ends the agent; the run fails with its path", async () => {
    const ran = await runScripted(
      { flow: "a >> (b | c)", agents: { b: { timeout_seconds: 1.5 } } },
      { script: { a: [{ text: "A" }], b: [never], c: [{ text: "C", delayMs: 9000 }] } },
    );
    expect(ran.last).toMatchObject({
      status: "FAILED",
      output: { text: "half" },
      error: { code: "timeout", path: "b", message: '"b" did not end within 1.5 s.' },
    });
    expect(["b", "b#llm-1", "c", "/"].map((path) => ran.end(path).status)).toEqual([
      "TIMEOUT",
      "TIMEOUT",
      "CANCELLED",
      "FAILED",
    ]);
    expect(ran.clock.now()).toBe(1500);
  });

  test("limits that are not reached leave no timer running", async () => {
    const { clock, last } = await runScripted(
      { flow: "a", agents: { a: { timeout_seconds: 86_400 } } },
      { script: { a: [{ text: "A" }] }, options: { limits: { max_seconds: 1e9 } } },
    );
    expect(last.status).toBe("SUCCESS");
    expect(clock.sleeping).toBe(0);
  });

  test("timers get no longer wait than they can do", async () => {
    const waits: number[] = [];
    await runScripted(
      { flow: "a" },
      {
        script: { a: [{ text: "A" }] },
        options: { limits: { max_seconds: 1e9 } },
        context: {
          sleep: (ms) => {
            waits.push(ms);
            return new Promise(() => undefined);
          },
        },
      },
    );
    expect(waits).toEqual([2 ** 31 - 1]);
  });
});

test("1,000 members on one signal: one listener, no warning, none left", async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error): number => warnings.push(warning);
  process.on("warning", onWarning);
  const abort = new AbortController();
  setMaxListeners(3, abort.signal);
  const members = Array.from({ length: 1000 }, (_, i) => `m${i}`);
  let most = 0;
  const { last } = await runScripted(
    { flow: `(${members.join(" | ")})` },
    {
      script: () => ({ text: "x", delayMs: 5 }),
      context: { signal: abort.signal },
      onEvent: () => {
        most = Math.max(most, getEventListeners(abort.signal, "abort").length);
      },
    },
  );
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", onWarning);
  expect(last.status).toBe("SUCCESS");
  expect([most, getEventListeners(abort.signal, "abort"), warnings]).toEqual([1, [], []]);
});
