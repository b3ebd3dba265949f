import Ajv from "ajv";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { JsonSchema } from "@/lib/core/flow/flow";
import type { Message } from "@/lib/core/run/events/messages";
import { askHuman } from "@/lib/core/run/loop/ask-human";
import type { ModelEvent, ModelRequest, ToolSpec } from "@/lib/core/run/ports/model";
import { toolPort, toolSpecs } from "@/lib/server/tools/registry";
import { doneIn, failureIn, readAll, requestOf, sentIn, textIn } from "../testing/read";
import { createDemoModel } from "./demo";

const label = "Simulated answer (no model was asked)";
const model = createDemoModel(0);
const ask = (request: ModelRequest) => readAll(model, request);
const spec = (
  name: string,
  description: string,
  properties: JsonSchema,
  required = Object.keys(properties),
): ToolSpec => ({
  name,
  description,
  parameters: { type: "object", properties, required },
});
const callsOf = async (request: ModelRequest) =>
  (doneIn(await ask(request)).message.toolCalls ?? []).map((call) => [call.name, JSON.parse(call.arguments)]);

describe("a simulated answer", () => {
  it("states that no model was called, costs nothing and estimates its tokens", async () => {
    const events = await ask(requestOf({ user: "Tell me about bees." }));
    expect(textIn(events)).toMatch(/^Simulated answer \(no model was asked\)/);
    expect(doneIn(events)).toMatchObject({ simulated: true, finishReason: "stop" });
    expect(doneIn(events).usage).toMatchObject({ cost: 0, calls: 1, estimated: true });
    expect(textIn(events)).toBe(doneIn(events).message.content);
  });

  it("shows the neutral request as what was sent, and nowhere else but here", async () => {
    const { signal: _, ...request } = requestOf({ temperature: 1 });
    const sent = sentIn(await ask(requestOf({ temperature: 1 })));
    expect(sent).toMatchObject({ provider: "demo", url: "demo:" });
    expect(JSON.parse(sent.body)).toEqual(request);
  });

  it("is a function of its request: the same one, and no other input, gives the same events", async () => {
    const anyRequest = fc.record({
      agent: fc.string(),
      system: fc.string(),
      user: fc.string(),
      tools: fc.subarray([...toolSpecs]),
    });
    await fc.assert(
      fc.asyncProperty(anyRequest, async ({ agent, system, user, tools }) => {
        const messages: Message[] = [
          { role: "system", content: system },
          { role: "user", content: user },
        ];
        const request = requestOf({ agent, messages, tools });
        const first = await ask(request);
        expect(await ask({ ...request, messages: structuredClone(messages) })).toEqual(first);
        expect(first.at(-1)?.type).toBe("done");
      }),
    );
  });

  it("ends for messages of any kind, and for a text of a million characters", async () => {
    expect(doneIn(await ask(requestOf({ messages: [] }))).message.content).toContain(label);
    for (const text of [
      "1".repeat(1_000_000),
      "a >> ".repeat(200_000),
      "demo: call ".repeat(90_000),
      "{".repeat(1_000_000),
    ]) {
      // What grew faster than the text would not end within the time of a test.
      doneIn(await ask(requestOf({ user: text, tools: toolSpecs })));
    }
  });

  it.each([
    ["planner", "", "1. What works"],
    ["step two", "You are a critic. Review the text.", "checked"],
    ["summariser", "", "In short"],
    ["__proto__", "", "__proto__"],
  ])("of %s (%s) reads like its role", async (agent, system, expected) => {
    const messages: Message[] = [
      { role: "system", content: system },
      { role: "user", content: `${label}.\n\nTopic: bees\n\n- Bees dance. (researcher, read_page: bees)` },
    ];
    expect(textIn(await ask(requestOf({ agent, messages })))).toContain(expected);
  });

  it("hands on what earlier agents found", async () => {
    const user = `${label}.\n\nTopic: bees\n\n- Bees dance. (researcher, read_page: bees)`;
    const answer = textIn(await ask(requestOf({ agent: "writer", user })));
    expect(answer).toContain("Bees dance.");
    expect(answer).toContain("bees");
  });
});

