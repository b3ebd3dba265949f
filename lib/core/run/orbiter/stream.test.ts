import { describe, expect, test } from "vitest";
import { emptyRunState, findNode, foldEvents } from "../../trace/model/fold-events";
import { EventBus } from "../events/event-bus";
import type { RunEvent } from "../events/events";
import { findMessageMistakes, type Message, trimOldest } from "../events/messages";
import { PublicStream, type StreamEventType } from "../events/public-stream";
import { type HookPoint, Hooks, hookPoints } from "../ports/hooks";
import { agents, call, echo, refuse, reply, runFile } from "./flow-file.arbitrary";

const withEcho = `agents:\n  a: { model: "scripted:m", tools: [echo] }\nswarm: { flow: a }\n`;
const round = { tools: [echo], script: { a: [call("echo"), reply("fin")] } };

describe("hooks", () => {
  const recording = () => {
    const points: HookPoint[] = [];
    const hooks = new Hooks();
    for (const point of hookPoints) hooks.on(point, ({ point: called }) => void points.push(called));
    return { points, hooks };
  };

  test("166, 170, 171: seven points, fired in the order of what happens, streamed or drained alike", async () => {
    const { points, hooks } = recording();
    await runFile(withEcho, { ...round, options: { hooks } });
    expect(points).toEqual([
      "START",
      "PRE_LLM_CALL",
      "POST_LLM_CALL",
      "PRE_TOOL_CALL",
      "POST_TOOL_CALL",
      "PRE_LLM_CALL",
      "POST_LLM_CALL",
      "FINISHED",
    ]);
    expect(hookPoints).toHaveLength(7);
  });

  test("167: two hooks of one point are called in the order added, each awaited", async () => {
    const calls: string[] = [];
    const hooks = new Hooks()
      .on("START", async () => {
        await Promise.resolve();
        calls.push("first");
      })
      .on("START", () => void calls.push("second"));
    await runFile(withEcho, { ...round, options: { hooks } });
    expect(calls).toEqual(["first", "second"]);
  });

  test("168: a hook that throws reaches the caller as the run's error", async () => {
    const hooks = new Hooks().on("POST_TOOL_CALL", () => Promise.reject(new Error("stop here")));
    const ran = await runFile(withEcho, { ...round, options: { hooks } });
    expect(ran.last).toMatchObject({ status: "FAILED", error: { code: "hook" } });
    expect(ran.last.error?.message).toContain("stop here");
  });

  test("169: of a hook that was added twice the first is taken out; an unknown one does not matter", async () => {
    let calls = 0;
    const hook = () => void calls++;
    const hooks = new Hooks().on("START", hook).on("START", hook).off("START", hook).off("ERROR", hook);
    await runFile(withEcho, { ...round, options: { hooks } });
    expect(calls).toBe(1);
  });

  test("172: a failure fires ERROR, with the error", async () => {
    const { points, hooks } = recording();
    const ran = await runFile(withEcho, { tools: [echo], script: { a: [refuse] }, options: { hooks } });
    expect(points.at(-1)).toBe("ERROR");
    expect(streamOf(ran.events).slice(-4)).toMatchObject([
      { type: "status", kind: "agent", status: "FAILED" },
      { type: "status", kind: "swarm", status: "FAILED" },
      { type: "error", code: "invalid-request" },
      { type: "status", kind: "run", status: "FAILED", reason: "refused" },
    ]);
  });
});

describe("event bus", () => {
  test("189: no listeners, removing twice, clearing: no errors", () => {
    const bus = new EventBus();
    const event: RunEvent = { seq: 1, at: 0, type: "run.started", flow: "", input: { text: "" } };
    const listener = () => undefined;
    bus.emit(event);
    bus.on("*", listener);
    bus.off("*", listener);
    bus.off("*", listener);
    bus.clear();
    expect(() => bus.emit(event)).not.toThrow();
  });

  test("listeners get the events of a run, and cannot disturb it", async () => {
    const errors: unknown[] = [];
    const bus = new EventBus((error) => errors.push(error));
    const seen: number[] = [];
    bus.on("*", ({ seq }) => seen.push(seq));
    bus.on("run.started", () => {
      throw new Error("mine alone");
    });
    const ran = await runFile(withEcho, { ...round, options: { bus } });
    expect(seen).toEqual(ran.events.map(({ seq }) => seq));
    expect(ran.last.status).toBe("SUCCESS");
    expect(errors).toHaveLength(1);
  });
});

