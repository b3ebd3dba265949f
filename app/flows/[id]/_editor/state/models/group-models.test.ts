import { describe, expect, it } from "vitest";
import { readSource } from "@/lib/core/source/read-source";
import { describeFacts, formatPrice, formatWindow } from "./describe-model";
import { groupModels, modelsUsedIn, toChoiceText } from "./group-models";
import { describeNoMatch, toWrittenModel } from "./typed-model";

const { flow } = readSource(`agents:
  a: { model: gpt-4o, fallback_model: "demo:x" }
  b: { model: "openai:gpt-4o" }
routers:
  route: { model: "anthropic:claude-opus-5", lanes: { one: a } }
swarm: { flow: route >> b }
`);
const providers = [
  { id: "demo", label: "Demo", available: true, models: [] },
  { id: "openai", label: "OpenAI", available: false, missing: "OPENAI_API_KEY", models: [] },
];
const server = { id: "compatible", label: "OpenAI-compatible server", available: true, models: [] };
const offer = (provider: string, name: string) => ({ provider, name, supports: {} });
const found = [offer("demo", "writer"), offer("openai", "gpt-4o"), offer("openai", "gpt-5")];
const reported = ["qwen3:8b", "llama3.2", "llama"].map((name) => ({
  ...offer("compatible", name),
  server: "127.0.0.1:11434",
}));

describe("groupModels", () => {
  const used = modelsUsedIn(flow);
  const group = (query: string, options: { connected?: boolean; isUnfolded?: boolean; offers?: typeof found } = {}) =>
    groupModels(options.offers ?? (options.connected ? [...found, ...reported] : found), used, {
      query,
      providers: options.connected ? [...providers, server] : providers,
      isCurrent: true,
      isUnfolded: options.isUnfolded ?? false,
    }).map(({ heading, note, items }) => [heading, note, items.map(toChoiceText)]);

  it("puts what the flow uses first, each once, and folds what is not connected", () => {
    expect(used).toEqual(["anthropic:claude-opus-5", "demo:x", "openai:gpt-4o"]);
    const shown = [
      ["Used in this flow", undefined, used],
      ["Demo", undefined, ["demo:writer"]],
    ];
    expect(group("")).toEqual([...shown, ["", undefined, ["Not connected: OpenAI"]]]);
    expect(group("", { isUnfolded: true })).toEqual([
      ...shown,
      ["OpenAI", "Not connected", ["Connect OpenAI…", "openai:gpt-5"]],
    ]);
  });

  it("leaves out what does not fit, also of an answer to an earlier query", () => {
    expect(group("OpenAI 5")).toEqual([["OpenAI", "Not connected", ["openai:gpt-5", "Connect OpenAI…"]]]);
    expect(group("gpt-4o")).toEqual([["Used in this flow", undefined, ["openai:gpt-4o"]]]);
    expect(group("nothing")).toEqual([]);
  });

  it("has the models of a connected server under its host, before those of other providers", () => {
    expect(group("", { connected: true }).map(([heading]) => heading)).toEqual([
      "Used in this flow",
      "127.0.0.1:11434",
      "Demo",
      "",
    ]);
    expect(group("llama", { connected: true })).toEqual([
      ["127.0.0.1:11434", undefined, ["compatible:llama", "compatible:llama3.2"]],
    ]);
    expect(group("8b", { connected: true })[0]?.[2]).toEqual(["compatible:qwen3:8b"]);
  });

  it("has a typed provider and model first, whatever else fits", () => {
    expect(group("demo:wri")).toEqual([["Demo", undefined, ["demo:wri", "demo:writer"]]]);
    expect(group("openai:gpt")).toEqual([
      ["OpenAI", "Not connected", ["openai:gpt", "openai:gpt-4o", "openai:gpt-5", "Connect OpenAI…"]],
    ]);
    expect(group("demo:x")[0]).toEqual(["Used in this flow", undefined, ["demo:x"]]);
  });

  it("offers a name that no provider lists at the connected server, once the lists have arrived", () => {
    const mistral = ["No provider lists mistral", undefined, ["compatible:mistral"]];
    expect(group("mistral", { connected: true })).toEqual([mistral]);
    expect(group("no such model", { connected: true })).toEqual([]);
    expect(group(`\${vars.model}`, { connected: true })).toEqual([]);
    const options = { query: "mistral", providers: [server], isCurrent: false, isUnfolded: false };
    expect(groupModels([], [], options)).toEqual([]);
  });
});

describe("a typed name", () => {
  it("is the model of a connected server that alone has it", () => {
    expect(toWrittenModel(" llama3.2 ", [...found, ...reported])).toBe("compatible:llama3.2");
    expect(toWrittenModel("qwen3:8b", reported)).toBe("compatible:qwen3:8b");
    expect(toWrittenModel("gpt-4o", [...found, { ...offer("compatible", "gpt-4o"), server: "x" }])).toBe("gpt-4o");
    expect(toWrittenModel("demo:writer", found)).toBe("demo:writer");
    expect(toWrittenModel("mistral", reported)).toBe("mistral");
  });

  it("without a match tells what Enter does", () => {
    expect(describeNoMatch("llama", "ok")).toBe("No provider lists llama. Press Enter to use openai:llama.");
    expect(describeNoMatch("a b", "ok")).toContain("as typed");
  });
});

describe("what is known of a model", () => {
  it("is described briefly, and as unknown where it is", () => {
    expect([999, 8192, 128_000, 1_000_000, 1_050_000].map(formatWindow)).toEqual(["999", "8k", "128k", "1M", "1.05M"]);
    expect(formatPrice({ input: 0.075, output: 30, asOf: "2026-09-23" })).toBe("$0.075 in, $30 out");
    expect(describeFacts({ ...offer("openai", "x"), supports: { tools: true, vision: false } })).toEqual([
      ["Context", "unknown"],
      ["Max output", "unknown"],
      ["Per million tokens", "unknown"],
      ["Supports", "tools"],
      ["Does not support", "vision"],
      ["Unknown", "structured output, temperature, reasoning"],
    ]);
  });
});
