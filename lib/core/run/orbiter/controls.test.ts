import { describe, expect, test } from "vitest";
import { readSource } from "../../source/read-source";
import { emptyRunState, foldEvents } from "../../trace/model/fold-events";
import type { HumanInputAnswer } from "../events/events";
import type { HumanQuestion } from "../ports/human-input";
import { agents, call, echo, refuse, reply, runFile, sentTo } from "./flow-file.arbitrary";

const branch = (condition: string): string =>
  `${agents("s", "t", "f", "last")}\nbranches:\n  d: { condition: '${condition}', if_true: t, if_false: f }\nswarm: { flow: s >> d >> last }\n`;

describe("branch", () => {
  test("206: runs one side, and the flow continues after it", async () => {
    const ran = await runFile(branch('contains(input, "yes")'), {
      script: { s: [reply("yes!")], t: [reply("T")], last: [reply("L")] },
    });
    expect(sentTo(ran, "last")).toEqual([["S:I am last", "U:T"]]);
    expect(ran.end("d").metadata).toEqual({ taken: "if_true" });
  });

  test("207: runs one side only, also the second one", async () => {
    const ran = await runFile(branch('contains(input, "yes")'), {
      script: { s: [reply("no")], f: [reply("F")], last: [reply("L")] },
    });
    expect(ran.started.map(({ path }) => path)).not.toContain("d/t");
    expect(sentTo(ran, "last")).toEqual([["S:I am last", "U:F"]]);
  });

  test("212, 213: sees outputs by name, whatever the name", async () => {
    const file = branch('outputs["s"] == "go" and len(input) == 2');
    const ran = await runFile(file, { script: { s: [reply("go")], t: [reply("T")], last: [reply("L")] } });
    expect(ran.end("d").metadata).toEqual({ taken: "if_true" });
  });

  test("a side that is not there lets the text through", async () => {
    const ran = await runFile(branch("false").replace(", if_false: f", "").replace("f: {", "t2: {"), {
      script: { s: [reply("S")], last: [reply("L")] },
    });
    expect(sentTo(ran, "last")).toEqual([["S:I am last", "U:S"]]);
  });

  test("214: a condition that fails while it runs fails the branch, with the reason", async () => {
    const ran = await runFile(branch("number(input) > 3"), { script: { s: [reply("many")] } });
    expect(ran.last).toMatchObject({
      status: "FAILED",
      output: { text: "many" },
      error: { code: "condition", path: "d" },
    });
  });

  test.each([
    ["205, 210: a target that does not exist", branch("true").replace("if_true: t,", "if_true: missing,"), '"missing"'],
    ["a condition with an unknown name", branch('outputs["missing"] == "x"'), "missing"],
    ["a condition that cannot be read", branch("1 +"), "xpected"],
    ["no condition", branch(""), "has no condition"],
    ["a name in both lanes", branch("true").replace("if_false: f", "if_false: t"), "listed twice"],
  ])("%s is a problem before the run", (_, file, part) => {
    const errors = readSource(file).problems.filter(({ severity }) => severity === "error");
    expect(errors.map(({ message }) => message).join("\n")).toContain(part);
  });
});

const loop = (fields: string): string =>
  `${agents("w", "v", "last")}\nloops:\n  l: { body: w >> v, ${fields} }\nswarm: { flow: l >> last }\n`;

