import { describe, expect, test } from "vitest";
import { readSource } from "../../source/read-source";
import { agents, call, echo, refuse, reply, runFile, sentTo } from "./flow-file.arbitrary";

const team = `${agents("lead", "w1", "w2")}\nswarm: { type: team, agents: [lead, w1, w2] }\n`;
const messagesOf = (text: string): string[] => readSource(text).problems.map(({ message }) => message);
const delegate = (...names: string[]) => ({
  calls: names.map((name) => ({ name: `delegate_to_${name}`, arguments: { task: `task for ${name}` } })),
});

describe("team", () => {
  test("100: the lead's tools gain one for each worker, after its own", async () => {
    const file = team.replace('I am lead"', 'I am lead", tools: [echo]');
    const ran = await runFile(file, { tools: [echo], script: { lead: [reply("fin")] } });
    expect(ran.models.requestsOf("lead")[0]?.tools.map(({ name }) => name)).toEqual([
      "echo",
      "delegate_to_w1",
      "delegate_to_w2",
    ]);
  });

  test("101: the tool wants one text, the task, and names its worker", async () => {
    const ran = await runFile(team, { script: { lead: [reply("fin")] } });
    const [tool] = ran.models.requestsOf("lead")[0]?.tools ?? [];
    expect(tool).toMatchObject({
      description: expect.stringContaining("w1"),
      parameters: { type: "object", required: ["task"], properties: { task: { type: "string" } } },
    });
    expect(Object.keys(Object(tool?.parameters.properties))).toEqual(["task"]);
  });

  test("102: the worker gets its instructions and the task alone; its answer is the tool's result", async () => {
    const ran = await runFile(team, {
      messages: [{ role: "user", content: "old" }],
      script: { lead: [delegate("w1"), reply("fin")], w1: [reply("W1")] },
    });
    expect(sentTo(ran, "w1")).toEqual([["S:I am w1", "U:task for w1"]]);
    expect(sentTo(ran, "lead")[1]).toEqual(["S:I am lead", "U:old", "U:Q", "A:+delegate_to_w1", "T:W1"]);
  });

  test("103: two calls of one turn run at once, results in the order of the calls", async () => {
    const ran = await runFile(team, {
      script: {
        lead: [delegate("w2", "w1"), reply("fin")],
        w1: [reply("W1", { delayMs: 1000 })],
        w2: [reply("W2", { delayMs: 2000 })],
      },
    });
    expect(ran.clock.now()).toBe(2000);
    expect(sentTo(ran, "lead")[1]?.slice(-2)).toEqual(["T:W2", "T:W1"]);
    expect(ran.started.filter(({ kind }) => kind === "agent").map(({ path }) => path)).toEqual([
      "lead",
      "w2#call-1-1",
      "w1#call-1-2",
    ]);
  });

  test("104: a lead that does not delegate answers itself", async () => {
    expect((await runFile(team, { script: { lead: [reply("alone")] } })).last.output.text).toBe("alone");
  });

  test("105: a worker's failure is a tool error; the lead goes on", async () => {
    const ran = await runFile(team, { script: { lead: [delegate("w1"), reply("without it")], w1: [refuse] } });
    expect(ran.last).toMatchObject({ status: "SUCCESS", output: { text: "without it" } });
    expect(sentTo(ran, "lead")[1]?.at(-1)).toBe("T:refused");
    expect(ran.end("lead#llm-1#tool-1").status).toBe("FAILED");
  });

  test.each([
    ["106: a call without a task is refused", {}, "do not fit"],
    ["108: arguments that are no JSON are a tool error, and the model may try again", "{broken", "not valid JSON"],
  ])("%s", async (_, args, part) => {
    const ran = await runFile(team, { script: { lead: [call("delegate_to_w1", args), reply("fin")] } });
    expect(ran.last.status).toBe("SUCCESS");
    expect(sentTo(ran, "lead")[1]?.at(-1)).toContain(part);
    expect(ran.models.requestsOf("w1")).toEqual([]);
  });

  test("107: a worker that does not exist is an unknown tool", async () => {
    const ran = await runFile(team, { script: { lead: [delegate("zz"), reply("fin")] } });
    expect(sentTo(ran, "lead")[1]?.at(-1)).toContain('There is no tool "delegate_to_zz"');
  });

  test("109: a team of one is refused", () => {
    expect(messagesOf(`${agents("a")}\nswarm: { type: team, agents: [a] }\n`).join()).toContain("a team of one");
  });

  test("110: so is a flow that names one of two agents", () => {
    expect(messagesOf(`${agents("a", "b")}\nswarm: { type: team, flow: a }\n`).join()).toContain("a team of one");
  });

  test("111: the first of the flow leads", async () => {
    const ran = await runFile(`${agents("lead", "w1")}\nswarm: { type: team, flow: "w1 >> lead" }\n`, {
      script: { w1: [reply("I lead")] },
    });
    expect(ran.last.output.text).toBe("I lead");
  });

  test("112: of several firsts the first by name leads, and that is pointed out", async () => {
    const file = `${agents("w", "lead")}\nswarm: { type: team, flow: "(w | lead)" }\n`;
    expect(messagesOf(file).join()).toContain('"lead" leads, the first by name');
    expect((await runFile(file, { script: { lead: [reply("L")] } })).last.output.text).toBe("L");
  });

  test("113: a worker left out of the flow has no tool, and is pointed out", async () => {
    const file = `${agents("lead", "w1", "w2")}\nswarm: { type: team, flow: "lead >> w1" }\n`;
    expect(messagesOf(file).join()).toContain('"w2" is declared but not in the flow');
    const ran = await runFile(file, { script: { lead: [reply("L")] } });
    expect(ran.models.requests[0]?.tools.map(({ name }) => name)).toEqual(["delegate_to_w1"]);
  });

  test("114: a worker may be a group, a swarm or a control", async () => {
    const file =
      `${agents("lead", "a", "b", "c")}\ngroups: { both: { type: parallel, flow: "a | b" } }\nswarms: { inner: { type: workflow, flow: c } }\nloops: { again: { body: lead2, count: 2 } }\n${""}swarm: { type: team, agents: [lead, both, inner, again] }\n`.replace(
        "agents:\n",
        'agents:\n  lead2: { model: "scripted:m" }\n',
      );
    const ran = await runFile(file, {
      script: {
        lead: [delegate("both", "inner", "again"), reply("fin")],
        a: [reply("A")],
        b: [reply("B")],
        c: [reply("C")],
        lead2: [reply("one"), reply("two")],
      },
    });
    expect(sentTo(ran, "lead")[1]?.slice(-3)).toEqual(["T:A\n\nB", "T:C", "T:two"]);
    expect(ran.started.map(({ path }) => path)).toContain("both#call-1-1/a");
  });

  test("115: a tool of the lead's own under that name is refused", async () => {
    const file = team.replace('I am lead"', 'I am lead", tools: [delegate_to_w1]');
    const tool = { ...echo, spec: { ...echo.spec, name: "delegate_to_w1" } };
    const ran = await runFile(file, { tools: [tool], script: { lead: [] } });
    expect(ran.last).toMatchObject({ status: "FAILED", error: { code: "tool", path: "lead" } });
    expect(ran.last.error?.message).toContain("gives it one of that name");
  });

  test("116, 119: runs do not share tools: two at once, one of which fails", async () => {
    const { flow } = readSource(team);
    const before = JSON.stringify([...flow.agents]);
    const [good, bad] = await Promise.all([
      runFile(team, { script: { lead: [delegate("w1"), reply("fin")], w1: [reply("W1", { delayMs: 5 })] } }),
      runFile(team, { script: { lead: [refuse] } }),
    ]);
    expect([good.last.status, bad.last.status]).toEqual(["SUCCESS", "FAILED"]);
    expect(JSON.stringify([...flow.agents])).toBe(before);
  });

  test("117: usage is the sum over lead and workers", async () => {
    const usage = { input: 10, output: 5 };
    const ran = await runFile(team, {
      script: { lead: [{ ...delegate("w1"), usage }, reply("fin", { usage })], w1: [reply("W1", { usage })] },
    });
    expect(ran.last.usage).toMatchObject({ input: 30, output: 15, calls: 3 });
    expect(ran.end("lead#llm-1#tool-1").usage).toMatchObject({ input: 10, calls: 1 });
  });

  test("118: workers stream, below the call of the lead", async () => {
    const ran = await runFile(team, { script: { lead: [delegate("w1"), reply("fin")], w1: [reply("W1")] } });
    expect(ran.events.flatMap((event) => (event.type === "text.appended" ? [event.text] : []))).toEqual(["W1", "fin"]);
    const tool = ran.started.find(({ kind }) => kind === "tool_call");
    expect(ran.started.find(({ path }) => path === "w1#call-1-1")?.parent).toBe(tool?.id);
  });
});
