import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EventBus } from "./event-bus";
import { type RunEvent, runEventSchema } from "./events";
import { findMessageMistakes, type Message, messageSchema, trimOldest } from "./messages";
import { PublicStream } from "./public-stream";
import { isRunErrorCode, runErrorCodes, runErrors } from "./run-errors";
import { isFailure, isTerminal, runStatuses } from "./run-status";
import { findSpawnedAgentId, readSpawnedAgentNumber, toSpawnedAgentId, toSpawnSuffix } from "./spawned-agent-id";
import { addUsage, noUsage, type Usage } from "./usage";
import { usageSchema } from "./usage-schema";

const count = fc.nat({ max: 1_000_000 });
const usage: fc.Arbitrary<Usage> = fc.record({
  input: count,
  output: count,
  cached: count,
  reasoning: count,
  calls: count,
  cost: fc.option(count),
  estimated: fc.boolean(),
});

describe("usage", () => {
  test("property: a sum does not depend on the order, and nothing added changes nothing", () => {
    fc.assert(
      fc.property(usage, usage, usage, (a, b, c) => {
        expect(addUsage(a, b)).toEqual(addUsage(b, a));
        expect(addUsage(addUsage(a, b), c)).toEqual(addUsage(a, addUsage(b, c)));
        expect(addUsage(a, noUsage)).toEqual(a);
        expect(usageSchema.safeParse(addUsage(a, b)).success).toBe(true);
      }),
    );
  });

  test("of a sum with an unknown cost the known part stays, marked; an estimate stays an estimate", () => {
    const known: Usage = { ...noUsage, cost: 2 };
    const unknown: Usage = { ...noUsage, cost: null };
    expect(addUsage(known, unknown)).toEqual({ ...noUsage, cost: 2, isCostPartial: true });
    expect(addUsage(addUsage(known, unknown), known)).toEqual({ ...noUsage, cost: 4, isCostPartial: true });
    expect(addUsage(noUsage, unknown)).toEqual(unknown);
    expect(addUsage(known, known)).toEqual({ ...noUsage, cost: 4 });
    expect(addUsage({ ...noUsage, estimated: true }, known).estimated).toBe(true);
  });
});

describe("statuses", () => {
  test.each([
    ["INIT", false, false],
    ["RUNNING", false, false],
    ["WAITING", false, false],
    ["SUCCESS", true, false],
    ["FAILED", true, true],
    ["TIMEOUT", true, true],
    ["CANCELLED", true, false],
  ] as const)("%s is terminal: %s, a failure: %s", (status, terminal, failure) => {
    expect([isTerminal(status), isFailure(status)]).toEqual([terminal, failure]);
    expect(runStatuses).toContain(status);
  });
});

describe("events", () => {
  const node = { seq: 2, at: 5, id: 1 };
  const events: readonly RunEvent[] = [
    { seq: 1, at: 5, type: "run.started", input: { text: "Q" }, flow: "F" },
    { ...node, type: "node.started", path: "a", kind: "agent", name: "a", input: { text: "Q", length: 9 } },
    { ...node, type: "request.sent", provider: "demo", url: "demo:", body: { text: "{}" } },
    { ...node, type: "response.received", body: { text: "{}" } },
    { ...node, type: "text.appended", text: "x" },
    { ...node, type: "reasoning.appended", text: "x" },
    { ...node, type: "attempt.failed", attempt: 1, error: { code: "network", message: "m" }, waitMs: 0 },
    { ...node, type: "attempt.queued", waitMs: 3 },
    { ...node, type: "node.noted", code: "trimmed", message: "m" },
    { ...node, type: "message.injected", text: "x", by: "Ann" },
    { ...node, type: "answer.requested", request: { type: "question", message: "?", choices: ["a"] } },
    { ...node, type: "answer.given", answer: { decision: "approved", by: "Ann" } },
    { ...node, type: "node.finished", status: "SUCCESS", output: { text: "A" }, usage: noUsage, metadata: { x: [1] } },
    { seq: 9, at: 5, type: "run.finished", status: "FAILED", output: { text: "" }, usage: noUsage, simulated: true },
  ];

  test.each(events)("$type is read back from its JSON, with its keys in the same order", (event) => {
    const text = JSON.stringify(event);
    const parsed = runEventSchema.parse(JSON.parse(text));
    expect(parsed).toEqual(event);
    expect(Object.keys(parsed).slice(0, 3)).toEqual(["seq", "at", "type"]);
  });

  test.each(events)("$type without its number or date, or with an unknown field, is refused", (event) => {
    for (const change of [{ seq: 0 }, { seq: 1.5 }, { at: "5" }, { unknown: 1 }, { type: "unknown" }])
      expect(runEventSchema.safeParse({ ...event, ...change }).success).toBe(false);
    if ("id" in event) expect(runEventSchema.safeParse({ ...event, id: 0 }).success).toBe(false);
  });
});

