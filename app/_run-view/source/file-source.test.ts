import { describe, expect, test } from "vitest";
import { payloadLimit } from "@/lib/core/trace/model/step-texts";
import { sampleRunFile as fileOf, sampleNode as node } from "@/lib/core/trace/testing/run.samples";
import { createFileRun } from "./file-source";
import { fromBeginning } from "./turn-source";

const { signal } = new AbortController();
const long = "x".repeat(payloadLimit + 1);

describe("the run of a file", () => {
  test("has the structure of its steps, and goes no further", async () => {
    const { traces, shown, source, isOver } = createFileRun(
      fileOf([node(1, "swarm"), node(2, "agent", { parent: 1 })]),
    );
    expect(shown).toMatchObject({ id: "018f4e9a-7c1b-4d2e-9a3f-0123456789ab", flowId: null, flowName: "Looms" });
    expect(source).toContain("flow: a");
    expect(isOver).toBe(true);
    const trace = await traces.load(signal);
    expect([trace.length, trace.columns.parent[1], trace.run.status]).toEqual([2, 0, "SUCCESS"]);
    const told: string[] = [];
    traces.follow(trace, (connection) => told.push(connection))();
    expect(told).toEqual(["ended"]);
  });

  test("returns its texts truncated first, then complete", async () => {
    const metadata = { toolCalls: [{ id: "1", name: "write", arguments: long }], value: long };
    const call = node(1, "llm_call", {
      input: { text: "short" },
      output: { text: long },
      reasoning: long,
      request: { provider: "p", url: "u", body: { text: `${long}!` } },
      metadata,
    });
    const { steps } = createFileRun(fileOf([call]));
    const shown = await steps.node(1, signal);
    expect(shown.input).toEqual({ text: "short" });
    expect(shown.output).toEqual({ text: long.slice(0, payloadLimit), length: long.length });
    expect(shown.reasoningLength).toBe(long.length);
    expect(shown.metadata).toMatchObject({ cut: true, toolCalls: [{ name: "write" }] });
    expect(shown.metadata).not.toHaveProperty("value");
    expect(await steps.text(1, "output", signal)).toBe(long);
    expect(await steps.text(1, "reasoning", signal)).toBe(long);
    expect(await steps.text(1, "request", signal)).toBe(`${long}!`);
    expect(await steps.text(1, "response", signal)).toBe("");
  });

  test("has the turns of its conversation", async () => {
    const { turns } = createFileRun(
      fileOf([
        node(1, "agent", { input: { text: "Weave" } }),
        node(2, "llm_call", { parent: 1, output: { text: "Woven" } }),
      ]),
    );
    const page = await turns.turns(fromBeginning, signal);
    expect(page.turns.map(({ type, text }) => [type, text])).toEqual([
      ["given", "Weave"],
      ["answer", "Woven"],
    ]);
    expect(page.more).toBe(false);
  });

  test("may have been made while a step ran: its words so far are its text", async () => {
    const running = { status: "RUNNING", endedAt: undefined } as const;
    const nodes = [node(1, "agent", running), node(2, "llm_call", { ...running, parent: 1, output: { text: "Wov" } })];
    const { steps, isOver } = createFileRun(fileOf(nodes, { status: "RUNNING", endedAt: null }));
    expect(isOver).toBe(false);
    expect(steps.until).toBe(20);
    expect(await steps.node(2, signal)).toMatchObject({ status: "RUNNING", output: { text: "Wov" } });
  });

  test("may be empty", async () => {
    const { traces, steps, turns } = createFileRun(fileOf([]));
    expect((await traces.load(signal)).length).toBe(0);
    expect((await turns.turns(fromBeginning, signal)).turns).toEqual([]);
    await expect(steps.node(1, signal)).rejects.toThrow("There is no such step in this file.");
  });
});
