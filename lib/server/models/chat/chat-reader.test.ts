import { expect, test } from "vitest";
import { findPrice } from "../pricing/prices";
import { ChatReader } from "./chat-reader";

const million = 1_000_000;

/** The counts of a stream whose last chunk has this usage. */
function readCounts(usage: object) {
  const reader = new ChatReader(1, { tolerant: false, textCalls: null });
  reader.read({ choices: [{ delta: { content: "ok" }, finish_reason: "stop" }] });
  reader.read({ choices: [], usage: JSON.parse(JSON.stringify(usage)) });
  const answer = reader.finish().find((event) => event.type === "answer");
  return answer?.counts ?? null;
}

test("tokens that are written to the cache are counted, and cost what the list has for them", () => {
  const counts = readCounts({
    prompt_tokens: 200_000,
    completion_tokens: 0,
    prompt_tokens_details: { cached_tokens: 50_000, cache_write_tokens: 100_000 },
  });
  expect(counts).toEqual({ input: 200_000, output: 0, cached: 50_000, cacheWrite: 100_000, reasoning: 0 });
  // $4 a million for input, a tenth of it for what was read from the cache, 1.25 times as much for what was written to it.
  const expected = (50_000 * 4 + 50_000 * 0.4 + 100_000 * 5) / million;
  expect(counts && findPrice("openai", "gpt-5.6", counts)).toBeCloseTo(expected, 9);
});

test("without a word of the cache nothing was written to it", () => {
  expect(readCounts({ prompt_tokens: 7, completion_tokens: 1 })).toMatchObject({ cached: 0, cacheWrite: 0 });
});
