import { describe, expect, test } from "vitest";
import { findEngineTools } from "../../kinds/engine-tools";
import { readSource } from "../../source/read-source";
import type { HumanInputAnswer } from "../events/events";
import { call, echo, reply, runFile, sentTo } from "../orbiter/flow-file.arbitrary";
import type { HumanQuestion } from "../ports/human-input";

function answering(answer: HumanInputAnswer) {
  const asked: HumanQuestion[] = [];
  const people = {
    ask: async (request: HumanQuestion) => {
      asked.push(request);
      return answer;
    },
  };
  return { asked, people };
}
const rejection: HumanInputAnswer = { decision: "rejected", by: "Ann" };
const plain = `agents:\n  a: { model: "scripted:m", tools: [echo] }\nswarm: { flow: a }\n`;

describe("tools that wait for a person in every flow", () => {
  const context = { approvalRequired: new Set(["echo"]) };

  test("ask although the flow does not require it", async () => {
    const { asked, people } = answering(rejection);
    const script = { a: [call("echo", { text: "risky" }), reply("fin")] };
    const ran = await runFile(plain, { tools: [echo], context: { ...context, humanInput: people }, script });
    expect(asked).toMatchObject([{ type: "tool", text: '{"text":"risky"}' }]);
    expect(sentTo(ran, "a")[1]?.at(-1)).toBe("T:Ann did not allow this call.");
  });

  test("are added to those of the agent, which still ask", async () => {
    const { asked, people } = answering(rejection);
    const text = plain.replace("tools: [echo]", "tools: [echo], needs_approval: [echo]");
    const other = { approvalRequired: new Set(["other"]), humanInput: people };
    await runFile(text, { tools: [echo], context: other, script: { a: [call("echo"), reply("fin")] } });
    expect(asked).toHaveLength(1);
  });

  test("are refused where no person can be asked", async () => {
    const calls: unknown[] = [];
    const tool = { ...echo, execute: async (input: unknown) => calls.push(input) };
    const ran = await runFile(plain, { tools: [tool], context, script: { a: [call("echo"), reply("fin")] } });
    expect(calls).toEqual([]);
    expect(ran.end("a#llm-1#tool-1")).toMatchObject({ status: "FAILED", error: { code: "tool" } });
    expect(ran.last.status).toBe("SUCCESS");
  });
});

describe("approval for tools of the engine", () => {
  const flows = {
    handoff: `agents:\n  lead: { model: "scripted:m", needs_approval: [transfer_to_b] }\n  b: { model: "scripted:m" }\nswarm: { type: handoff, agents: [lead, b], edges: [[lead, b]] }\n`,
    team: `agents:\n  lead: { model: "scripted:m", needs_approval: [delegate_to_b] }\n  b: { model: "scripted:m" }\nswarm: { type: team, agents: [lead, b] }\n`,
    orchestrate: `agents:\n  lead: { model: "scripted:m", needs_approval: [spawn_agent] }\n  b: { model: "scripted:m" }\nswarm: { type: orchestrate, agents: [lead, b] }\n`,
  };
  const calls = {
    handoff: call("transfer_to_b", { reason: "billing" }),
    team: call("delegate_to_b", { task: "count" }),
    orchestrate: call("spawn_agent", { purpose: "count", agent: "b" }),
  };

  test.each(["handoff", "team", "orchestrate"] as const)("waits for a person in a %s swarm", async (type) => {
    const { asked, people } = answering(rejection);
    const ran = await runFile(flows[type], {
      context: { humanInput: people },
      script: { lead: [calls[type], reply("alone")] },
    });
    expect(asked).toMatchObject([{ type: "tool", path: "lead#llm-1#tool-1" }]);
    expect(ran.models.requestsOf("b")).toEqual([]);
    expect(ran.last).toMatchObject({ status: "SUCCESS", output: { text: "alone" } });
  });

  test("a rejected handoff does not happen by a text either", async () => {
    const { people } = answering(rejection);
    const script = { lead: [calls.handoff, reply("b")], b: [reply("B")] };
    const ran = await runFile(flows.handoff, { context: { humanInput: people }, script });
    expect(ran.models.requestsOf("b")).toEqual([]);
    expect(ran.last).toMatchObject({ status: "SUCCESS", output: { text: "b" } });
  });

  test.each(["handoff", "team", "orchestrate"] as const)("checks know the tools of a %s swarm", async (type) => {
    const { models } = await runFile(flows[type], { script: { lead: [reply("done")] } });
    const given = models.requestsOf("lead")[0]?.tools.map(({ name }) => name);
    expect(given).toEqual([...(findEngineTools(readSource(flows[type]).flow).get("lead") ?? [])]);
  });
});