describe("loop", () => {
  test("218: so many rounds, each on the text before it", async () => {
    const ran = await runFile(loop("count: 2"), {
      script: { w: [reply("w1"), reply("w2")], v: [reply("v1"), reply("v2")], last: [reply("L")] },
    });
    expect(ran.models.requests.map(({ messages }) => messages.at(-1)?.content)).toEqual(["Q", "w1", "v1", "w2", "v2"]);
    expect(ran.started.map(({ path }) => path)).toContain("l#2/v#llm-1");
    expect(ran.end("l").metadata).toEqual({ rounds: 2, ended: "done" });
  });

  test("219: none at all lets the text through", async () => {
    const ran = await runFile(loop("count: 0"), { script: { last: [reply("L")] } });
    expect(sentTo(ran, "last")).toEqual([["S:I am last", "U:Q"]]);
  });

  test("220: [BREAK] ends it, and is taken out of the text", async () => {
    const ran = await runFile(loop("count: 9"), {
      script: { w: [reply("w1")], v: [reply("enough [BREAK]")], last: [reply("L")] },
    });
    expect(sentTo(ran, "last")).toEqual([["S:I am last", "U:enough "]]);
    expect(ran.end("l").metadata).toEqual({ rounds: 1, ended: "break" });
  });

  test("221: in another case it means nothing", async () => {
    const ran = await runFile(loop("count: 1"), {
      script: { w: [reply("w")], v: [reply("[break]")], last: [reply("L")] },
    });
    expect(ran.end("l").output.text).toBe("[break]");
  });

  test("222: a condition is asked before each round, about the newest text", async () => {
    const ran = await runFile(loop(`while: 'input != "good"'`), {
      script: { w: [reply("w"), reply("w")], v: [reply("bad"), reply("good")], last: [reply("L")] },
    });
    expect(ran.end("l").metadata).toEqual({ rounds: 2, ended: "done" });
  });

  test("223: for each gives the item to the body, and joins the answers", async () => {
    const ran = await runFile(loop("for_each: json(input)"), {
      input: '["a", {"b": 1}]',
      script: { w: [reply("wa"), reply("wb")], v: [reply("va"), reply("vb")], last: [reply("L")] },
    });
    expect(sentTo(ran, "w").map((sent) => sent.at(-1))).toEqual(["U:a", 'U:{"b":1}']);
    expect(ran.end("l").output.text).toBe("va\n\nvb");
  });

  test("217: its limit ends it, with a note", async () => {
    const ran = await runFile(loop("while: 'true', limit: 2"), {
      script: { w: [reply("w"), reply("w")], v: [reply("v"), reply("v2")], last: [reply("L")] },
    });
    expect(ran.end("l").metadata).toEqual({ rounds: 2, ended: "limit" });
    expect(ran.events).toContainEqual(expect.objectContaining({ type: "node.noted", code: "loop-limit" }));
    expect(ran.last.status).toBe("SUCCESS");
  });

  test("226: a loop in a loop, a group in a loop", async () => {
    const file = `${agents("a", "b")}\ngroups: { both: { type: parallel, flow: "a | b" } }\nloops:\n  outer: { body: inner, count: 2 }\n  inner: { body: both, count: 2 }\nswarm: { flow: outer }\n`;
    const ran = await runFile(file, { script: ({ agent }) => reply(agent) });
    expect(ran.models.requests).toHaveLength(8);
    expect(ran.started.map(({ path }) => path)).toContain("outer#2/inner#1/both/a");
    expect(new Set(ran.started.map(({ path }) => path)).size).toBe(ran.started.length);
  });

  test("a failure ends it and keeps the output so far", async () => {
    const ran = await runFile(loop("count: 3"), { script: { w: [reply("w1"), refuse], v: [reply("v1")] } });
    expect(ran.last).toMatchObject({ status: "FAILED", output: { text: "v1" }, error: { path: "l#2/w#llm-1" } });
  });

  test("what is no list to go through fails with what was found", async () => {
    const ran = await runFile(loop("for_each: json(input)"), { input: '{"a": 1}', script: {} });
    expect(ran.last.error?.message).toContain('needs a list to go through; found {"a":1}');
  });

  test.each([
    ["216: two ways at once", "count: 1, while: 'true'"],
    ["216: no way at all", "limit: 3"],
    ["216: a negative count", "count: -1"],
    ["216: a limit of none", "count: 1, limit: 0"],
    ["a limit without end", "count: 1, limit: 1000000"],
  ])("%s is a problem before the run", (_, fields) => {
    expect(readSource(loop(fields)).problems.some(({ severity }) => severity === "error")).toBe(true);
  });
});

