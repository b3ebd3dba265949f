import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { RunEventOf } from "../events/events";
import { noUsage } from "../events/usage";
import { isWarningCode } from "../events/warnings";
import type { ModelFailure } from "../ports/model";
import type { Tool } from "../ports/tool";
import type { ScriptedTurn } from "../testing/scripted-model";
import { type FinishedRun, runScripted } from "../testing/scripted-run";

const makeTool = (name: string, execute: Tool["execute"], input: z.ZodType = z.unknown()): Tool => ({
  spec: { name, description: `does ${name}`, parameters: { type: "object" } },
  input,
  execute,
});
const echo = makeTool("echo", async (input) => input);
const use = (name: string, args?: ScriptedTurn["calls"]): ScriptedTurn => ({ text: "pre ", calls: args ?? [{ name }] });
const fin: ScriptedTurn = { text: "fin" };
const limited: ModelFailure = { class: "rate-limit", message: "slow down", status: 429 };

/** Messages of the tools in the last request. */
const seen = ({ models }: FinishedRun) => models.requests.at(-1)?.messages.filter((message) => message.role === "tool");
const attempts = ({ events }: FinishedRun): RunEventOf<"attempt.failed">[] =>
  events.filter((event) => event.type === "attempt.failed");

describe("what the model is asked", () => {
  test("139, 140: instructions, history, input; empty instructions are no message", async () => {
    const history = [{ role: "user", content: "old" } as const];
    const agents = { a: { instructions: "Be kind." }, b: { instructions: " \n" } };
    const { models } = await runScripted(
      { flow: "a >> b", agents },
      { script: { a: [{ text: "A" }], b: [fin] }, messages: history },
    );
    expect(models.requests.map((request) => request.messages.map((message) => message.role))).toEqual([
      ["system", "user", "user"],
      ["user", "user"],
    ]);
  });

  test("is recorded word for word, also after tools and after messages were left out", async () => {
    const tooLong: ScriptedTurn = { end: { class: "context-length", message: "too long", status: 400 } };
    const turn = (number: number): ScriptedTurn => use("echo", [{ name: "echo", arguments: { number } }]);
    const { models, started } = await runScripted(
      { flow: "a", agents: { a: { instructions: "S", tools: ["echo"], trim_context: true } } },
      { script: { a: [turn(1), turn(2), tooLong, turn(3), fin] }, tools: [echo] },
    );
    const inputs = started.filter(({ kind }) => kind === "llm_call").map(({ input }) => JSON.parse(input.text));
    // The fourth request is the third call once more, with what was left.
    expect(inputs).toEqual([0, 1, 2, 4].map((place) => models.requests[place]?.messages));
    expect(models.requests[4]?.messages.length).toBeLessThan(8);
  });

  test("192, 193: look-ups in instructions; the unknown is left as written; nothing is read twice", async () => {
    const instructions = `\${vars.tone} \${vars.n} \${vars.gone} \${HOME} \${input} \${vars.constructor} \${vars.evil} \${1+1}`;
    const { models } = await runScripted(
      { flow: "a", agents: { a: { instructions } }, vars: { tone: "kind", n: 3, evil: `\${input}` } },
      { script: { a: [fin] }, input: `$& \${vars.tone}` },
    );
    expect(models.requests[0]?.messages[0]?.content).toBe(
      `kind 3 \${vars.gone} \${HOME} $& \${vars.tone} \${vars.constructor} \${input} \${1+1}`,
    );
  });

  test("look-ups that repeat a long text fail the step, before any model is asked", async () => {
    const input = "x".repeat(64_000);
    const instructions = `\${input}`.repeat(7500);
    const from = process.memoryUsage().rss;
    const { models, last } = await runScripted(
      { flow: "a", agents: { a: { instructions } } },
      { script: { a: [fin] }, input },
    );
    expect(process.memoryUsage().rss - from).toBeLessThan(200_000_000);
    expect(models.requests).toEqual([]);
    expect(last).toMatchObject({ status: "FAILED", error: { code: "limit", path: "a" } });
    expect(last.error?.message).toBe(
      `The instructions of "a" have more than 2000000 characters once their variables are filled in. Use \${input} and the like fewer times.`,
    );
  });

  test("optional fields are sent only when set", async () => {
    const schema = { type: "object" };
    const agents = { b: { temperature: 0, max_tokens: 5, output_schema: schema, tools: ["echo"] } };
    const { models } = await runScripted({ flow: "a >> b", agents }, { script: { a: [fin], b: [fin] }, tools: [echo] });
    const [first, second] = models.requests;
    expect(Object.keys(first ?? {}).sort()).toEqual(["agent", "messages", "model", "signal", "tools"]);
    expect(second).toMatchObject({
      temperature: 0,
      max_tokens: 5,
      output_schema: schema,
      tools: [echo.spec],
      model: "m",
    });
  });

  test("142: a model without a provider, or none at all, fails the agent with a message", async () => {
    for (const [model, message] of [
      ["unknown:x", /No provider has the model "unknown:x" of "a"/],
      [undefined, /"a" has no model/],
    ] as const) {
      const { last, end } = await runScripted({ flow: "a", agents: { a: { model } } }, { script: {} });
      expect(last.error).toMatchObject({ code: "not-found", path: "a", message: expect.stringMatching(message) });
      expect(end("a").status).toBe("FAILED");
    }
  });

  test("a tool of the agent that does not exist fails the agent before a model is asked", async () => {
    const { last, models } = await runScripted(
      { flow: "a", agents: { a: { tools: ["gone"] } } },
      { script: { a: [fin] } },
    );
    expect(last.error).toMatchObject({ code: "tool", path: "a", message: expect.stringContaining('"gone"') });
    expect(models.requests).toEqual([]);
  });
});