const streamOf = (events: readonly RunEvent[], only?: readonly StreamEventType[]) => {
  const stream = new PublicStream(only);
  return events.flatMap((event) => stream.take(event));
};
const typesOf = (events: readonly RunEvent[], only?: readonly StreamEventType[]) =>
  streamOf(events, only).map((event) => {
    if (event.type === "step") return `step ${event.number} ${event.phase}`;
    return event.type === "status" ? `status ${event.kind} ${event.status}` : event.type;
  });

describe("the public stream", () => {
  test("173, 179: filtered to text it tells text only, and the chain still works", async () => {
    const ran = await runFile(`${agents("a", "b")}\nswarm: { flow: a >> b }\n`, {
      script: { a: [reply("A")], b: [reply("B")] },
    });
    expect(streamOf(ran.events, ["text"])).toEqual([
      { type: "text", path: "a#llm-1", agent: "a", text: "A" },
      { type: "text", path: "b#llm-1", agent: "b", text: "B" },
    ]);
  });

  test("174: an answer in words", async () => {
    const ran = await runFile(agents("a"), { script: { a: [{ text: ["hel", "lo"] }] } });
    expect(typesOf(ran.events)).toEqual([
      "status run RUNNING",
      "status swarm RUNNING",
      "status agent RUNNING",
      "step 1 started",
      "text",
      "text",
      "usage",
      "step 1 completed",
      "status agent SUCCESS",
      "status swarm SUCCESS",
      "status run SUCCESS",
    ]);
  });

  test("175: a round with a tool", async () => {
    const ran = await runFile(withEcho, round);
    expect(typesOf(ran.events).slice(3, -3)).toEqual([
      "step 1 started",
      "usage",
      "tool_call",
      "tool_result",
      "step 1 completed",
      "step 2 started",
      "text",
      "usage",
      "step 2 completed",
    ]);
  });

  test("176: the tool call carries its whole arguments, after the usage of the call that asked for it", async () => {
    const ran = await runFile(withEcho, { tools: [echo], script: { a: [call("echo", { text: "x" }), reply("fin")] } });
    expect(streamOf(ran.events, ["tool_call"])).toMatchObject([
      { name: "echo", arguments: '{"text":"x"}', agent: "a" },
    ]);
  });

  test("177: each tool's own time", async () => {
    const slow = (name: string, ms: number) => ({
      ...echo,
      spec: { ...echo.spec, name },
      execute: (_: unknown, { signal }: { signal: AbortSignal }) =>
        sleep?.(ms, signal).then(() => name) ?? Promise.resolve(name),
    });
    let sleep: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
    const ran = await runFile(withEcho.replace("[echo]", "[one, two]"), {
      tools: [slow("one", 100), slow("two", 300)],
      script: { a: [{ calls: [{ name: "one" }, { name: "two" }] }, reply("fin")] },
      onEvent: (_, stage) => {
        sleep = stage.clock.sleep;
      },
    });
    expect(streamOf(ran.events, ["tool_result"])).toMatchObject([
      { name: "one", ms: 100 },
      { name: "two", ms: 300 },
    ]);
  });

  test("178: the step limit ends with a status and its reason", async () => {
    const file = withEcho.replace("tools:", "max_steps: 1, tools:");
    const ran = await runFile(file, { tools: [echo], script: { a: [call("echo")] } });
    expect(streamOf(ran.events, ["status"]).at(-1)).toMatchObject({
      kind: "run",
      status: "FAILED",
      reason: expect.stringContaining("after 1 model calls"),
    });
  });

  test("a fallback belongs to the turn of the model that gave no answer", async () => {
    const text = withEcho.replace("tools: [echo]", 'tools: [echo], fallback_model: "scripted:spare"');
    const script = { a: [refuse, call("echo"), refuse, reply("fin")] };
    const { events } = await runFile(text, { tools: [echo], script });
    const steps = streamOf(events, ["step"]).map((step) => [
      step.path,
      step.type === "step" && [step.number, step.phase],
    ]);
    expect(steps).toEqual([
      ["a#llm-1", [1, "started"]],
      ["a#llm-1", [1, "completed"]],
      ["a#llm-2", [2, "started"]],
      ["a#llm-2", [2, "completed"]],
    ]);
  });

  test("180: an empty filter tells nothing", async () => {
    expect(streamOf((await runFile(withEcho, round)).events, [])).toEqual([]);
  });

  test("181: empty pieces of text are no events", async () => {
    const ran = await runFile(agents("a"), { script: { a: [{ text: ["", "x", ""] }] } });
    expect(streamOf(ran.events, ["text"])).toHaveLength(1);
  });

  test("79, 80: text before a tool call streams, and is no part of the answer that flows on", async () => {
    const file = `${agents("a", "b").replace('I am a"', 'I am a", tools: [echo]')}\nswarm: { flow: a >> b }\n`;
    const ran = await runFile(file, {
      tools: [echo],
      script: { a: [reply("pre ", { calls: [{ name: "echo" }] }), reply("fin")], b: [reply("B")] },
    });
    expect(streamOf(ran.events, ["text"]).map((event) => event.type === "text" && event.text)).toEqual([
      "pre ",
      "fin",
      "B",
    ]);
    expect(ran.models.requestsOf("b")[0]?.messages.at(-1)?.content).toBe("fin");
  });

  test("what a person is asked is a status", async () => {
    const file = `approvals: { ok: { message: Fine? } }\n${agents("a")}\nswarm: { flow: ok >> a }\n`;
    const people = { ask: async () => ({ decision: "approved" as const, by: "Ann" }) };
    const ran = await runFile(file, { context: { humanInput: people }, script: { a: [reply("A")] } });
    expect(typesOf(ran.events).slice(2, 6)).toEqual([
      "status approval RUNNING",
      "status approval WAITING",
      "status approval RUNNING",
      "status approval SUCCESS",
    ]);
  });
});