describe("conversations", () => {
  const user: Message = { role: "user", content: "Q" };
  const calls = (...ids: string[]): Message => ({
    role: "assistant",
    content: "",
    toolCalls: ids.map((id) => ({ id, name: `t${id}`, arguments: "{}" })),
  });
  const result = (toolCallId: string): Message => ({ role: "tool", toolCallId, name: `t${toolCallId}`, content: "R" });

  test.each<[title: string, messages: Message[], mistakes: string[]]>([
    ["nothing", [], []],
    ["calls with results in any order", [user, calls("1", "2"), result("2"), result("1"), user], []],
    ["a call without a result at the end", [user, calls("1")], ["The call 1 of t1 has no result."]],
    [
      "a call that a question follows",
      [calls("1"), user, result("1")],
      ["The call 1 of t1 has no result.", "The result 1 of t1 belongs to no call before it."],
    ],
    ["a result twice", [calls("1"), result("1"), result("1")], ["The result 1 of t1 belongs to no call before it."]],
    [
      "a result of an earlier turn",
      [calls("1"), calls("2"), result("1"), result("2")],
      ["The call 1 of t1 has no result.", "The result 1 of t1 belongs to no call before it."],
    ],
    ["a result first", [result("1")], ["The result 1 of t1 belongs to no call before it."]],
  ])("%s", (_, messages, mistakes) => expect(findMessageMistakes(messages)).toEqual(mistakes));

  test("property: a trimmed conversation is shorter, has no new mistakes, and retains its instructions and end", () => {
    const turn = fc.constantFrom<Message[]>([user], [calls("1"), result("1")], [{ role: "assistant", content: "A" }]);
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 9 }), (turns) => {
        const messages: Message[] = [
          { role: "system", content: "S" },
          ...turns.flat().map((message) => ({ ...message })),
        ];
        const trimmed = trimOldest(messages);
        expect(findMessageMistakes(trimmed)).toEqual([]);
        expect(messages.filter((message) => trimmed.includes(message))).toEqual(trimmed);
        expect(trimmed[0]).toBe(messages[0]);
        expect(trimmed.at(-1)).toBe(messages.at(-1));
        expect(trimmed).toContain(messages.findLast(({ role }) => role === "user") ?? messages[0]);
        if (turns.length > 3) expect(trimmed.length).toBeLessThan(messages.length);
      }),
    );
  });

  test("a message has the fields of its role and no others", () => {
    const valid: Message[] = [user, calls("1"), result("1"), { role: "system", content: "" }];
    expect(valid.every((message) => messageSchema.safeParse(message).success)).toBe(true);
    const invalid = [
      { role: "user" },
      { role: "user", content: "Q", toolCalls: [] },
      { role: "tool", content: "R" },
      { role: "x", content: "" },
    ];
    expect(invalid.some((message) => messageSchema.safeParse(message).success)).toBe(false);
  });
});

describe("spawned agents", () => {
  test.each([
    ["", 1, "agent-1"],
    ["desk", 12, "desk/agent-12"],
    ["a/b", 3, "a/b/agent-3"],
  ])("below %j number %i has the id %s, also from the path of its node", (swarmPath, number, id) => {
    expect(toSpawnedAgentId(swarmPath, number)).toBe(id);
    expect(readSpawnedAgentNumber(id)).toBe(number);
    const path = `${swarmPath === "" ? "" : `${swarmPath}/`}scout${toSpawnSuffix(number)}`;
    expect(findSpawnedAgentId(path)).toBe(id);
  });

  test.each(["agent-0", "agent-01", "agent-", "xagent-1", "agent-1/b", "agent-1234567", ""])("%j is no id", (id) =>
    expect(readSpawnedAgentNumber(id)).toBeNull(),
  );

  test("other nodes have no id", () => {
    for (const path of ["scout", "scout#2", "scout#spawn-", "scout#spawn-1#llm-1"])
      expect(findSpawnedAgentId(path)).toBeNull();
  });
});