describe("tools", () => {
  const agents = { a: { tools: ["echo", "fail", "slow", "strict", "wide"] } };
  const fail = makeTool("fail", async () => {
    throw new Error("broken pipe");
  });
  const strict = makeTool("strict", async (input) => input, z.strictObject({ n: z.number() }));
  const others = [
    makeTool("slow", () => new Promise(() => undefined)),
    makeTool("wide", async () => "😀".repeat(150_000)),
  ];
  const tools = [echo, fail, strict, ...others];
  const ask = (calls: ScriptedTurn["calls"], change: { tools?: Tool[] } = {}) =>
    runScripted(
      { flow: "a", agents },
      { script: { a: [use("", calls), fin] }, tools: [...(change.tools ?? []), ...tools] },
    );

  test("143: one call, then text: two model calls, the second has the call and its result", async () => {
    const ran = await ask([{ name: "echo", arguments: { x: [1] } }]);
    expect(ran.models.requests[1]?.messages).toEqual([
      { role: "user", content: "Q" },
      { role: "assistant", content: "pre ", toolCalls: [{ id: "call-1", name: "echo", arguments: '{"x":[1]}' }] },
      { role: "tool", toolCallId: "call-1", name: "echo", content: '{"x":[1]}' },
    ]);
    expect(ran.models.requests[0]?.messages).toHaveLength(1);
    expect(ran.last).toMatchObject({ status: "SUCCESS", output: { text: "fin" }, usage: { calls: 2 } });
    expect(ran.started.map((node) => [node.path, node.parent, node.input.text])).toContainEqual([
      "a#llm-1#tool-1",
      2,
      '{"x":[1]}',
    ]);
    expect(ran.end("a#llm-1#tool-1")).toMatchObject({ status: "SUCCESS", metadata: { isError: false } });
    expect(ran.end("a#llm-1").metadata).toEqual({
      decision: 1,
      finishReason: "tool-calls",
      toolCalls: [{ id: "call-1", name: "echo", arguments: '{"x":[1]}' }],
      model: "m",
    });
    expect(ran.end("a").metadata).toMatchObject({ steps: 2, signature: 'echo:{"x":[1]}' });
  });

  test("144: calls of one turn run at once, results in the order of the calls", async () => {
    const ended: string[] = [];
    let running = 0;
    let most = 0;
    const make = (name: string, ticks: number): Tool =>
      makeTool(name, async () => {
        most = Math.max(most, ++running);
        for (let i = 0; i < ticks; i++) await Promise.resolve();
        running--;
        ended.push(name);
        return name;
      });
    const ran = await runScripted(
      { flow: "a", agents: { a: { tools: ["late", "early"] } } },
      {
        script: { a: [use("", [{ name: "late" }, { name: "early" }]), fin] },
        tools: [make("late", 20), make("early", 1)],
      },
    );
    expect(seen(ran)?.map((message) => message.content)).toEqual(["late", "early"]);
    expect(ended).toEqual(["early", "late"]);
    expect(most).toBe(2);
  });

  test("145: a throwing and an unknown tool are results with an error; the loop goes on", async () => {
    const ran = await ask([{ name: "fail" }, { name: "nope" }, { name: "constructor" }]);
    expect(seen(ran)).toMatchObject([
      { isError: true, content: '"fail" failed: broken pipe' },
      { isError: true, content: expect.stringContaining('no tool "nope". Your tools: echo, fail') },
      { isError: true, content: expect.stringContaining('no tool "constructor"') },
    ]);
    expect(ran.last).toMatchObject({ status: "SUCCESS", output: { text: "fin" } });
    expect(ran.end("a#llm-1#tool-1")).toMatchObject({
      status: "FAILED",
      error: { code: "tool", path: "a#llm-1#tool-1" },
      metadata: { isError: true },
    });
  });

  test("a tool that gives its result at once, or throws at once, is one like any other", async () => {
    const make = (name: string, execute: Tool["execute"]): Tool => ({ ...makeTool(name, async () => ""), execute });
    const ran = await runScripted(
      { flow: "a", agents: { a: { tools: ["sum", "broken"] } } },
      {
        script: { a: [use("", [{ name: "sum" }, { name: "broken" }]), fin] },
        tools: [
          make("sum", () => ({ sum: 3 })),
          make("broken", () => {
            throw new Error("at once");
          }),
        ],
      },
    );
    expect(seen(ran)).toMatchObject([{ content: '{"sum":3}' }, { isError: true, content: '"broken" failed: at once' }]);
  });

  test("a tool that exists but was not given to the agent is unknown to it", async () => {
    const ran = await runScripted({ flow: "a" }, { script: { a: [use("echo"), fin] }, tools: [echo] });
    expect(seen(ran)).toMatchObject([{ isError: true, content: expect.stringContaining("You have no tools") }]);
  });

  test.each([
    [{ a: 1 }, '{"a":1}'],
    ["text", "text"],
    ["", ""],
    [undefined, "null"],
    [12, "12"],
  ])("146: what a tool gives, %j, is shown as %j", async (value, shown) => {
    const ran = await ask([{ name: "echo" }], { tools: [makeTool("echo", async () => value)] });
    expect(seen(ran)).toEqual([{ role: "tool", toolCallId: "call-1", name: "echo", content: shown }]);
  });

  test("a result that is no JSON is an error of the tool", async () => {
    const ran = await ask([{ name: "echo" }], { tools: [makeTool("echo", async () => 10n)] });
    expect(seen(ran)).toMatchObject([{ isError: true, content: expect.stringContaining("BigInt") }]);
  });

  test.each(['{"n":', "[1]", '"text"', "nonsense", '{"n":"1"}', "[".repeat(200_000)])(
    "147: arguments that are broken or do not fit are an error that the model sees (%#)",
    async (text) => {
      const ran = await ask([{ name: "strict", arguments: text }]);
      expect(seen(ran)).toMatchObject([{ isError: true, content: expect.stringContaining("strict") }]);
      expect(ran.last.status).toBe("SUCCESS");
    },
  );

  test.each(["", "  \n"])("148: blank arguments (%j) are {}", async (text) => {
    expect(seen(await ask([{ name: "echo", arguments: text }]))).toMatchObject([{ content: "{}" }]);
  });

  test("a tool that never returns is given up after 60 s, and told so", async () => {
    let signal: AbortSignal | undefined;
    const slow = makeTool("slow", (_input, context) => {
      signal = context.signal;
      return new Promise(() => undefined);
    });
    const ran = await ask([{ name: "slow" }, { name: "echo" }], { tools: [slow] });
    expect(seen(ran)).toMatchObject([
      { isError: true, content: '"slow" gave no result within 60 s.' },
      { content: "{}" },
    ]);
    expect(ran.end("a#llm-1#tool-1")).toMatchObject({ status: "TIMEOUT", error: { code: "tool" } });
    expect(ran.clock.now()).toBe(60_000);
    expect(signal?.aborted).toBe(true);
    expect(ran.last.status).toBe("SUCCESS");
  });

  test("tools that return leave no timer running", async () => {
    expect((await ask([{ name: "echo" }, { name: "fail" }])).clock.sleeping).toBe(0);
  });

  test("a huge result is cut between characters, with a note", async () => {
    const [result] = seen(await ask([{ name: "wide" }])) ?? [];
    expect(result?.content).toBe(`${"😀".repeat(100_000)}\n[cut: 100000 more characters]`);
  });
});