describe("tools of a simulated agent", () => {
  it("are those that the task speaks of, with arguments from it", async () => {
    const tools = toolSpecs;
    expect(await callsOf(requestOf({ user: "What is 12 * (3 + 4)?", tools }))).toContainEqual([
      "calculator",
      { expression: "12 * (3 + 4)" },
    ]);
    expect(await callsOf(requestOf({ user: "Work out the sum: 2.5 * 3.", tools }))).toContainEqual([
      "calculator",
      { expression: "2.5 * 3" },
    ]);
    expect(await callsOf(requestOf({ user: "What time is it in Asia/Tokyo?", tools }))).toContainEqual([
      "current_time",
      { time_zone: "Asia/Tokyo" },
    ]);
    expect(await callsOf(requestOf({ user: 'Read the page "rain-gardens"', tools }))).toContainEqual([
      "read_page",
      { page: "rain-gardens" },
    ]);
  });

  it("are at most two a turn, and none once they have answered", async () => {
    const tools = [
      ...toolSpecs,
      ...Array.from({ length: 9 }, (_, nth) => spec(`find_${nth}`, "Finds a page", { query: { type: "string" } })),
    ];
    const request = requestOf({ user: "Find the time of 3 * 4 in the page", tools });
    const { message } = doneIn(await ask(request));
    expect(message.toolCalls).toHaveLength(2);
    const results = (message.toolCalls ?? []).map(
      (call): Message => ({ role: "tool", toolCallId: call.id, name: call.name, content: `result of ${call.name}` }),
    );
    const answer = doneIn(await ask({ ...request, messages: [...request.messages, message, ...results] }));
    expect(answer.message.toolCalls).toBeUndefined();
    for (const result of results) expect(answer.message.content).toContain(result.content);
  });

  it("ask each worker once, in one turn", async () => {
    const tools = ["ann", "bob", "cyd"].map((name) =>
      spec(`delegate_to_${name}`, `Asks ${name}`, { task: { type: "string" } }),
    );
    const calls = await callsOf(requestOf({ user: "Write a poem", tools }));
    expect(calls).toEqual(tools.map((tool) => [tool.name, { task: "Write a poem" }]));
  });

  it("hand over once in a conversation", async () => {
    const tools = ["billing", "support"].map((name) =>
      spec(`transfer_to_${name}`, `Hands over to ${name}`, { reason: { type: "string" } }),
    );
    const request = requestOf({ user: "My billing is wrong", tools });
    const { message } = doneIn(await ask(request));
    expect(message.toolCalls?.map((call) => call.name)).toEqual(["transfer_to_billing"]);
    const later: Message[] = [
      ...request.messages,
      message,
      { role: "tool", toolCallId: "x", name: "t", content: "" },
      { role: "user", content: "go on" },
    ];
    expect(doneIn(await ask({ ...request, messages: later })).message.toolCalls).toBeUndefined();
  });

  const inputOf = (name: string) => (name === askHuman.spec.name ? askHuman.input : toolPort.find(name)?.input);

  it("always get arguments that they accept", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.subarray([...toolSpecs], { minLength: 1 }), async (user, tools) => {
        for (const call of doneIn(await ask(requestOf({ user, tools }))).message.toolCalls ?? [])
          expect(inputOf(call.name)?.safeParse(JSON.parse(call.arguments)).success).toBe(true);
      }),
    );
  });
});

describe("structured output", () => {
  const ajv = new Ajv({ strict: false });

  it.each<[string, JsonSchema]>([
    [
      "an object",
      { type: "object", properties: { title: { type: "string" }, n: { type: "integer" } }, required: ["title"] },
    ],
    [
      "closed",
      { type: "object", additionalProperties: false, properties: { ok: { type: "boolean" } }, required: ["ok"] },
    ],
    [
      "limits",
      {
        type: "object",
        properties: {
          a: { type: "number", minimum: 5, maximum: 6 },
          b: { type: "integer", exclusiveMinimum: 9, multipleOf: 7 },
          c: { type: "string", minLength: 90 },
          d: { type: "string", maxLength: 3 },
        },
        required: ["a", "b", "c", "d"],
      },
    ],
    [
      "lists",
      {
        type: "array",
        minItems: 3,
        items: { type: "object", properties: { x: { enum: ["p", "q"] } }, required: ["x"] },
      },
    ],
    ["unique and many", { type: "array", uniqueItems: true, minItems: 3, items: { type: "string" } }],
    ["unique choices", { type: "array", uniqueItems: true, minItems: 2, items: { enum: ["p", "q", "r"] } }],
    ["unique", { type: "array", uniqueItems: true, items: { type: "string" } }],
    ["choices", { anyOf: [{ type: "null" }, { type: "object", properties: { k: { const: 4 } }, required: ["k"] }] }],
    [
      "references",
      {
        $defs: {
          node: {
            type: "object",
            properties: { name: { type: "string" }, next: { $ref: "#/$defs/node" } },
            required: ["name"],
          },
        },
        $ref: "#/$defs/node",
      },
    ],
    [
      "all of",
      {
        allOf: [
          { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
          { properties: { b: { type: "null" } }, required: ["b"] },
        ],
      },
    ],
    ["a list of types", { type: ["null", "string"] }],
    ["required without properties", { type: "object", required: ["anything"] }],
    [
      "odd names",
      {
        type: "object",
        properties: { constructor: { type: "string" }, toString: { type: "number" } },
        required: ["constructor", "toString"],
      },
    ],
    ["nothing", {}],
    ["a tuple", { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], minItems: 2 }],
  ])("fits its schema: %s", async (_, schema) => {
    const { message } = doneIn(await ask(requestOf({ user: "Seven bees for 12 euro", output_schema: schema })));
    const value: unknown = JSON.parse(message.content);
    expect(ajv.validate(schema, value), ajv.errorsText()).toBe(true);
  });

  it("marks its texts as simulated", async () => {
    const schema = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
    expect(textIn(await ask(requestOf({ output_schema: schema })))).toContain(label);
  });

  it("ends for a schema that needs itself for ever", async () => {
    const schema = {
      $defs: { n: { type: "object", properties: { n: { $ref: "#/$defs/n" } }, required: ["n"] } },
      $ref: "#/$defs/n",
    };
    expect(textIn(await ask(requestOf({ output_schema: schema })))).toContain("{");
    expect(textIn(await ask(requestOf({ output_schema: { $ref: "#/$defs/missing" } })))).not.toBe("");
  });
});