describe("run state", () => {
  test("182: a new one has nothing, and neither runs nor has ended", () => {
    expect(emptyRunState).toMatchObject({ status: "INIT", nodes: [], usage: { calls: 0 }, output: { text: "" } });
  });

  test("183, 184: nodes are numbered as they start; they run, and end in one of four ways, with a duration only then", async () => {
    const ran = await runFile(`${agents("a", "b")}\nswarm: { flow: a >> b }\n`, {
      script: { a: [reply("A")], b: [refuse] },
    });
    const half = foldEvents(emptyRunState, ran.events.slice(0, 4));
    expect(half.nodes.map(({ id, status, endedAt }) => [id, status, endedAt])).toEqual([
      [1, "RUNNING", undefined],
      [2, "RUNNING", undefined],
      [3, "RUNNING", undefined],
    ]);
    const whole = foldEvents(half, ran.events);
    expect(findNode(whole, 2)?.status).toBe("SUCCESS");
    expect(findNode(whole, 4)).toMatchObject({ status: "FAILED", error: { message: "refused" }, endedAt: 0 });
  });

  test("185: usage that is recorded twice is summed, an event that comes twice is not", async () => {
    const ran = await runFile(`${agents("a", "b")}\nswarm: { flow: a >> b }\n`, {
      script: { a: [reply("A", { usage: { input: 1 } })], b: [reply("B", { usage: { input: 2 } })] },
    });
    const state = foldEvents(foldEvents(emptyRunState, ran.events), ran.events);
    expect(state.usage).toMatchObject({ input: 3, calls: 2 });
  });

  test("186: what has ended stays as it ended", async () => {
    const ran = await runFile(agents("a"), { script: { a: [reply("A")] } });
    const state = foldEvents(emptyRunState, ran.events);
    expect(foldEvents(state, [{ ...ran.last, seq: state.seq + 1, status: "FAILED" }]).status).toBe("SUCCESS");
  });
});

describe("messages", () => {
  const asking: Message = {
    role: "assistant",
    content: "",
    toolCalls: ["one", "two"].map((id) => ({ id, name: "echo", arguments: "" })),
  };
  const result: Message = { role: "tool", toolCallId: "one", name: "echo", content: "" };

  test("187: a call without its result is named", () => {
    expect(findMessageMistakes([asking, result])).toEqual(["The call two of echo has no result."]);
  });

  test("trimming takes the older half of the turns, never the last question, nor results from their calls", () => {
    const question: Message = { role: "user", content: "Q" };
    const both: Message[] = [asking, result, { ...result, toolCallId: "two" }];
    expect(trimOldest([{ role: "system", content: "S" }, question, ...both, ...both, ...both])).toEqual([
      { role: "system", content: "S" },
      question,
      ...both,
      ...both,
    ]);
    expect(trimOldest([question])).toEqual([question]);
  });

  test("188: calls that a user message follows are open no more, and are named", () => {
    const messages: Message[] = [
      asking,
      result,
      { role: "user", content: "and?" },
      { role: "assistant", content: "so" },
    ];
    expect(findMessageMistakes(messages)).toEqual(["The call two of echo has no result."]);
    expect(findMessageMistakes([result])).toEqual(["The result one of echo belongs to no call before it."]);
  });
});
