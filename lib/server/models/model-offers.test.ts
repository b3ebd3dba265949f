import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describeModel, listUsualModels, searchModels } from "./model-offers";
import { listProviders } from "./model-port";
import { findPrice, priceList } from "./pricing/prices";

describe("describeModel", () => {
  it("has the known facts, today's price and its date", () => {
    expect(describeModel("openai:gpt-4o")).toEqual({
      provider: "openai",
      name: "gpt-4o",
      label: "gpt 4o",
      context: 128_000,
      maxOutput: 16_384,
      supports: { tools: true, structuredOutput: true, temperature: true, reasoning: false, vision: true },
      price: { input: 2.5, output: 10, cached: 1.25, asOf: priceList.date },
      ending: { on: "2027-01-14", next: "gpt-6-luna" },
    });
  });

  it("leaves out unknown facts", () => {
    expect(describeModel("openai:gpt-99")).toEqual({
      provider: "openai",
      name: "gpt-99",
      supports: { tools: true, structuredOutput: true },
    });
    expect(describeModel("compatible:qwen3:8b")).toEqual({ provider: "compatible", name: "qwen3:8b", supports: {} });
    expect(describeModel("__proto__:x")).toEqual({ provider: "__proto__", name: "x", supports: {} });
  });

  it("has the size above which a price rises, and the limit that is sent when none is set", () => {
    expect(describeModel("anthropic:claude-sonnet-4-5")).toMatchObject({
      price: { input: 3, output: 15, cached: 0.3, risesAbove: 200_000 },
      unsetMaxTokens: 32_000,
    });
  });

  it("agrees with what a call costs", () => {
    const counts = { input: 1_000, output: 0, cached: 0, cacheWrite: 0, reasoning: 0 };
    for (const { provider, name, price } of listUsualModels()) {
      if (provider !== "openai" && provider !== "anthropic" && provider !== "google") continue;
      expect(price?.input).toBeCloseTo((findPrice(provider, name, counts) ?? 0) * 1000, 6);
    }
  });
});

describe("searchModels", () => {
  const names = (query: string, limit = 100) => searchModels(query, limit).map((one) => `${one.provider}:${one.name}`);

  it("finds by provider, name and label, every word", () => {
    expect(names("claude opus").length).toBeGreaterThan(3);
    expect(names("claude opus").every((name) => /^anthropic:claude-opus/.test(name))).toBe(true);
    expect(names("openai mini").every((name) => /^openai:.*mini/.test(name))).toBe(true);
    expect(names("gemini demo")).toEqual([]);
    expect(names("", 5)).toHaveLength(5);
  });

  it("describes a whole name that no list holds", () => {
    expect(names("openai:gpt-5-2025-08-07")[0]).toBe("openai:gpt-5-2025-08-07");
    expect(searchModels("openai:gpt-5-2025-08-07", 1)[0]).toMatchObject({ context: 400_000 });
    expect(names("absent:x")).toEqual([]);
    expect(names("demo:writer").filter((name) => name === "demo:writer")).toHaveLength(1);
  });

  it("has what connected servers report, before everything else, and leaves room for the others", () => {
    const providers = listProviders({ COMPATIBLE_BASE_URL: "http://127.0.0.1:11434/v1" });
    const models = ["qwen3:8b", "llama3.2", ...Array.from({ length: 80 }, (_, index) => `other-${index}`)];
    const reported = [{ provider: "compatible", host: "127.0.0.1:11434", models }];
    const search = (query: string, limit = 60) =>
      searchModels(query, limit, { providers, reported }).map((one) => `${one.provider}:${one.name}`);
    expect(search("llama")).toEqual(["compatible:llama3.2"]);
    expect(search("11434 qwen")).toEqual(["compatible:qwen3:8b"]);
    expect(search("other-7")[0]).toBe("compatible:other-7");
    expect(searchModels("llama", 1, { providers, reported })).toEqual([
      { provider: "compatible", name: "llama3.2", server: "127.0.0.1:11434", supports: {} },
    ]);
    expect(search("")).toHaveLength(60);
    expect(search("")[0]).toBe("compatible:qwen3:8b");
    expect(new Set(search("").map((name) => name.split(":")[0]))).toEqual(
      new Set(["compatible", "demo", "openai", "anthropic", "google"]),
    );
  });

  it("keeps the day of its prices in step with the package", () => {
    const { version } = JSON.parse(readFileSync("node_modules/@pydantic/genai-prices/package.json", "utf8"));
    expect({ version, date: priceList.date }).toEqual({ version: "0.1.8", date: "2026-09-23" });
  });
});
