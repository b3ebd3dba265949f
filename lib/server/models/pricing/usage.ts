import "server-only";
import type { Usage } from "@/lib/core/run/events/usage";

/** Tokens as a provider counted them; `cached` and `cacheWrite` are parts of `input`, `reasoning` is part of `output`. */
export interface TokenCounts {
  input: number;
  output: number;
  cached: number;
  cacheWrite: number;
  reasoning: number;
}

/** Characters to guess tokens from, where a provider counted none. */
export interface TextLengths {
  sentLength: number;
  answeredLength: number;
}

/** The usage of one call. What was guessed (four characters to a token) is marked, and its cost is unknown. */
export function toUsage(counted: TokenCounts | TextLengths, priceOf: (counts: TokenCounts) => number | null): Usage {
  if ("sentLength" in counted) {
    const input = Math.ceil(counted.sentLength / 4);
    const output = Math.ceil(counted.answeredLength / 4);
    return { input, output, cached: 0, reasoning: 0, calls: 1, cost: null, estimated: true };
  }
  const { input, output, cached, reasoning } = counted;
  return { input, output, cached, reasoning, calls: 1, cost: priceOf(counted), estimated: false };
}
