import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { runFlow } from "@/lib/core/run/run-flow";
import { readSource } from "@/lib/core/source/read-source";
import { emptyRunState, foldEvents } from "@/lib/core/trace/model/fold-events";
import type { RunState } from "@/lib/core/trace/model/run-state";
import { createModelPort } from "@/lib/server/models/model-port";
import { toolPort } from "@/lib/server/tools/registry";
import { templatesByUse } from "./catalog";
import { listTemplates, readTemplates } from "./files";

async function runTemplate(name: string, input: string): Promise<RunState> {
  const { flow } = readSource(readTemplates().get(name) ?? "");
  const context = {
    models: createModelPort({ SWARMLOOM_DEMO_SPEED: 0 }),
    tools: toolPort,
    now: () => Date.UTC(2026, 6, 1, 12),
    random: () => 0,
    sleep: (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal }),
    signal: new AbortController().signal,
    humanInput: { ask: async () => ({ decision: "approved" as const, by: "Ann" }) },
  };
  let state = emptyRunState;
  for await (const event of runFlow(flow, input, context)) state = foldEvents(state, [event]);
  return state;
}

/** The steps without model calls, as `kind path`, in the order in which they began. */
const shapeOf = ({ nodes }: RunState): string[] =>
  nodes.filter(({ kind }) => kind !== "llm_call").map(({ kind, path }) => `${kind} ${path}`);

const question = "How can a small city keep its streets cool in summer?";

describe("each template runs without a key, and its timeline has the described shape", () => {
  it.each<[name: string, input: string, shape: string[]]>([
    ["chain", question, ["swarm /", "agent researcher", "agent writer"]],
    ["parallel", question, ["swarm /", "agent optimist", "agent pessimist", "agent realist", "agent writer"]],
    [
      "nested",
      question,
      [
        "swarm /",
        "agent planner",
        "group research",
        "agent research/researcher",
        "agent research/analyst",
        "swarm desk",
        "agent desk/drafter",
        "agent desk/editor",
      ],
    ],
    [
      "handoff",
      "My invoice is wrong, I want a refund of the payment.",
      ["swarm /", "agent triage", "tool_call triage#llm-1#tool-1", "handoff /#handoff-1", "agent billing"],
    ],
    [
      "team",
      question,
      [
        "swarm /",
        "agent lead",
        "tool_call lead#llm-1#tool-1",
        "tool_call lead#llm-1#tool-2",
        "agent researcher#call-1-1",
        "agent accountant#call-1-2",
        "tool_call researcher#call-1-1#llm-1#tool-1",
        "tool_call accountant#call-1-2#llm-1#tool-1",
      ],
    ],
    [
      "branch",
      "May I have a refund?",
      ["swarm /", "agent reader", "branch is_refund", "agent is_refund/refunds", "agent writer"],
    ],
    ["branch", question, ["swarm /", "agent reader", "branch is_refund", "agent is_refund/answers", "agent writer"]],
    ["router", "There is an error after the install.", ["swarm /", "router desk", "agent desk/engineer"]],
    [
      "loop",
      question,
      [
        "swarm /",
        "loop refine",
        ...[1, 2, 3].flatMap((round) => [
          `round refine#${round}`,
          `agent refine#${round}/drafter`,
          `agent refine#${round}/critic`,
        ]),
        "agent editor",
      ],
    ],
    ["approval", question, ["swarm /", "agent drafter", "approval check", "agent sender"]],
    ["structured-output", question, ["swarm /", "agent extractor", "branch is_urgent", "agent is_urgent/pager"]],
  ])("%s", async (name, input, shape) => {
    const state = await runTemplate(name, input);
    expect(state).toMatchObject({ status: "SUCCESS", simulated: true });
    expect(shapeOf(state)).toEqual(shape);
    expect(state.output.text).not.toBe("");
  });

  it("orchestrate", async () => {
    const state = await runTemplate("orchestrate", question);
    expect(state.status).toBe("SUCCESS");
    expect(shapeOf(state).sort()).toEqual(
      [
        "swarm /",
        "agent lead",
        "tool_call lead#llm-1#tool-1",
        "tool_call lead#llm-1#tool-2",
        "tool_call lead#llm-2#tool-1",
        "agent scout#spawn-1",
        "agent counter#spawn-2",
        "tool_call scout#spawn-1#llm-1#tool-1",
        "tool_call counter#spawn-2#llm-1#tool-1",
      ].sort(),
    );
    expect(state.nodes[0]?.usage.calls).toBe(7);
  });

  it("structured output carries the parsed value", async () => {
    const { nodes } = await runTemplate("structured-output", question);
    const extractor = nodes.find(({ name, kind }) => kind === "agent" && name === "extractor");
    expect(extractor?.metadata.value).toMatchObject({ subject: expect.any(String), urgent: expect.any(Boolean) });
  });

  it("every template is covered by these tests", () => {
    const tested = [
      "chain",
      "parallel",
      "nested",
      "handoff",
      "team",
      "orchestrate",
      "branch",
      "router",
      "loop",
      "approval",
    ];
    const others = [...readTemplates().keys()].filter((name) => !tested.includes(name) && !templatesByUse.has(name));
    expect(others).toEqual(["demo-article", "hello", "structured-output"]);
  });
});

describe("the templates by use", () => {
  it("are at least eight, each with a text, two lines about it, a picture and a use", () => {
    const templates = listTemplates().filter(({ use }) => use !== null);
    expect(templates.length).toBe(templatesByUse.size);
    expect(templates.length).toBeGreaterThanOrEqual(8);
    for (const { title, about, agents, picture } of templates) {
      expect(title).not.toBe("");
      expect(about.length).toBeGreaterThan(50);
      expect(about.length).toBeLessThan(130);
      expect(agents).toBeGreaterThan(1);
      expect(picture).toMatchObject({ type: "drawing" });
    }
  });

  it.each([...templatesByUse])("%s runs to its end on simulated models", async (name, { input }) => {
    const state = await runTemplate(name, input);
    expect(state).toMatchObject({ status: "SUCCESS", simulated: true, usage: { cost: 0 } });
    expect(state.output.text).not.toBe("");
    const { flow } = readSource(readTemplates().get(name) ?? "");
    const ran = new Set(state.nodes.filter(({ kind }) => kind === "agent").map((node) => node.name));
    // Every agent works, but those on the way that was not taken.
    const idle = [...flow.agents.keys()].filter((agent) => !ran.has(agent));
    expect(idle).toEqual({ "customer-support": ["tech"], "route-by-topic": ["advice"] }[name] ?? []);
  });
});