describe("limits", () => {
  const agents = { a: { tools: ["echo"], max_steps: 3 } };
  const turns = (count: number): ScriptedTurn[] =>
    Array.from({ length: count }, (_, i) => ({ text: `try ${i + 1}`, calls: [{ name: "echo", arguments: { i } }] }));

  test("149: tools for ever, max_steps 3: three calls, three rounds, the last text is kept", async () => {
    const ran = await runScripted({ flow: "a", agents }, { script: { a: turns(9) }, tools: [echo] });
    expect(ran.models.requests).toHaveLength(3);
    expect(ran.started.filter((node) => node.kind === "tool_call")).toHaveLength(3);
    expect(ran.last).toMatchObject({
      status: "FAILED",
      output: { text: "try 3" },
      error: { code: "step-limit", path: "a" },
    });
    expect(ran.end("a").metadata).toMatchObject({ steps: 3 });
  });

  test("149: with on_limit answer its last text is handed on, and noted as a warning", async () => {
    const ran = await runScripted(
      { flow: "a >> b", agents: { a: { ...agents.a, on_limit: "answer" } } },
      { script: { a: [...turns(2), use("echo", [{ name: "echo" }]), fin], b: [fin] }, tools: [echo] },
    );
    expect(ran.models.requestsOf("b")[0]?.messages).toEqual([{ role: "user", content: "pre " }]);
    expect(ran.last).toMatchObject({ status: "SUCCESS", output: { text: "fin" } });
    expect(ran.events).toContainEqual(
      expect.objectContaining({ type: "node.noted", code: "step-limit", id: ran.end("a").id }),
    );
    expect(isWarningCode("step-limit")).toBe(true);
  });

  test("149: the last text is the latest that the model wrote, also before turns without any", async () => {
    const silent: ScriptedTurn = { calls: [{ name: "echo", arguments: { i: 9 } }] };
    const ran = await runScripted(
      { flow: "a", agents: { a: { ...agents.a, on_limit: "answer" } } },
      { script: { a: [...turns(2), silent] }, tools: [echo] },
    );
    expect(ran.last).toMatchObject({ status: "SUCCESS", output: { text: "try 2" } });
  });

  test.each([
    ['{"n":1}', "SUCCESS", undefined],
    ["thinking", "FAILED", "step-limit"],
  ])("149: with a schema the last text %s is checked", async (text, status, code) => {
    const output_schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
    const ran = await runScripted(
      { flow: "a", agents: { a: { ...agents.a, max_steps: 1, on_limit: "answer", output_schema } } },
      { script: { a: [{ ...use("echo"), text }] }, tools: [echo] },
    );
    expect(ran.last).toMatchObject({ status, output: { text } });
    expect(ran.last.error?.code).toBe(code);
  });

  test("150: max_steps 1: one model call, its tools still run", async () => {
    const ran = await runScripted(
      { flow: "a", agents: { a: { ...agents.a, max_steps: 1 } } },
      { script: { a: turns(2) }, tools: [echo] },
    );
    expect(ran.models.requests).toHaveLength(1);
    expect(ran.end("a#llm-1#tool-1").status).toBe("SUCCESS");
    expect(ran.last.error?.code).toBe("step-limit");
  });

  test("158: the same calls three times in a row end the run and are shown", async () => {
    const same: ScriptedTurn[] = [
      { text: "one", calls: [{ name: "echo", arguments: '{"b":1,"a":2}' }, { name: "x" }] },
      {
        text: "two",
        calls: [
          { name: "x", arguments: "{}" },
          { name: "echo", arguments: '{ "a": 2, "b": 1 }' },
        ],
      },
      {
        text: "three",
        calls: [
          { name: "x", arguments: "" },
          { name: "echo", arguments: '{"a":2,"b":1}' },
        ],
      },
      fin,
    ];
    const ran = await runScripted(
      { flow: "a", agents: { a: { tools: ["echo"] } } },
      { script: { a: same }, tools: [echo] },
    );
    const signature = 'echo:{"a":2,"b":1}|x:{}';
    expect(ran.last).toMatchObject({ status: "FAILED", output: { text: "three" }, error: { code: "loop", path: "a" } });
    expect(ran.last.error?.message).toContain(`3 times in a row: ${signature}`);
    expect(ran.end("a").metadata).toMatchObject({ steps: 3, signature });
    expect(ran.models.unused).toEqual(["a: 1"]);
  });

  test("equal calls with another between them are no loop", async () => {
    const [x, y] = turns(2);
    const ran = await runScripted(
      { flow: "a", agents: { a: { tools: ["echo"] } } },
      { script: { a: [x, x, y, x, x, fin].filter((turn) => turn !== undefined) }, tools: [echo] },
    );
    expect(ran.last.output.text).toBe("fin");
  });

  test("159: threshold 1 ends at the first call, named before the step limit", async () => {
    const ran = await runScripted(
      { flow: "a", agents: { a: { max_steps: 1, loop_threshold: 1 } } },
      { script: { a: turns(1) } },
    );
    expect(ran.last.error).toMatchObject({ code: "loop", message: expect.stringContaining("1 times in a row") });
  });
});