describe("run errors", () => {
  test.each(runErrorCodes)("%s has a word, a sentence and at most one remedy", (code) => {
    const { word, sentence, remedy } = runErrors[code];
    expect(word).toMatch(/^\p{Lu}[\p{L} ]+$/u);
    expect(sentence).toMatch(/^\p{Lu}.*\.$/u);
    expect([undefined, "set-key", "open-editor"]).toContain(remedy?.type);
    expect(isRunErrorCode(code)).toBe(true);
  });

  test("names of object members are no codes", () => {
    expect(["toString", "__proto__", ""].map(isRunErrorCode)).toEqual([false, false, false]);
  });
});

describe("the event bus", () => {
  const event: RunEvent = { seq: 1, at: 0, type: "node.noted", id: 1, code: "c", message: "m" };

  test("calls the listeners of a type, then those of all types; a listener that throws stops no other", () => {
    const errors: unknown[] = [];
    const calls: string[] = [];
    const bus = new EventBus((error) => errors.push(error));
    bus.on("*", () => calls.push("all"));
    bus.on("node.noted", () => {
      throw new Error("broken");
    });
    const stop = bus.on("node.noted", () => calls.push("noted"));
    bus.on("run.started", () => calls.push("started"));
    bus.emit(event);
    expect([calls, errors]).toEqual([["noted", "all"], [new Error("broken")]]);
    stop();
    stop();
    bus.emit(event);
    expect(calls).toEqual(["noted", "all", "all"]);
    bus.clear();
    bus.emit(event);
    expect(calls).toHaveLength(3);
  });
});

describe("the event bus of an application", () => {
  const event: RunEvent = { seq: 1, at: 0, type: "node.noted", id: 1, code: "c", message: "m" };

  test("passes on its own events, each to the listeners of its type", async () => {
    const bus = new EventBus<{ type: "order.sent"; order: number }>();
    const orders: number[] = [];
    const all: string[] = [];
    bus.on("order.sent", ({ order }) => orders.push(order));
    bus.on("*", ({ type }) => all.push(type));
    await bus.emit({ type: "order.sent", order: 7 });
    await bus.emit(event);
    expect([orders, all]).toEqual([[7], ["order.sent", "node.noted"]]);
  });

  test("waits for listeners that are asynchronous, and reports those that fail", async () => {
    const errors: unknown[] = [];
    const bus = new EventBus((error) => errors.push(error));
    let isDone = false;
    bus.on("*", async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      isDone = true;
    });
    bus.on("*", () => Promise.reject(new Error("broken")));
    await bus.emit(event);
    expect([isDone, errors]).toEqual([true, [new Error("broken")]]);
  });
});

describe("the public stream", () => {
  test("ignores events of nodes that it does not know, and types that were not asked for", () => {
    const stream = new PublicStream(["text"]);
    expect(stream.take({ seq: 1, at: 0, type: "text.appended", id: 7, text: "x" })).toEqual([]);
    const start: RunEvent = {
      seq: 2,
      at: 0,
      type: "node.started",
      id: 7,
      path: "a#llm-1",
      kind: "llm_call",
      name: "m",
      input: { text: "" },
    };
    expect(stream.take(start)).toEqual([]);
    expect(stream.take({ seq: 3, at: 0, type: "text.appended", id: 7, text: "x" })).toEqual([
      { type: "text", path: "a#llm-1", agent: "m", text: "x" },
    ]);
    expect(stream.take({ seq: 4, at: 0, type: "reasoning.appended", id: 7, text: "x" })).toEqual([]);
  });

  test("a failed run ends with its error, then its status", () => {
    const error = { code: "limit", message: "Too much.", path: "a" };
    const end: RunEvent = {
      seq: 1,
      at: 0,
      type: "run.finished",
      status: "FAILED",
      output: { text: "" },
      usage: noUsage,
      error,
    };
    expect(new PublicStream().take(end)).toEqual([
      { type: "error", path: "a", code: "limit", message: "Too much." },
      { type: "status", path: "/", kind: "run", name: "", status: "FAILED", reason: "Too much." },
    ]);
  });
});
