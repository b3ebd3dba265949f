import { describe, expect, test } from "vitest";
import { readSource } from "../../source/read-source";
import { Hooks } from "../ports/hooks";
import { Inbox } from "../ports/inbox";
import type { ScriptedTurn } from "../testing/scripted-model";
import { agents, call, echo, refuse, reply, runFile, sentTo } from "./flow-file.arbitrary";

const one = (fields: string): string =>
  `agents:\n  a: { model: "scripted:m"${fields === "" ? "" : `, ${fields}`} }\nswarm: { flow: a }\n`;
const withEcho = one("tools: [echo]");
const fail = (message: string, status = 400, more: object = {}): ScriptedTurn => ({
  end: { class: status === 400 ? "invalid-request" : "server", message, status, ...more },
});
const schema = `output_schema: { type: object, properties: { n: { type: number } }, required: [n] }`;

describe("agent loop", () => {
  test("140: without instructions there is no system message", async () => {
    expect(sentTo(await runFile(one(""), { script: { a: [reply("A")] } }), "a")).toEqual([["U:Q"]]);
  });

  test("141: instructions may be a function, plain or async, which is given the agent's name", async () => {
    for (const make of [
      ({ agent }: { agent: string }) => `for ${agent}`,
      async ({ agent }: { agent: string }) => `for ${agent}`,
    ]) {
      const ran = await runFile(one("instructions: old"), {
        script: { a: [reply("A")] },
        options: { instructions: { a: make } },
      });
      expect(sentTo(ran, "a")).toEqual([["S:for a", "U:Q"]]);
    }
  });

  test("141: instructions that cannot be made fail the agent", async () => {
    const instructions = { a: () => Promise.reject(new Error("no weather today")) };
    const ran = await runFile(one(""), { script: {}, options: { instructions } });
    expect(ran.last.error?.message).toContain("no weather today");
  });

  test("146: a mapping that a tool gives is JSON for the model", async () => {
    const tool = { ...echo, execute: async () => ({ a: 1 }) };
    const ran = await runFile(withEcho, { tools: [tool], script: { a: [call("echo"), reply("fin")] } });
    expect(sentTo(ran, "a")[1]?.at(-1)).toBe('T:{"a":1}');
  });

  test.each([
    ["147: a list as arguments", "[1]", "do not fit"],
    ["147: a text as arguments", '"text"', "do not fit"],
    ["147: broken JSON", '{"a', "not valid JSON"],
    ["5 MB of arguments", `{"text":"${"x".repeat(5_000_000)}"}`, "at most 1000000 are read"],
  ])("%s is a tool error that the model sees", async (_, args, part) => {
    const ran = await runFile(withEcho, { tools: [echo], script: { a: [call("echo", args), reply("fin")] } });
    expect(sentTo(ran, "a")[1]?.at(-1)).toContain(part);
    expect(ran.last.status).toBe("SUCCESS");
  });

  test.each([
    ["148: empty arguments", ""],
    ["148: blank arguments", "  "],
  ])("%s are none", async (_, args) => {
    const ran = await runFile(withEcho, { tools: [echo], script: { a: [call("echo", args), reply("fin")] } });
    expect(sentTo(ran, "a")[1]?.at(-1)).toBe("T:echo ");
  });

  describe("with compat: orbiter", () => {
    const compat = (fields: string): string => `compat: orbiter\n${one(fields)}`;
    const turns = ["one", "two", "three"].map(
      (text, i): ScriptedTurn => ({ ...call("echo", { text: String(i) }), text }),
    );

    test("149: at its step limit an agent hands its last text on, and the run succeeds", async () => {
      const file = `compat: orbiter\nagents:\n  a: { model: "scripted:m", tools: [echo], max_steps: 2 }\n  b: { model: "scripted:m" }\nswarm: { flow: a >> b }\n`;
      const ran = await runFile(file, { tools: [echo], script: { a: turns, b: [reply("B")] } });
      expect(ran.models.requestsOf("a")).toHaveLength(2);
      expect(sentTo(ran, "b")).toEqual([["U:two"]]);
      expect(ran.last).toMatchObject({ status: "SUCCESS", output: { text: "B" } });
      expect(ran.end("a")).toMatchObject({ status: "SUCCESS", metadata: { steps: 2 } });
      expect(ran.events).toContainEqual(expect.objectContaining({ type: "node.noted", code: "step-limit" }));
    });

    test("149: `on_limit: fail` makes it a failure", async () => {
      const ran = await runFile(compat("tools: [echo], max_steps: 2, on_limit: fail"), {
        tools: [echo],
        script: { a: turns },
      });
      expect(ran.last).toMatchObject({ status: "FAILED", output: { text: "two" }, error: { code: "step-limit" } });
    });

    test("149: with a schema the limit stays a failure, where the text does not fit it", async () => {
      const ran = await runFile(compat(`tools: [echo], max_steps: 2, ${schema}`), {
        tools: [echo],
        script: { a: turns },
      });
      expect(ran.last).toMatchObject({ status: "FAILED", output: { text: "two" }, error: { code: "step-limit" } });
    });

    test.each([
      [0, 1],
      [1, 1],
      [3, 3],
    ])("153: max_retries %i means %i calls in all", async (retries, calls) => {
      const failing = { script: { a: Array.from({ length: 9 }, () => fail("busy", 503)) } };
      const ran = await runFile(compat(`max_retries: ${retries}`), failing);
      expect(ran.models.requests).toHaveLength(calls);
      expect(ran.last.status).toBe("FAILED");
      const ours = await runFile(one(`max_retries: ${retries}`), failing);
      expect(ours.models.requests).toHaveLength(retries + 1);
    });
  });

  test("151: no steps at all is refused when the file is read", () => {
    expect(readSource(one("max_steps: 0")).problems.map(({ code }) => code)).toEqual(["invalid-value"]);
  });

  test.each([
    ["by its class", { class: "context-length", message: "too long", status: 400 }],
    ["also in a server's own words", { class: "context-length", message: "CONTEXT LENGTH exceeded", status: 500 }],
  ] as const)("154: too long a conversation fails at once, %s", async (_, end) => {
    const ran = await runFile(one(""), { script: { a: [{ end }] } });
    expect(ran.models.requests).toHaveLength(1);
    expect(ran.last.error?.code).toBe("context-length");
  });

  test("155: a stream is tried again as long as nothing was delivered", async () => {
    const late = await runFile(one(""), { script: { a: [fail("busy", 503), reply("A")] } });
    expect(late.last).toMatchObject({ status: "SUCCESS", output: { text: "A" } });
    const begun = await runFile(one(""), { script: { a: [{ text: "half", ...fail("busy", 503) }] } });
    expect(begun.last).toMatchObject({ status: "FAILED", output: { text: "half" } });
  });

  test("156: a hook that throws ends the run; nothing is tried again", async () => {
    const hooks = new Hooks().on("PRE_LLM_CALL", () => {
      throw new Error("not on Sundays");
    });
    const ran = await runFile(one(""), { script: { a: [reply("A")] }, options: { hooks } });
    expect(ran.last).toMatchObject({ status: "FAILED", error: { code: "hook" } });
    expect(ran.last.error?.message).toContain("not on Sundays");
    expect(ran.models.requests).toHaveLength(0);
  });

  test("157: usage is the sum of all calls, and they are counted", async () => {
    const ran = await runFile(withEcho, {
      tools: [echo],
      script: {
        a: [{ ...call("echo"), usage: { input: 10, output: 5 } }, reply("fin", { usage: { input: 50, output: 20 } })],
      },
    });
    expect(ran.last.usage).toMatchObject({ input: 60, output: 25, calls: 2 });
  });

  test("160: runs share nothing: the same call in three runs is no loop", async () => {
    for (let i = 0; i < 3; i++) {
      const ran = await runFile(withEcho, {
        tools: [echo],
        script: { a: [call("echo", { text: "same" }), reply("fin")] },
      });
      expect(ran.last.status).toBe("SUCCESS");
    }
  });

  test("161: signatures compare the values of arguments, not their spelling", async () => {
    const ran = await runFile(withEcho, {
      tools: [echo],
      script: { a: [call("echo", '{"text":"x"}'), call("echo", '{ "text": "x" }'), call("echo", '{"text" :"x"}')] },
    });
    expect(ran.last.error?.code).toBe("loop");
    expect(ran.end("a").metadata?.signature).toBe('echo:{"text":"x"}');
  });

  test("162: a message put in while it runs comes before the next model call, first in first out", async () => {
    const inbox = new Inbox();
    expect(() => inbox.put({ agent: "a", text: " " })).toThrow("blank");
    const ran = await runFile(withEcho, {
      tools: [echo],
      options: { inbox },
      script: { a: [call("echo"), reply("fin")] },
      onEvent: (event) => {
        if (event.type === "node.started" && event.kind === "tool_call") {
          inbox.put({ agent: "a", text: "first", by: "Ann" });
          inbox.put({ agent: "a", text: "second" });
        }
      },
    });
    expect(sentTo(ran, "a")[1]).toEqual(["U:Q", "A:+echo", "T:echo ", "U:first", "U:second"]);
    expect(ran.events).toContainEqual(expect.objectContaining({ type: "message.injected", text: "first", by: "Ann" }));
  });

  test("163, 164: an answer by its schema is checked, taken out of its fence, and flows on parsed", async () => {
    const ran = await runFile(one(schema), { script: { a: [reply('```json\n{ "n": 1, "extra": true }\n```')] } });
    expect(ran.last).toMatchObject({ status: "SUCCESS", output: { text: '{"n":1,"extra":true}' } });
    expect(ran.end("a").metadata?.value).toEqual({ n: 1, extra: true });
    expect(ran.models.requests[0]?.output_schema).toMatchObject({ required: ["n"] });
  });

  test("165: an answer that does not fit is told why once, and then fails", async () => {
    const mended = await runFile(one(schema), { script: { a: [reply('{"n":"x"}'), reply('{"n":2}')] } });
    expect(sentTo(mended, "a")[1]?.at(-1)).toContain("/n must be number");
    expect(mended.last).toMatchObject({ status: "SUCCESS", output: { text: '{"n":2}' } });
    const bad = await runFile(one(schema), { script: { a: [reply("no JSON"), reply("{}")] } });
    expect(bad.last).toMatchObject({ status: "FAILED", output: { text: "{}" }, error: { code: "schema" } });
    expect(bad.last.error?.message).toContain("must have required property 'n'");
  });

  test("a schema that is no schema is a problem before the run", () => {
    const { problems } = readSource(one("output_schema: { type: objekt }"));
    expect(problems).toMatchObject([{ code: "invalid-schema", severity: "error" }]);
  });

  test("a fallback model is asked once when the model gave no answer", async () => {
    const ran = await runFile(one("fallback_model: 'scripted:other', max_retries: 0"), {
      script: ({ model }) => (model === "other" ? reply("from the other") : refuse),
    });
    expect(ran.last).toMatchObject({ status: "SUCCESS", output: { text: "from the other" } });
    expect(ran.started.map(({ path }) => path)).toContain("a#llm-1#fallback");
  });

  test("the oldest turns are left out when the conversation is too long, once, and that is noted", async () => {
    const tooLong: ScriptedTurn = { end: { class: "context-length", message: "too long", status: 400 } };
    const ran = await runFile(one("trim_context: true, instructions: S"), {
      messages: [1, 2, 3, 4].map((n) => ({
        role: n % 2 ? ("user" as const) : ("assistant" as const),
        content: `m${n}`,
      })),
      script: { a: [tooLong, reply("A")] },
    });
    expect(sentTo(ran, "a")).toEqual([
      ["S:S", "U:m1", "A:m2", "U:m3", "A:m4", "U:Q"],
      ["S:S", "A:m4", "U:Q"],
    ]);
    expect(ran.events).toContainEqual(expect.objectContaining({ type: "node.noted", code: "trimmed" }));
  });

  test("a provider's queue is waited for, and its time recorded apart", async () => {
    let free = 1;
    const ran = await runFile(`${agents("a", "b")}\nswarm: { flow: (a | b) }\n`, {
      script: ({ agent }) => reply(agent, { delayMs: 500 }),
      context: {},
      onEvent: () => undefined,
      wrapModels: (models, sleep) => ({
        find: (name) => {
          const found = models.find(name);
          if (!found) return null;
          const admit = async (signal: AbortSignal) => {
            while (free === 0) await sleep(100, signal);
            free--;
            return () => {
              free++;
            };
          };
          return { ...found, admit };
        },
      }),
    });
    expect(ran.events).toContainEqual(expect.objectContaining({ type: "attempt.queued", waitMs: expect.any(Number) }));
    expect(ran.clock.now()).toBeGreaterThanOrEqual(1000);
  });

  test("limits of tokens and of money end the run with what there is", async () => {
    const file = (limits: string) => `limits: ${limits}\n${agents("a", "b")}\nswarm: { flow: a >> b }\n`;
    const script = { a: [reply("A", { usage: { input: 90, output: 20, cost: 0.5 } })], b: [reply("B")] };
    for (const limits of ["{ max_tokens: 100 }", "{ max_cost: 0.4 }"]) {
      const ran = await runFile(file(limits), { script });
      expect(ran.last).toMatchObject({ status: "FAILED", output: { text: "A" }, error: { code: "limit" } });
      expect(ran.models.requestsOf("b")).toEqual([]);
    }
    expect((await runFile(file("{ max_tokens: 1000, max_cost: 0.5 }"), { script })).last.status).toBe("SUCCESS");
  });

  test("instructions look up vars, the input, outputs and the date, and nothing else", async () => {
    const text = `\${vars.tone} \${input} \${outputs.a} \${date} \${HOME}`;
    const file = `vars: { tone: kind }\nagents:\n  a: { model: "scripted:m" }\n  b: { model: "scripted:m", instructions: "${text}" }\nswarm: { flow: a >> b }\n`;
    const ran = await runFile(file, { script: { a: [reply(`\${vars.tone}`)], b: [reply("B")] } });
    expect(sentTo(ran, "b")[0]?.[0]).toBe(`S:kind \${vars.tone} \${vars.tone} 1970-01-01 \${HOME}`);
  });
});
