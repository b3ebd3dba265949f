import { describe, expect, it } from "vitest";
import { readSource } from "@/lib/core/source/read-source";
import { describeFacts, formatPrice, formatWindow } from "./describe-model";
import { groupModels, modelsUsedIn, toChoiceText } from "./group-models";

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
const offer = (provider: string, name: string) => ({ provider, name, supports: {} });
const found = [offer("demo", "writer"), offer("openai", "gpt-4o"), offer("openai", "gpt-5")];

describe("groupModels", () => {
  const used = modelsUsedIn(flow);
  const grouped = (query: string) =>
    groupModels(found, used, { query, providers }).map(({ heading, note, items }) => [
      heading,
      note,
      items.map(toChoiceText),
    ]);

  it("puts what the flow uses first, each once, and offers a connection before models without a key", () => {
    expect(used).toEqual(["anthropic:claude-opus-5", "demo:x", "openai:gpt-4o"]);
    expect(grouped("")).toEqual([
      ["Used in this flow", undefined, used],
      ["Demo", undefined, ["demo:writer"]],
      ["OpenAI", "Not connected", ["Connect OpenAI…", "openai:gpt-5"]],
    ]);
  });

  it("leaves out what does not fit, also of an answer to an earlier query", () => {
    expect(grouped("OpenAI 5")).toEqual([["OpenAI", "Not connected", ["Connect OpenAI…", "openai:gpt-5"]]]);
    expect(grouped("gpt-4o")).toEqual([["Used in this flow", undefined, ["openai:gpt-4o"]]]);
    expect(grouped("nothing")).toEqual([]);
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
