import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readTraces } from "@/e2e/fixtures/read-traces";
import { type RunNodeKind, runNodeKinds } from "../../run/events/events";
import { noUsage } from "../../run/events/usage";
import type { RunNode } from "../model/run-state";
import { runNodes } from "../testing/run-node.arbitrary";
import { toTraceId } from "./ids";
import { spanMappings } from "./mapping";
import type { Span } from "./otlp";
import { toFrame, toRequest, toTrace } from "./to-trace";

const run = { id: "018f4e9a-7c1b-4d2e-9a3f-0123456789ab", until: 1_700_000_009_000 };
const start = 1_700_000_000_000;

const base = (id: number, kind: RunNodeKind, name: string, rest: Partial<RunNode> = {}): RunNode => ({
  id,
  ...(id > 1 && { parent: 1 }),
  path: id === 1 ? "/" : name,
  kind,
  name,
  status: "SUCCESS",
  startedAt: start + id,
  endedAt: start + 1000 + id,
  input: { text: `to ${name}` },
  output: { text: `from ${name}` },
  reasoning: "",
  attempts: [],
  usage: { ...noUsage, calls: 1, input: 7 },
  metadata: {},
  simulated: false,
  ...rest,
});

const messages = [
  { role: "system", content: "You research." },
  { role: "user", content: "Looms" },
  { role: "assistant", content: "", toolCalls: [{ id: "call_0", name: "calculator", arguments: "{}" }] },
  { role: "tool", toolCallId: "call_0", name: "calculator", content: "0" },
];
const body = {
  model: "gemini-2.5-flash",
  stream: true,
  generationConfig: { temperature: 0.5, maxOutputTokens: 100, stopSequences: ["END"] },
  tools: [
    { functionDeclarations: [{ name: "calculator", description: "Calculates", parameters: { type: "object" } }] },
  ],
};

/** One of every kind, below one swarm. */
const samples: Readonly<Record<RunNodeKind, RunNode>> = {
  swarm: base(1, "swarm", "Article"),
  group: base(2, "group", "review", { metadata: { order: "parallel" } }),
  agent: base(3, "agent", "researcher", { metadata: { steps: 2 } }),
  llm_call: base(4, "llm_call", "google:gemini-2.5-flash", {
    parent: 3,
    path: "researcher#llm-1",
    firstTokenAt: start + 254,
    input: { text: JSON.stringify(messages) },
    output: { text: "Let me count." },
    reasoning: "Hm.",
    queuedMs: 12,
    request: { provider: "google", url: "https://models.invalid", body: { text: JSON.stringify(body) } },
    attempts: [{ attempt: 1, at: start + 100, error: { code: "network", message: "reset" }, waitMs: 50 }],
    usage: { input: 120, output: 30, cached: 20, reasoning: 10, calls: 1, cost: 0.00042, estimated: false },
    metadata: {
      finishReason: "tool-calls",
      model: "gemini-2.5-flash-001",
      toolCalls: [{ id: "call_1", name: "calculator", arguments: '{"expression":"17 * 3"}' }],
    },
  }),
  tool_call: base(5, "tool_call", "calculator", {
    parent: 3,
    path: "researcher#llm-1#tool-1",
    status: "FAILED",
    input: { text: '{"expression":"17 * 3"}' },
    output: { text: '"calculator" failed: 51 is a secret' },
    error: { code: "tool", message: '"calculator" failed: 51 is a secret' },
    metadata: { isError: true },
  }),
  handoff: base(6, "handoff", "writer → critic", { metadata: { from: "writer", to: "critic" } }),
  approval: base(7, "approval", "boss", { status: "WAITING", endedAt: undefined }),
  branch: base(8, "branch", "which", { metadata: { taken: "if_true" } }),
  router: base(9, "router", "door", { metadata: { lane: "left" } }),
  loop: base(10, "loop", "refine", { metadata: { rounds: 2, ended: "until" } }),
  round: base(11, "round", "Round 1", { path: "refine#1", parent: 10, status: "CANCELLED" }),
};
const nodes = runNodeKinds.map((kind) => samples[kind]).toSorted((a, b) => a.id - b.id);
const goldenFolder = path.join(import.meta.dirname, "golden");
const spansOf = (content: boolean): Span[] =>
  toTrace(run, nodes, { content }).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
const valuesOf = ({ attributes }: Span) => new Map(attributes.map(({ key, value }) => [key, value]));

describe("golden files: a span of every kind, without and with content", () => {
  test.each(runNodeKinds)("%s", (kind) => {
    const at = nodes.indexOf(samples[kind]);
    const written = `${JSON.stringify({ plain: spansOf(false)[at], content: spansOf(true)[at] }, null, 2)}\n`;
    const file = path.join(goldenFolder, `${kind}.json`);
    if (process.env.UPDATE_GOLDEN === "1") writeFileSync(file, written);
    expect(written).toBe(readFileSync(file, "utf8"));
  });

  test("are one for each kind, and no more", () => {
    expect(readdirSync(goldenFolder).sort()).toEqual(runNodeKinds.map((kind) => `${kind}.json`).sort());
  });
});

