import { describe, expect, it } from "vitest";
import { createModelPort, isPricedIn, listProviders } from "./model-port";
import { defaultMaxTokens, suggestModels } from "./pricing/catalogue";
import { findPrice } from "./pricing/prices";

const everything = {
  OPENAI_API_KEY: "sk-a",
  ANTHROPIC_API_KEY: "sk-b",
  GEMINI_API_KEY: "AIza-c",
  COMPATIBLE_BASE_URL: "http://127.0.0.1:1/v1",
  SWARMLOOM_DEMO_SPEED: 0,
};

describe("providers", () => {
  it("tell without a key what is missing", () => {
    expect(listProviders({}).map(({ id, available, missing }) => [id, available, missing])).toEqual([
      ["demo", true, undefined],
      ["openai", false, "OPENAI_API_KEY"],
      ["anthropic", false, "ANTHROPIC_API_KEY"],
      ["google", false, "GEMINI_API_KEY"],
      ["compatible", false, "COMPATIBLE_BASE_URL"],
    ]);
    expect(listProviders(everything).every(({ available, missing }) => available && missing === undefined)).toBe(true);
    expect(listProviders({ OPENAI_API_KEY: "", OPENAI_BASE_URL: "http://x" })[1]?.available).toBe(false);
  });

  it("never show a key", () => {
    expect(JSON.stringify(listProviders(everything))).not.toMatch(/sk-|AIza/);
  });

  it.each([
    ["demo:anything", "demo", "anything"],
    ["openai:gpt-x:beta", "openai", "gpt-x:beta"],
    ["gpt-x", "openai", "gpt-x"],
    ["anthropic:claude-x", "anthropic", "claude-x"],
    ["google:gemini-x", "google", "gemini-x"],
    ["compatible:llama3.2:3b", "compatible", "llama3.2:3b"],
  ])("find %s", (text, provider, name) => {
    expect(createModelPort(everything).find(text)).toMatchObject({ provider, name });
  });

  it.each(["", "demo:", "absent:x", "__proto__:x", "constructor:x", ":x"])("find nothing for %j", (text) => {
    expect(createModelPort(everything).find(text)).toBeNull();
  });

  it("find no model without its key", () => {
    expect(createModelPort({}).find("openai:gpt-x")).toBeNull();
    expect(createModelPort({}).find("demo:x")).not.toBeNull();
  });
});

describe("prices of models before a run", () => {
  const port = createModelPort(everything);
  const model = suggestModels("openai")[0] ?? "";

  it("are those that a call is charged by", () => {
    const counts = { input: 1000, output: 500, cached: 0, cacheWrite: 0, reasoning: 0 };
    const price = port.find(`openai:${model}`)?.priceOf?.({ input: 1000, output: 500 });
    expect(price).toBe(findPrice("openai", model, counts));
    expect(price).toBeGreaterThan(0);
    expect(port.find("demo:x")?.priceOf?.({ input: 1000, output: 500 })).toBe(0);
    expect(port.find("compatible:x")?.priceOf?.({ input: 1000, output: 500 })).toBeNull();
  });

  it("are known for a provider's own service only", () => {
    const elsewhere = { ...everything, OPENAI_BASE_URL: "http://127.0.0.1:1/v1" };
    const questions = [`openai:${model}`, "openai:gpt-nothing", "demo:x", "compatible:x", "absent:x", "openai:"];
    expect(questions.map((text) => isPricedIn(everything, text))).toEqual([true, false, true, false, null, null]);
    expect(isPricedIn(elsewhere, `openai:${model}`)).toBe(false);
    expect(listProviders(elsewhere).map(({ id, prices }) => [id, prices])).toEqual([
      ["demo", "free"],
      ["openai", "unknown"],
      ["anthropic", "listed"],
      ["google", "listed"],
      ["compatible", "unknown"],
    ]);
  });
});

describe("the catalogue", () => {
  it.each(["openai", "anthropic", "google"] as const)(
    "suggests models of %s to chat with, each with a price",
    (provider) => {
      const models = suggestModels(provider);
      expect(models.length).toBeGreaterThan(5);
      expect(new Set(models).size).toBe(models.length);
      const counts = { input: 1000, output: 100, cached: 0, cacheWrite: 0, reasoning: 0 };
      for (const model of models) {
        expect(model).not.toMatch(/image|audio|embed|realtime|live|tts/);
        expect(findPrice(provider, model, counts)).toBeGreaterThan(0);
      }
    },
  );

  it("keeps within the output limits of old models", () => {
    expect(defaultMaxTokens("claude-3-haiku-20240307")).toBe(4096);
    expect(defaultMaxTokens("claude-3-5-sonnet-latest")).toBe(8192);
    expect(defaultMaxTokens("claude-sonnet-5")).toBe(32_000);
  });
});

describe("findPrice", () => {
  const counts = { input: 1000, output: 100, cached: 400, cacheWrite: 0, reasoning: 0 };

  it("counts cached input for less", () => {
    const cached = findPrice("openai", "gpt-5.2", counts) ?? Number.NaN;
    expect(cached).toBeCloseTo((600 * 1.75 + 400 * 0.175 + 100 * 14) / 1e6, 10);
    expect(cached).toBeLessThan(findPrice("openai", "gpt-5.2", { ...counts, cached: 0 }) ?? 0);
  });

  it.each(["", "my-own-model", "__proto__", "llama3"])("does not know the price of %j", (model) => {
    expect(findPrice("openai", model, counts)).toBeNull();
  });

  it("survives counts that contradict each other", () => {
    expect(findPrice("openai", "gpt-5.2", { ...counts, input: 0, cached: 9, cacheWrite: 9 })).not.toBeNaN();
  });
});