describe("router", () => {
  const file = `${agents("bill", "help", "last")}\nrouters:\n  desk:\n    model: "scripted:m"\n    lanes:\n      money: { when: invoices, flow: bill }\n      other: { flow: help }\n      skip: { when: spam }\nswarm: { flow: desk >> last }\n`;

  test("the model picks a lane by its tool; only that one runs, on the input", async () => {
    const ran = await runFile(file, {
      script: { desk: [call("choose_lane", { lane: "money" })], bill: [reply("B")], last: [reply("L")] },
    });
    expect(sentTo(ran, "bill")).toEqual([["S:I am bill", "U:Q"]]);
    expect(ran.end("desk").metadata).toEqual({ lane: "money" });
    expect(ran.last.usage.calls).toBe(3);
  });

  test("or by its name; a lane without a flow lets the text through", async () => {
    const ran = await runFile(file, { script: { desk: [reply(" skip ")], last: [reply("L")] } });
    expect(sentTo(ran, "last")).toEqual([["S:I am last", "U:Q"]]);
  });

  test("its instructions are bounded with what they look up", async () => {
    const repeated = `\${input}`.repeat(7500);
    const text = file.replace(
      'model: "scripted:m"\n    lanes',
      `model: "scripted:m"\n    instructions: "${repeated}"\n    lanes`,
    );
    const ran = await runFile(text, {
      script: { desk: [reply("skip")], last: [reply("L")] },
      input: "x".repeat(64_000),
    });
    expect(ran.last).toMatchObject({ status: "FAILED", error: { code: "limit", path: "desk" } });
    expect(ran.last.error?.message).toContain('The instructions of "desk" have more than 2000000 characters');
    expect(ran.models.requests).toEqual([]);
  });

  test("it is asked once more for a lane that exists, and fails then", async () => {
    const good = await runFile(file, {
      script: { desk: [reply("Money?"), reply("other")], help: [reply("H")], last: [reply("L")] },
    });
    expect(good.last.status).toBe("SUCCESS");
    const bad = await runFile(file, { script: { desk: [reply("hm"), reply("hm")] } });
    expect(bad.last).toMatchObject({ status: "FAILED", error: { path: "desk" } });
    expect(bad.last.error?.message).toContain("picked none of its lanes: money, other, skip");
  });
});

