import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "@/lib/core/run/events/events";
import { runFlow } from "@/lib/core/run/run-flow";
import { readSource } from "@/lib/core/source/read-source";
import { emptyRunState, foldEvents } from "@/lib/core/trace/model/fold-events";
import { createModelPort, listProviders } from "@/lib/server/models/model-port";
import { toolPort, toolSpecs } from "@/lib/server/tools/registry";
import { demoInput } from "./demo-input";
import { readPages, readTemplates } from "./files";

const env = { SWARMLOOM_DEMO_SPEED: 0 };
const offer = { tools: toolSpecs.map((tool) => tool.name), providers: listProviders(env) };

async function runTemplate(name: string, input: string): Promise<RunEvent[]> {
  const { flow } = readSource(readTemplates().get(name) ?? "");
  const context = {
    models: createModelPort(env),
    tools: toolPort,
    now: () => Date.UTC(2026, 6, 1, 12),
    random: () => 0,
    sleep: (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal }),
    signal: new AbortController().signal,
  };
  const events: RunEvent[] = [];
  for await (const event of runFlow(flow, input, context)) events.push(event);
  return events;
}

describe.each([...readTemplates()])("the template %s", (_, text) => {
  it("has no problems", () => {
    expect(readSource(text, offer).problems).toEqual([]);
  });

  it("uses no provider but demo, so that it runs on a fresh machine", () => {
    for (const agent of readSource(text).flow.agents.values()) expect(agent.model).toMatch(/^demo:/);
  });
});

describe("the demo article", () => {
  it("has the same transcript in every run", async () => {
    const first = await runTemplate("demo-article", demoInput);
    expect(await runTemplate("demo-article", demoInput)).toEqual(first);
    expect(first.at(-1)).toMatchObject({ type: "run.finished", status: "SUCCESS", simulated: true });
  });

  it("runs the three researchers at the same time", async () => {
    const events = await runTemplate("demo-article", demoInput);
    const { nodes } = foldEvents(emptyRunState, events);
    const researchers = nodes.filter((node) => node.kind === "agent" && node.name.startsWith("researcher_"));
    expect(researchers.map((node) => node.name)).toEqual(["researcher_1", "researcher_2", "researcher_3"]);
    const place = (type: RunEvent["type"], id: number) =>
      events.findIndex((event) => event.type === type && "id" in event && event.id === id);
    const lastStart = Math.max(...researchers.map(({ id }) => place("node.started", id)));
    const firstEnd = Math.min(...researchers.map(({ id }) => place("node.finished", id)));
    expect(lastStart).toBeLessThan(firstEnd);
  });

  it("includes the real result of every tool in the final text", async () => {
    const { nodes, output } = foldEvents(emptyRunState, await runTemplate("demo-article", demoInput));
    const tools = nodes.filter((node) => node.kind === "tool_call");
    expect(tools.map((node) => node.name).sort()).toEqual(
      ["calculator", "current_time", "read_page", "read_page", "read_page", "read_page"].sort(),
    );
    for (const { output: result, metadata } of tools) {
      expect(metadata.isError).not.toBe(true);
      const sentences = result.text.split(/\n+|(?<=\.)\s+/).filter((line) => line !== "" && !line.startsWith("#"));
      expect(sentences.some((sentence) => output.text.includes(sentence))).toBe(true);
    }
    expect(output.text).toContain("240 * 85 = 20400");
  });

  it("labels every answer, and costs nothing", async () => {
    const state = foldEvents(emptyRunState, await runTemplate("demo-article", demoInput));
    const answers = state.nodes.filter((node) => node.kind === "llm_call" && node.output.text !== "");
    expect(answers).toHaveLength(6);
    for (const answer of answers) expect(answer.output.text).toMatch(/^Simulated answer \(no model was asked\)/);
    expect(state.nodes.filter((node) => node.kind === "llm_call").every((node) => node.simulated)).toBe(true);
    expect(state).toMatchObject({ simulated: true, usage: { cost: 0, calls: 9, estimated: true } });
  });

  it("has few enough words to be read out in under 15 seconds", async () => {
    const { nodes } = foldEvents(emptyRunState, await runTemplate("demo-article", demoInput));
    const seconds = (name: string) =>
      nodes
        .filter((node) => node.kind === "llm_call" && node.path.startsWith(`${name}#`))
        .reduce((sum, node) => sum + 0.3 + node.output.text.split(/\s+/).length / 34, 0);
    const researchers = Math.max(...["researcher_1", "researcher_2", "researcher_3"].map(seconds));
    expect(seconds("planner") + researchers + seconds("critic") + seconds("writer")).toBeLessThan(13);
  });
});

it("every bundled page has a heading and is short", () => {
  for (const text of readPages().values()) {
    expect(text).toMatch(/^# \w/);
    expect(text.length).toBeLessThan(1000);
  }
});