describe("a trace", () => {
  test("OpenTelemetry reads every field of it", () => {
    for (const content of [false, true]) {
      const spans = readTraces(JSON.stringify(toTrace(run, nodes, { content })));
      expect(spans.map(({ name }) => name)).toEqual([
        "invoke_workflow Article",
        "parallel review",
        "invoke_agent researcher",
        "chat gemini-2.5-flash",
        "execute_tool calculator",
        "handoff writer → critic",
        "approval boss",
        "branch which",
        "router door",
        "loop refine",
        "round Round 1",
      ]);
    }
  });

  test("what reads it back would notice a field that the protocol does not know", () => {
    const text = JSON.stringify(toTrace(run, nodes, { content: false }));
    expect(() => readTraces(text.replaceAll('"spanId"', '"spanID"'))).toThrow("spanID");
    expect(() => readTraces(text.replace('"kind":1', '"kind":"one"'))).toThrow("kind");
    expect(() => readTraces(text.replace(/"traceId":"../, '"traceId":"'))).toThrow("16 bytes");
  });

  test("every kind carries the OpenInference keys, usage and cost are on model calls alone", () => {
    for (const [at, span] of spansOf(true).entries()) {
      const node = nodes[at];
      const values = valuesOf(span);
      const mapping = node && spanMappings[node.kind];
      expect(values.get("openinference.span.kind")).toEqual({ stringValue: mapping?.openInference });
      expect(values.get("session.id")).toEqual({ stringValue: run.id });
      expect(values.get("graph.node.id")).toEqual({ stringValue: node?.path });
      expect(values.has("graph.node.parent_id")).toBe(node?.parent !== undefined);
      expect(values.has("input.value")).toBe(mapping?.openInference === "CHAIN");
      const billed = [...values.keys()].filter((key) => /^gen_ai\.usage|cost/.test(key));
      expect(billed.length > 0).toBe(node?.kind === "llm_call");
    }
  });

  test("without content no text of the run is in it", () => {
    const text = JSON.stringify(toTrace(run, nodes, { content: false }));
    for (const secret of ["secret", "Looms", "You research", "Let me count", "Hm.", "17 * 3", "to Article", "reset"])
      expect(text).not.toContain(secret);
    expect(JSON.stringify(toTrace(run, nodes, { content: true }))).toContain("17 * 3");
  });

  test("a request whose text is incomplete gives no settings", () => {
    const cut = { ...samples.llm_call, request: { provider: "google", url: "", body: { text: "{", length: 99_999 } } };
    const [span] = toTrace(run, [cut], { content: false }).resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
    const keys = span?.attributes.map(({ key }) => key) ?? [];
    expect(keys.filter((key) => key.startsWith("gen_ai.request"))).toEqual(["gen_ai.request.model"]);
  });

  test.each(["toString", "__proto__", "constructor"])("a provider called %s is called so", (provider) => {
    const call = { ...samples.llm_call, request: { provider, url: "", body: { text: "{}" } } };
    const [span] = readTraces(JSON.stringify(toTrace(run, [call], { content: false })));
    expect(span?.attributes).toContainEqual({ key: "gen_ai.provider.name", value: { stringValue: provider } });
  });

  test("written piece by piece it is the same text", () => {
    const { head, tail } = toFrame();
    const spans = spansOf(true);
    expect(head + spans.map((span) => JSON.stringify(span)).join(",") + tail).toBe(JSON.stringify(toRequest(spans)));
  });

  test("property: any run is read; ids are unique, parents exist, times are in order, numbers are numbers", () => {
    fc.assert(
      fc.property(fc.oneof(fc.uuid(), fc.string()), runNodes, fc.boolean(), (id, steps, content) => {
        const text = JSON.stringify(toTrace({ id, until: 5e12 }, steps, { content }));
        const spans = readTraces(text);
        expect(spans.length).toBe(steps.length);
        const before = new Set<string>();
        for (const { traceId, spanId, parentSpanId, startTimeUnixNano: from, endTimeUnixNano: to } of spans) {
          expect(traceId).toBe(toTraceId(id));
          expect(before.has(spanId)).toBe(false);
          expect(parentSpanId === undefined || before.has(parentSpanId)).toBe(true);
          expect(BigInt(from) <= BigInt(to)).toBe(true);
          before.add(spanId);
        }
      }),
    );
  });

  test("property: different runs have different ids, of the right form", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(toTraceId(a)).toMatch(/^[\da-f]{32}$/);
        expect(toTraceId(a) === toTraceId(b)).toBe(a === b);
      }),
    );
  });

  test("a parent that is not known, or that comes later, is left out", () => {
    const steps = [
      base(1, "agent", "a", { parent: 2 }),
      base(2, "agent", "b", { parent: 2 }),
      base(3, "agent", "c", { parent: 9 }),
    ];
    const spans = readTraces(JSON.stringify(toTrace(run, steps, { content: false })));
    expect(spans.map(({ parentSpanId }) => parentSpanId)).toEqual([undefined, undefined, undefined]);
  });
});