describe("people", () => {
  const answerWith = (...answers: HumanInputAnswer[]) => {
    const asked: HumanQuestion[] = [];
    return {
      asked,
      people: {
        ask: async (request: HumanQuestion) => {
          asked.push(request);
          return answers[asked.length - 1] ?? { decision: "rejected" as const, by: "Bob" };
        },
      },
    };
  };
  const approval = `${agents("a", "b", "c")}\napprovals:\n  ok: { message: "Send it?" }\nswarm: { flow: a >> (ok | b) >> c }\n`;

  test("an approved text goes on; siblings went on meanwhile", async () => {
    const { asked, people } = answerWith({ decision: "approved", by: "Ann" });
    const ran = await runFile(approval, {
      context: { humanInput: people },
      script: { a: [reply("A")], b: [reply("B")], c: [reply("C")] },
    });
    expect(asked).toMatchObject([{ type: "approval", message: "Send it?", text: "A", path: "ok" }]);
    expect(sentTo(ran, "c")).toEqual([["S:I am c", "U:A\n\nB"]]);
    expect(ran.events).toContainEqual(
      expect.objectContaining({ type: "answer.given", answer: { decision: "approved", by: "Ann" } }),
    );
  });

  test("a person may put it in other words", async () => {
    const { people } = answerWith({ decision: "approved", by: "Ann", text: "A, mended" });
    const ran = await runFile(approval, {
      context: { humanInput: people },
      script: { a: [reply("A")], b: [reply("B")], c: [reply("C")] },
    });
    expect(sentTo(ran, "c")).toEqual([["S:I am c", "U:A, mended\n\nB"]]);
  });

  test("a rejected one ends the run with who and why, and keeps the text", async () => {
    const { people } = answerWith({ decision: "rejected", by: "Ann", reason: "too long" });
    const ran = await runFile(approval, {
      context: { humanInput: people },
      script: { a: [reply("A")], b: [reply("B")] },
    });
    expect(ran.last).toMatchObject({ status: "FAILED", error: { code: "rejected", path: "ok" } });
    expect(ran.last.error?.message).toBe('Ann rejected "ok": too long');
  });

  test("no answer in time: TIMEOUT of the step", async () => {
    const ran = await runFile(approval.replace('"Send it?"', '"Send it?", timeout_seconds: 5'), {
      context: { humanInput: { ask: () => new Promise(() => undefined) } },
      script: { a: [reply("A")], b: [reply("B")] },
    });
    expect(ran.end("ok")).toMatchObject({
      status: "TIMEOUT",
      error: { message: "No answer was received within 5 s." },
    });
    expect(ran.last.status).toBe("FAILED");
  });

  test("cancelling ends the wait", async () => {
    const ran = await runFile(approval, {
      context: { humanInput: { ask: () => new Promise(() => undefined) } },
      script: { a: [reply("A")], b: [reply("B")] },
      onEvent: (event, { abort }) => {
        if (event.type === "answer.requested") abort.abort();
      },
    });
    expect(ran.last.status).toBe("CANCELLED");
  });

  const guarded = `agents:\n  a: { model: "scripted:m", tools: [echo], needs_approval: [echo] }\nswarm: { flow: a }\n`;

  test("a tool waits for a yes; its arguments can be changed", async () => {
    const { asked, people } = answerWith({ decision: "approved", by: "Ann", text: '{"text":"safe"}' });
    const ran = await runFile(guarded, {
      tools: [echo],
      context: { humanInput: people },
      script: { a: [call("echo", { text: "risky" }), reply("fin")] },
    });
    expect(asked[0]).toMatchObject({
      type: "tool",
      text: '{"text":"risky"}',
      path: "a#llm-1#tool-1",
      schema: { type: "object" },
    });
    expect(sentTo(ran, "a")[1]?.at(-1)).toBe(
      'T:Ann changed the arguments of this call to {"text":"safe"}. Its result:\necho safe',
    );
    expect(ran.end("a#llm-1#tool-1").output.text).toBe("echo safe");
  });

  test("edited arguments become the input of the call; those of the model stay in the question", async () => {
    const { people } = answerWith({ decision: "approved", by: "Ann", text: '{"text":"safe"}' });
    const ran = await runFile(guarded, {
      tools: [echo],
      context: { humanInput: people },
      script: { a: [call("echo", { text: "risky" }), reply("fin")] },
    });
    const step = foldEvents(emptyRunState, ran.events).nodes.find(({ kind }) => kind === "tool_call");
    expect(step).toMatchObject({ input: { text: '{"text":"safe"}' }, question: { text: '{"text":"risky"}' } });
  });

  test("edited arguments that do not fit the tool are asked for again, with the reason", async () => {
    const { asked, people } = answerWith(
      { decision: "approved", by: "Ann", text: "half {" },
      { decision: "approved", by: "Ann", text: '{"text":7}' },
      { decision: "approved", by: "Ann" },
    );
    const ran = await runFile(guarded, {
      tools: [echo],
      context: { humanInput: people },
      script: { a: [call("echo", { text: "risky" }), reply("fin")] },
    });
    expect(asked.map(({ message }) => message)).toEqual([
      '"a" wants to use echo.',
      expect.stringContaining("not valid JSON"),
      expect.stringContaining("expected string"),
    ]);
    expect(sentTo(ran, "a")[1]?.at(-1)).toBe("T:echo risky");
    const step = foldEvents(emptyRunState, ran.events).nodes.find(({ kind }) => kind === "tool_call");
    expect(step?.input.text).toBe('{"text":"risky"}');
  });

  test("a rejected tool is a tool error with the reason; the agent goes on", async () => {
    const { people } = answerWith({ decision: "rejected", by: "Ann", reason: "not today" });
    const ran = await runFile(guarded, {
      tools: [echo],
      context: { humanInput: people },
      script: { a: [call("echo"), reply("fin")] },
    });
    expect(sentTo(ran, "a")[1]?.at(-1)).toBe("T:Ann did not allow this call: not today");
    expect(ran.last.status).toBe("SUCCESS");
  });

  const asking = `agents:\n  a: { model: "scripted:m", tools: [ask_human] }\nswarm: { flow: a }\n`;

  test("200: the human tool wants a prompt, and perhaps choices", async () => {
    const ran = await runFile(asking, { script: { a: [reply("fin")] } });
    expect(ran.models.requests[0]?.tools[0]?.parameters).toMatchObject({
      required: ["prompt"],
      properties: { prompt: { type: "string" }, choices: { type: "array" } },
    });
  });

  test("201: no answer: a tool error", async () => {
    const ran = await runFile(asking, {
      context: { humanInput: { ask: () => new Promise(() => undefined) } },
      script: { a: [call("ask_human", { prompt: "Red?" }), reply("fin")] },
    });
    expect(sentTo(ran, "a")[1]?.at(-1)).toContain("No answer was received within 86400 s");
    expect(ran.last.status).toBe("SUCCESS");
  });

  test("202: an answer that is none of the choices is asked again", async () => {
    const { asked, people } = answerWith(
      { decision: "approved", by: "Ann", text: "blue" },
      { decision: "approved", by: "Ann", text: "red" },
    );
    const ran = await runFile(asking, {
      context: { humanInput: people },
      script: { a: [call("ask_human", { prompt: "Which?", choices: ["red", "green"] }), reply("fin")] },
    });
    expect(asked).toHaveLength(2);
    expect(sentTo(ran, "a")[1]?.at(-1)).toBe("T:red");
  });
});
