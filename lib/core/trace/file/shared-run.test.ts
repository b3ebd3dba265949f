import { describe, expect, it } from "vitest";
import { noUsage } from "../../run/events/usage";
import type { RunNode } from "../model/run-state";
import { type RunFileHead, readRunFile, toRunFileFrame } from "./run-file";
import { notShared, type SharedTexts, toSharedHead, toSharedNode } from "./shared-run";

const everything: SharedTexts = { inputs: true, outputs: true, tools: true };
const mark = (name: string) => ({ text: `canary ${name}` });
const error = (name: string) => ({ code: "provider", message: `canary ${name}`, path: "a" });

const head: RunFileHead = {
  run: {
    ...{ id: "r", flowName: "Flow", status: "FAILED", usage: noUsage, simulated: false },
    ...{ createdAt: 1, startedAt: 2, endedAt: 9 },
    input: mark("run-input"),
    output: mark("run-output"),
    error: error("run-error"),
  },
  source: "name: Flow\n# canary source\n",
  layout: { pins: {}, notes: { n: { x: 0, y: 0, width: 9, height: 9, text: "canary note", color: "blue" } } },
};

/** A step with a mark in every text that a step can have. */
const node = (id: number, kind: RunNode["kind"], path: string): RunNode => ({
  ...{ id, path, kind, name: kind, status: "FAILED", startedAt: 3, endedAt: 8, firstTokenAt: 4, queuedMs: 5 },
  ...(id > 1 && { parent: 1 }),
  ...{ usage: noUsage, simulated: false },
  input: mark(`${kind}-input`),
  output: mark(`${kind}-output`),
  reasoning: "canary reasoning",
  request: { provider: "openai", url: "http://canary-host.internal", body: mark("request") },
  response: mark("response"),
  attempts: [{ attempt: 1, at: 5, error: error("attempt"), waitMs: 3, output: mark("attempt-output") }],
  notes: [{ at: 5, code: "message", message: "canary message", by: "canary person" }],
  answer: { decision: "approved", at: 6, by: "canary person", text: "canary answer" },
  error: error("step-error"),
  metadata: { fact: "canary fact" },
});
const nodes = [
  node(1, "swarm", "/"),
  node(2, "agent", "a"),
  node(3, "llm_call", "a#llm-1"),
  { ...node(4, "tool_call", "a#tool-1"), name: "canary tool-name" },
];

function share(shown: SharedTexts) {
  const { head: begin, tail } = toRunFileFrame(toSharedHead(head, shown));
  const text = begin + nodes.map((one) => JSON.stringify(toSharedNode(one, shown))).join(",\n") + tail;
  const found = [...text.matchAll(/canary ([\w-]+)/g)].map(([, name]) => String(name));
  return { file: readRunFile(text), found: [...new Set(found)].sort() };
}

describe("a shared run", () => {
  it("is a run file, with its structure, times, statuses and usage", () => {
    const { file } = share({ inputs: false, outputs: false, tools: false });
    expect(file).toMatchObject({
      run: { id: "r", status: "FAILED", error: { code: "provider", message: notShared } },
      nodes: nodes.map(({ id, path, kind, status, startedAt, endedAt }) => ({
        id,
        path,
        kind,
        status,
        startedAt,
        endedAt,
      })),
    });
  });

  it.each([
    ["nothing", {}, []],
    ["inputs", { inputs: true }, ["note", "run-input", "source", "swarm-input"]],
    ["outputs", { outputs: true }, ["agent-output", "run-output", "swarm-output"]],
    ["tools", { tools: true }, ["tool-name", "tool_call-input", "tool_call-output"]],
    [
      "outputs and tools",
      { outputs: true, tools: true },
      [
        "agent-output",
        "llm_call-output",
        "run-output",
        "swarm-output",
        "tool-name",
        "tool_call-input",
        "tool_call-output",
      ],
    ],
    [
      "inputs and outputs",
      { inputs: true, outputs: true },
      ["agent-input", "agent-output", "note", "run-input", "run-output", "source", "swarm-input", "swarm-output"],
    ],
  ])("with %s has those texts and no others", (_, shown, expected) => {
    expect(share({ inputs: false, outputs: false, tools: false, ...shown }).found).toEqual(expected);
  });

  it("never has requests, answers of providers, facts and the names of people", () => {
    const { found } = share(everything);
    expect(found).toEqual(
      expect.arrayContaining(["llm_call-input", "reasoning", "attempt", "step-error", "run-error"]),
    );
    for (const name of ["request", "response", "host", "person", "fact", "message", "answer", "attempt-output"])
      expect(found).not.toContain(name);
    expect(JSON.stringify(share(everything).file)).not.toContain("canary-host");
  });
});