describe("structured output of a schema that asks for far too much", () => {
  it.each<[string, (inner: JsonSchema) => JsonSchema, JsonSchema]>([
    ["values", (items) => ({ type: "array", minItems: 100, items }), { type: "string", minLength: 1000 }],
    [
      "objects",
      (a) => ({ type: "object", properties: { a, b: a, c: a }, required: ["a", "b", "c"] }),
      { type: "null" },
    ],
  ])("ends early: %s", async (_, wrap, innermost) => {
    let schema = innermost;
    for (let level = 0; level < 12; level++) schema = wrap(schema);
    const text = textIn(await ask(requestOf({ output_schema: schema })));
    expect(text.length).toBeLessThan(3_000_000);
  });
});

describe("the teaching switches", () => {
  it.each([
    ["429", "rate-limit"],
    ["500", "server"],
    ["401", "auth"],
    ["400", "invalid-request"],
  ])("demo: error %s", async (status, expected) => {
    const events = await ask(requestOf({ user: `Bees. demo: error ${status}` }));
    expect(failureIn(events)).toMatchObject({ class: expected, status: Number(status) });
  });

  it("demo: call NAME {json} calls it once, whatever the task is", async () => {
    const request = requestOf({
      user: 'Bees. demo: call calculator {"expression": "max({1}, 2)", "x": {}} please',
      tools: toolSpecs,
    });
    const { message } = doneIn(await ask(request));
    expect(message.toolCalls).toEqual([
      { id: expect.any(String), name: "calculator", arguments: '{"expression": "max({1}, 2)", "x": {}}' },
    ]);
    const [call] = message.toolCalls ?? [];
    const result: Message = {
      role: "tool",
      toolCallId: call?.id ?? "",
      name: "calculator",
      content: "broken",
      isError: true,
    };
    const answer = textIn(await ask({ ...request, messages: [...request.messages, message, result] }));
    expect(answer).toContain("The tool failed: broken");
    expect(answer).not.toContain("demo: call");
  });

  it("are not handed on to the next agent", async () => {
    const answer = textIn(
      await ask(requestOf({ agent: "planner", user: "Bees. demo: call unknown_tool {} demo: slow", tools: [] })),
    );
    expect(answer === "" || !/demo:/.test(answer)).toBe(true);
  });
});

describe("the pace", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
  afterEach(() => void vi.useRealTimers());

  /** When each word comes, in milliseconds from the beginning. */
  async function readTimes(request: ModelRequest, speed: number): Promise<number[]> {
    const start = performance.now();
    const times: number[] = [];
    const reading = (async () => {
      for await (const event of createDemoModel(speed).stream(request))
        if (event.type === "text") times.push(performance.now() - start);
    })();
    await vi.runAllTimersAsync();
    await reading;
    return times;
  }

  it.each([
    ["300 ms to the first word, then 34 to 40 words a second", "hello", 1, 1],
    ["twice as fast at speed 2", "hello", 2, 0.5],
    ["ten times slower with demo: slow", "hello demo: slow", 1, 10],
  ])("is %s", async (_, user, speed, factor) => {
    const [firstTime = 0, ...times] = await readTimes(requestOf({ user }), speed);
    const perSecond = (times.length / ((times.at(-1) ?? 0) - firstTime)) * 1000 * factor;
    expect(firstTime).toBe(300 * factor);
    expect(times.length).toBeGreaterThan(20);
    expect(perSecond).toBeGreaterThanOrEqual(33);
    expect(perSecond).toBeLessThanOrEqual(41);
  });

  it("ends without any wait when cancelled, and keeps the text so far", async () => {
    const controller = new AbortController();
    const events: ModelEvent[] = [];
    const reading = (async () => {
      for await (const event of createDemoModel(1).stream(requestOf({ signal: controller.signal }))) events.push(event);
    })();
    while (events.length < 4) await vi.advanceTimersToNextTimerAsync();
    controller.abort();
    await reading;
    expect(events).toHaveLength(5);
    expect(failureIn(events).class).toBe("cancelled");
    expect(textIn(events)).not.toBe("");
  });
});
