import "server-only";
import type { Usage } from "@/lib/core/run/events/usage";

/** Tokens as a provider counted them; `cached` and `cacheWrite` are parts of `input`, `reasoning` is part of `output`. */
export interface Counts {
  input: number;
  output: number;
  cached: number;
  cacheWrite: number;
  reasoning: number;
}

/** Characters to guess tokens from, where a provider counted none. */
export interface Lengths {
  sentLength: number;
  answeredLength: number;
}

/** The usage of one call. What was guessed (four characters to a token) is marked, and its cost is unknown. */
export function toUsage(known: Counts | Lengths, priceOf: (counts: Counts) => number | null): Usage {
  if ("sentLength" in known) {
    const input = Math.ceil(known.sentLength / 4);
    const output = Math.ceil(known.answeredLength / 4);
    return { input, output, cached: 0, reasoning: 0, calls: 1, cost: null, estimated: true };
  }
  const { input, output, cached, reasoning } = known;
  return { input, output, cached, reasoning, calls: 1, cost: priceOf(known), estimated: false };
}
