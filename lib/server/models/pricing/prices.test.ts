import { expect, test } from "vitest";
import { findPrice } from "./prices";

const counts = { input: 1000, output: 100, cached: 400, cacheWrite: 200, reasoning: 0 };

test.each([
  ["openai", "gpt-5.6-2099-08-01", "gpt-5.6"],
  ["openai", "gpt-4o-2099-01-01", "gpt-4o"],
  ["anthropic", "claude-sonnet-4-5-20991231", "claude-sonnet-4-5"],
])("%s: the snapshot %s, which the list lacks, has the price of its model", (provider, snapshot, model) => {
  expect(findPrice(provider, model, counts)).toBeGreaterThan(0);
  expect(findPrice(provider, snapshot, counts)).toBe(findPrice(provider, model, counts));
});

test("a snapshot of a model that the list lacks has no price", () => {
  expect(findPrice("openai", "gpt-99-2099-08-01", counts)).toBeNull();
});