describe("retries", () => {
  const failing = (count: number, failure: ModelFailure): ScriptedTurn[] => Array(count).fill({ end: failure });

  test("152: two failures, then an answer: waits 1 s and 2 s, inside one node", async () => {
    const ran = await runScripted({ flow: "a" }, { script: { a: [...failing(2, limited), fin] } });
    expect(ran.last).toMatchObject({ status: "SUCCESS", output: { text: "fin" }, usage: { calls: 3, cost: 0 } });
    expect(attempts(ran)).toMatchObject([
      { attempt: 1, waitMs: 1000, error: { code: "rate-limit", message: "slow down" } },
      { attempt: 2, waitMs: 2000 },
    ]);
    expect(ran.started.filter((node) => node.kind === "llm_call")).toHaveLength(1);
    expect(ran.events.filter((event) => event.type === "request.sent")).toHaveLength(3);
    expect(ran.clock.now()).toBe(3000);
  });

  test("153: always failing, 2 retries: the cause is kept, every attempt is recorded", async () => {
    const ran = await runScripted(
      { flow: "a", agents: { a: { max_retries: 2 } } },
      { script: { a: failing(9, limited) } },
    );
    expect(ran.last.error).toEqual({ code: "rate-limit", message: "slow down", path: "a#llm-1" });
    expect(attempts(ran).map((attempt) => attempt.waitMs)).toEqual([1000, 2000, undefined]);
    expect(ran.models.requests).toHaveLength(3);
  });

  test.each(["context-length", "auth", "invalid-request", "not-found", "unknown"] as const)(
    "154: a failure of class %s fails at once",
    async (name) => {
      const ran = await runScripted({ flow: "a" }, { script: { a: failing(9, { class: name, message: "no" }) } });
      expect(ran.models.requests).toHaveLength(1);
      expect(ran.last.error?.code).toBe(name);
      expect(attempts(ran)).toMatchObject([{ attempt: 1, error: { code: name } }]);
    },
  );

  test.each(["rate-limit", "network", "server", "timeout"] as const)(
    "a failure of class %s is tried again",
    async (name) => {
      const ran = await runScripted(
        { flow: "a" },
        { script: { a: [...failing(1, { class: name, message: "no" }), fin] } },
      );
      expect(ran.last.status).toBe("SUCCESS");
    },
  );

  test.each<[string, ScriptedTurn, string]>([
    ["text", { text: "half", end: limited }, "half"],
    ["reasoning", { reasoning: "hm", end: limited }, ""],
  ])("155: nothing is tried again once %s was delivered; the text so far is kept", async (_name, turn, kept) => {
    const ran = await runScripted({ flow: "a" }, { script: { a: [turn, fin] } });
    expect(ran.last).toMatchObject({ status: "FAILED", output: { text: kept }, error: { code: "rate-limit" } });
    expect(ran.end("a#llm-1").output.text).toBe(kept);
    expect(attempts(ran).map((attempt) => attempt.waitMs)).toEqual([undefined]);
    const output = Math.ceil(kept.length / 4);
    expect(ran.last.usage).toEqual({ ...noUsage, input: 11, output, calls: 1, cost: null, estimated: true });
  });

  test.each([
    [{ ...limited, retryAfterMs: 7000 }, 0, [7000, 7000, 7000]],
    [{ ...limited, retryAfterMs: 3_600_000 }, 0, [60_000, 60_000, 60_000]],
    [{ ...limited, retryAfterMs: -5 }, 0, [0, 0, 0]],
    [limited, 0.5, [1125, 2250, 4500]],
  ])("waits for %j with chance %d: %j", async (failure, chance, waits) => {
    const ran = await runScripted(
      { flow: "a" },
      { script: { a: failing(9, failure) }, context: { random: () => chance } },
    );
    expect(attempts(ran).map((attempt) => attempt.waitMs)).toEqual([...waits, undefined]);
  });

  test("waits never grow beyond 60 s", async () => {
    const ran = await runScripted(
      { flow: "a", agents: { a: { max_retries: 8 } } },
      { script: { a: failing(9, limited) } },
    );
    expect(attempts(ran).map((attempt) => attempt.waitMs)).toEqual([
      1000,
      2000,
      4000,
      8000,
      16_000,
      32_000,
      60_000,
      60_000,
      undefined,
    ]);
  });

  test.each([
    ["interrupted", "ended without an answer"],
    ["throws", "broke: the script throws here"],
  ] as const)("a stream that is %s is a failure, not a crash", async (end, message) => {
    const ran = await runScripted({ flow: "a" }, { script: { a: [{ text: "half", end }, fin] } });
    expect(ran.last).toMatchObject({ status: "FAILED", output: { text: "half" }, error: { code: "unknown" } });
    expect(ran.last.error?.message).toContain(message);
  });

  test("a model that throws when it is asked, and ports that throw, fail the agent and nothing else", async () => {
    const bomb = (): never => {
      throw new Error("boom");
    };
    const broken = [{ find: () => ({ name: "m", provider: "p", model: { stream: bomb } }) }, { find: bomb }];
    for (const models of broken) {
      const { last, end } = await runScripted({ flow: "a" }, { script: {}, context: { models } });
      expect(last).toMatchObject({ status: "FAILED", error: { message: expect.stringContaining("boom") } });
      expect(end("a").status).toBe("FAILED");
    }
    const ran = await runScripted({ flow: "a" }, { script: { a: failing(1, limited) }, context: { random: bomb } });
    expect(ran.last).toMatchObject({ status: "FAILED", error: { code: "internal", path: "a#llm-1" } });
  });

  test("181: empty pieces are no events", async () => {
    const ran = await runScripted({ flow: "a" }, { script: { a: [{ reasoning: "", text: ["", "x", ""] }] } });
    expect(ran.events.filter((event) => event.type.endsWith("appended"))).toMatchObject([{ text: "x" }]);
  });
});
