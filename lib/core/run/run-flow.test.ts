import { describe, expect, test } from "vitest";
import { emptyRunState, foldEvents } from "../trace/model/fold-events";
import { runEventSchema } from "./events/events";
import type { Message } from "./events/messages";
import { noUsage } from "./events/usage";
import { runFlow } from "./run-flow";
import { ScriptedModels, type ScriptedTurn } from "./testing/scripted-model";
import { makeFlow, makeScriptedWorld, runScripted } from "./testing/scripted-run";

const prior: readonly Message[] = [
  { role: "user", content: "old" },
  { role: "assistant", content: "ans" },
];
const reply = (text: string, delayMs?: number): [ScriptedTurn] => [{ text, delayMs }];
const refuse: ScriptedTurn = { end: { class: "invalid-request", message: "refused", status: 400 } };

describe("workflow", () => {
  test("70: a, b, c in a chain, answers A, B, C: each gets the answer before it", async () => {
    const { last, models, started } = await runScripted(
      { flow: "a >> b >> c" },
      { script: { a: reply("A"), b: reply("B"), c: reply("C") } },
    );
    expect(last).toMatchObject({ status: "SUCCESS", output: { text: "C" } });
    expect(models.requests.map((request) => request.messages)).toEqual([
      [{ role: "user", content: "Q" }],
      [{ role: "user", content: "A" }],
      [{ role: "user", content: "B" }],
    ]);
    expect(models.unused).toEqual([]);
    expect(started.map((node) => [node.id, node.parent, node.kind, node.path])).toEqual([
      [1, undefined, "swarm", "/"],
      [2, 1, "agent", "a"],
      [3, 2, "llm_call", "a#llm-1"],
      [4, 1, "agent", "b"],
      [5, 4, "llm_call", "b#llm-1"],
      [6, 1, "agent", "c"],
      [7, 6, "llm_call", "c#llm-1"],
    ]);
  });

  test("71: (b | a) >> c: both get the input, c gets both in written order", async () => {
    const { models } = await runScripted(
      { flow: "(b | a) >> c" },
      { script: { a: reply("A"), b: reply("B", 100), c: reply("C") } },
    );
    expect(models.requestsOf("a")[0]?.messages).toEqual([{ role: "user", content: "Q" }]);
    expect(models.requestsOf("b")[0]?.messages).toEqual([{ role: "user", content: "Q" }]);
    expect(models.requestsOf("c")[0]?.messages).toEqual([{ role: "user", content: "B\n\nA" }]);
  });

  test("72: prior messages precede the question of every agent", async () => {
    const { models } = await runScripted(
      { flow: "a >> (b | c)" },
      { script: { a: reply("A"), b: reply("B"), c: reply("C") }, messages: prior },
    );
    expect(models.requests.map((request) => request.messages.slice(0, -1))).toEqual([prior, prior, prior]);
    expect(models.requests.map((request) => request.messages.at(-1)?.content)).toEqual(["Q", "A", "A"]);
  });

  test("73: the second of three fails: the third is not called, the first's answer is kept", async () => {
    const { last, models, end } = await runScripted(
      { flow: "a >> b >> c" },
      { script: { a: reply("A"), b: [refuse], c: reply("C") } },
    );
    expect(last).toMatchObject({
      status: "FAILED",
      output: { text: "A" },
      error: { code: "invalid-request", message: "refused", path: "b#llm-1" },
    });
    expect(models.unused).toEqual(["c: 1"]);
    expect(end("a")).toMatchObject({ status: "SUCCESS", output: { text: "A" } });
    expect(end("b")).toMatchObject({ status: "FAILED", output: { text: "" } });
    expect(end("b#llm-1").metadata).toMatchObject({ httpStatus: 400 });
    expect(end("/")).toMatchObject({ status: "FAILED", output: { text: "A" } });
  });

  test("74: an empty answer is an empty question", async () => {
    const { models, last } = await runScripted({ flow: "a >> b" }, { script: { a: reply(""), b: reply("B") } });
    expect(models.requestsOf("b")[0]?.messages).toEqual([{ role: "user", content: "" }]);
    expect(last.output.text).toBe("B");
  });

  test("75: agents outside the flow are never called", async () => {
    const { models } = await runScripted({ flow: "a", agents: { z: {} } }, { script: { a: reply("A") } });
    expect(models.requests.map((request) => request.agent)).toEqual(["a"]);
  });

  test("76, 77: usage and calls are summed over the tree", async () => {
    const { last, end } = await runScripted(
      { flow: "a >> (b | c)" },
      {
        script: {
          a: [{ text: "A", usage: { input: 10, output: 5, cost: 0.5 } }],
          b: [{ text: "B", usage: { input: 20, output: 10, cached: 3, cost: 0.25 } }],
          c: [{ text: "C", usage: { input: 1, reasoning: 2, cost: 0.25 } }],
        },
      },
    );
    expect(last.usage).toEqual({ ...noUsage, input: 31, output: 15, cached: 3, reasoning: 2, calls: 3, cost: 1 });
    expect(end("/").usage).toEqual(last.usage);
    expect(end("a#llm-1").usage).toMatchObject({ input: 10, output: 5, calls: 1 });
  });

  test("an unknown cost leaves the sum of the others, which is then a part", async () => {
    const { last } = await runScripted(
      { flow: "a >> b" },
      { script: { a: [{ text: "A", usage: { cost: null } }], b: [{ text: "B", usage: { cost: 2 } }] } },
    );
    expect(last.usage).toMatchObject({ cost: 2, isCostPartial: true });
  });

  test("78: events contain all texts", async () => {
    const { events, started } = await runScripted(
      { flow: "a >> b" },
      { script: { a: reply("A"), b: reply("B") }, messages: prior },
    );
    const state = foldEvents(emptyRunState, events);
    expect(JSON.parse(started.find((node) => node.path === "b#llm-1")?.input.text ?? "")).toEqual([
      ...prior,
      { role: "user", content: "A" },
    ]);
    expect(state.nodes.map((node) => node.output.text)).toEqual(["B", "A", "A", "B", "B"]);
  });

  test.each([["A"], [["pre ", "A"]]])(
    "79, 80: text beside a tool call does not flow on, streamed or not",
    async (text) => {
      const { models } = await runScripted(
        { flow: "a >> b" },
        { script: { a: [{ text: "pre ", calls: [{ name: "none" }] }, { text }], b: reply("B") } },
      );
      expect(models.requestsOf("b")[0]?.messages).toEqual([{ role: "user", content: [text].flat().join("") }]);
    },
  );

  test("simulated answers mark everything above them", async () => {
    const { last, end } = await runScripted(
      { flow: "a >> b" },
      { script: { a: [{ text: "A", simulated: true }], b: reply("B") } },
    );
    expect([last.simulated, end("/").simulated, end("a").simulated, end("b").simulated]).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  test("a failed call of the demo provider is simulated as well", async () => {
    const { end, last } = await runScripted(
      { flow: "a", agents: { a: { model: "demo:a" } } },
      { script: { a: [refuse] } },
    );
    expect([end("a#llm-1").simulated, end("a").simulated, last.simulated]).toEqual([true, true, true]);
  });
});

describe("groups and nesting", () => {
  const review = { mode: "parallel", flow: "b | a" } as const;

  test("120: a parallel group joins in written order, whatever ends first", async () => {
    for (const [slowA, slowB] of [
      [10, 20],
      [20, 10],
    ]) {
      const { last } = await runScripted(
        { flow: "r", groups: { r: review } },
        { script: { a: reply("A", slowA), b: reply("B", slowB) } },
      );
      expect(last.output.text).toBe("B\n\nA");
    }
  });

  test("121: with its own separator, inline ones with that of the swarm", async () => {
    const { models } = await runScripted(
      { flow: "r >> (c | d) >> e", separator: " + ", groups: { r: { ...review, separator: " | " } } },
      { script: { a: reply("A"), b: reply("B"), c: reply("C"), d: reply("D"), e: reply("E") } },
    );
    expect(models.requestsOf("c")[0]?.messages.at(-1)?.content).toBe("B | A");
    expect(models.requestsOf("e")[0]?.messages.at(-1)?.content).toBe("C + D");
  });

  test("123: usage of a group is the sum of its members", async () => {
    const { end } = await runScripted(
      { flow: "r", groups: { r: review } },
      { script: { a: [{ text: "A", usage: { input: 1 } }], b: [{ text: "B", usage: { input: 2 } }] } },
    );
    expect(end("r").usage).toMatchObject({ input: 3, calls: 2 });
  });

  test("124: a failing member cancels its siblings; the error names its path, partial results stay", async () => {
    const { last, end, models, clock } = await runScripted(
      { flow: "r >> z", groups: { r: { flow: "a | b | c | d" } } },
      {
        script: {
          a: [{ delayMs: 100, ...refuse }],
          b: reply("B", 10),
          c: [{ text: ["half", " done"], paceMs: 80 }],
          d: reply("D", 100_000),
        },
      },
    );
    expect(last).toMatchObject({
      status: "FAILED",
      output: { text: "B\n\nhalf done" },
      error: { code: "invalid-request", message: "refused", path: "r/a#llm-1" },
    });
    expect(clock.now()).toBe(100);
    expect(["r", "r/a", "r/b", "r/c", "r/d", "r/d#llm-1"].map((path) => end(path).status)).toEqual([
      "FAILED",
      "FAILED",
      "SUCCESS",
      "CANCELLED",
      "CANCELLED",
      "CANCELLED",
    ]);
    expect(end("r/d").error).toEqual({ code: "cancelled", message: 'Cancelled because "r/a#llm-1" failed.' });
    expect(models.requests.map((request) => request.signal.aborted)).toEqual([false, false, true, true]);
  });

  test("125: both fail in the same moment: both are named", async () => {
    const { last } = await runScripted(
      { flow: "(a | b)", agents: { a: { model: "unknown:x" }, b: { model: "unknown:y" } } },
      { script: {} },
    );
    expect(last.error?.path).toBe("a");
    expect(last.error?.message).toMatch(/^a: .*"unknown:x".*; b: .*"unknown:y"/);
  });

  test("127, 128: groups in groups, swarms in groups, groups in swarms", async () => {
    const { last, started, events } = await runScripted(
      {
        flow: "outer",
        groups: { outer: { flow: "inner | s" }, inner: { mode: "serial", flow: "a >> (b | c)" } },
        swarms: { s: { flow: "(d | e) >> f" } },
      },
      { script: { a: reply("A"), b: reply("B"), c: reply("C"), d: reply("D"), e: reply("E"), f: reply("F") } },
    );
    expect(last.output.text).toBe("B\n\nC\n\nF");
    expect(started.filter((node) => node.kind !== "llm_call").map((node) => [node.kind, node.path])).toEqual(
      expect.arrayContaining([
        ["swarm", "/"],
        ["group", "outer"],
        ["group", "outer/inner"],
        ["agent", "outer/inner/a"],
        ["agent", "outer/inner/c"],
        ["swarm", "outer/s"],
        ["agent", "outer/s/d"],
        ["agent", "outer/s/f"],
      ]),
    );
    const groups = foldEvents(emptyRunState, events).nodes.filter(({ kind }) => kind === "group");
    expect(groups.map(({ path, metadata }) => [path, metadata.order])).toEqual([
      ["outer", "parallel"],
      ["outer/inner", "serial"],
    ]);
  });

  test("130: a serial group b, a: a gets B", async () => {
    const { last, models, end } = await runScripted(
      { flow: "g", groups: { g: { mode: "serial", flow: "b >> a" } } },
      { script: { a: reply("A"), b: reply("B") } },
    );
    expect(models.requestsOf("a")[0]?.messages.at(-1)?.content).toBe("B");
    expect(last.output.text).toBe("A");
    expect(end("g").usage.calls).toBe(2);
  });

  test("131, 135: a failure inside keeps its error and path", async () => {
    const { end, last } = await runScripted(
      { flow: "s", swarms: { s: { flow: "g" } }, groups: { g: { mode: "serial", flow: "a >> b" } } },
      { script: { a: reply("A"), b: [refuse] } },
    );
    const error = { code: "invalid-request", message: "refused", path: "s/g/b#llm-1" };
    for (const path of ["s/g/b#llm-1", "s/g/b", "s/g", "s", "/"])
      expect(end(path)).toMatchObject({ status: "FAILED", error });
    expect(last).toMatchObject({ error, output: { text: "A" } });
  });

  test("132, 133: prior messages reach groups, and not nested swarms", async () => {
    const { models } = await runScripted(
      {
        flow: "o >> n >> g",
        swarms: { n: { flow: "i >> h" } },
        groups: { g: { flow: "p | q" }, h: { flow: "j | k" } },
      },
      { script: (request) => ({ text: request.agent.toUpperCase() }), messages: prior },
    );
    const lengths = Object.fromEntries(models.requests.map(({ agent, messages }) => [agent, messages.length]));
    expect(lengths).toEqual({ o: 3, i: 1, j: 1, k: 1, p: 3, q: 3 });
    expect(models.requestsOf("i")[0]?.messages).toEqual([{ role: "user", content: "O" }]);
  });

  test("137, 138: members of groups and of nested swarms stream under their own path", async () => {
    const { events, started } = await runScripted(
      { flow: "(g | s)", groups: { g: { flow: "a | b" } }, swarms: { s: { flow: "c" } } },
      { script: (request) => ({ text: [request.agent, "!"], paceMs: 5 }) },
    );
    const pathOf = new Map(started.map((node) => [node.id, node.path]));
    const pieces = events.flatMap((event) =>
      event.type === "text.appended" ? [[pathOf.get(event.id), event.text]] : [],
    );
    expect(pieces).toHaveLength(6);
    expect(pieces).toEqual(
      expect.arrayContaining([
        ["g/a#llm-1", "a"],
        ["g/b#llm-1", "!"],
        ["s/c#llm-1", "c"],
      ]),
    );
  });

  test("a name that is used in two places runs in both, under two paths", async () => {
    const { started, last } = await runScripted(
      { flow: "a >> s", swarms: { s: { flow: "a >> b" } } },
      { script: (request, turn) => ({ text: `${request.agent}${turn}` }) },
    );
    expect(started.filter((node) => node.kind === "agent").map((node) => node.path)).toEqual(["a", "s/a", "s/b"]);
    expect(last.output.text).toBe("b0");
  });
});

describe("at once", () => {
  test("three members of 2 s each end within 3 s, and their bars overlap", async () => {
    const { events, clock } = await runScripted(
      { flow: "p >> (a | b | c) >> z" },
      {
        script: (request) =>
          request.agent.length === 1 && "abc".includes(request.agent) ? { text: "x", delayMs: 2000 } : { text: "y" },
      },
    );
    expect(clock.now()).toBeLessThan(3000);
    const members = foldEvents(emptyRunState, events).nodes.filter((node) => ["a", "b", "c"].includes(node.path));
    const lastStart = Math.max(...members.map((node) => node.startedAt));
    const firstEnd = Math.min(...members.map((node) => node.endedAt ?? 0));
    expect(members).toHaveLength(3);
    expect(firstEnd - lastStart).toBeGreaterThanOrEqual(1900);
  });

  test("in real time they overlap as well", async () => {
    const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
    const models = new ScriptedModels((request) => ({ text: request.agent, delayMs: 200 }), sleep);
    const context = { ...makeScriptedWorld({}).context, models, sleep, now: () => Date.now() };
    const bars: string[] = [];
    for await (const event of runFlow(makeFlow({ flow: "(a | b | c)" }), "Q", context))
      if (event.type === "node.started" || event.type === "node.finished") bars.push(event.type);
    expect(bars.slice(0, bars.indexOf("node.finished"))).toEqual(Array(7).fill("node.started"));
  });
});

describe("what the consumer can rely on", () => {
  test("events are of the declared shape, numbered without gaps, and time never goes back", async () => {
    let time = 1000;
    const { events } = await runScripted(
      { flow: "a >> (b | c)" },
      {
        script: {
          a: [{ reasoning: "hm", text: "A", calls: [{ name: "none" }] }, { text: "A" }],
          b: reply("B"),
          c: [refuse],
        },
        context: { now: () => (time -= 1) },
      },
    );
    for (const event of events)
      expect(runEventSchema.parse(JSON.parse(JSON.stringify(event)))).toEqual(JSON.parse(JSON.stringify(event)));
    expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => i + 1));
    expect(new Set(events.map((event) => event.at)).size).toBe(1);
  });

  test("a model is asked only after everything before its call was taken in", async () => {
    const taken: string[] = [];
    const asked: string[][] = [];
    await runScripted(
      { flow: "a >> (b | c) >> d" },
      {
        script: (request) => {
          asked.push([request.agent, ...taken.toSorted()]);
          return { text: request.agent, delayMs: 10 };
        },
        onEvent: async (event) => {
          await new Promise((resolve) => setImmediate(resolve));
          if (event.type === "node.finished") taken.push(event.output.text);
        },
      },
    );
    expect(asked).toEqual([["a"], ["b", "a", "a"], ["c", "a", "a"], ["d", "a", "a", "b", "b", "c", "c"]]);
  });

  test("a slow consumer holds a fast stream back", async () => {
    let produced = 0;
    let widest = 0;
    let consumed = 0;
    const piece = "x".repeat(10);
    const model = {
      async *stream() {
        for (let i = 0; i < 20_000; i++) {
          produced++;
          yield { type: "text", text: piece } as const;
        }
        const message = { role: "assistant", content: "x" } as const;
        yield { type: "done", message, finishReason: "stop", usage: noUsage } as const;
      },
    };
    const context = { ...makeScriptedWorld({}).context, models: { find: () => ({ name: "m", provider: "p", model }) } };
    for await (const event of runFlow(makeFlow({ flow: "a" }), "Q", context)) {
      if (event.type !== "text.appended") continue;
      consumed++;
      widest = Math.max(widest, produced - consumed);
      if (consumed % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(consumed).toBe(20_000);
    expect(widest).toBeLessThan(2000);
  });

  test("nothing happens before the first event is asked for", async () => {
    const { models, context } = makeScriptedWorld({ a: reply("A") });
    const events = runFlow(makeFlow({ flow: "a" }), "Q", context);
    await new Promise((resolve) => setImmediate(resolve));
    expect(models.requests).toEqual([]);
    expect(await events.return()).toEqual({ done: true, value: undefined });
    expect(await events.next()).toEqual({ done: true, value: undefined });
    expect(models.requests).toEqual([]);
  });
});
