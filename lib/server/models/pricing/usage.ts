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

/** The usage of one call as its provider counted it; `cost` null: unknown. */
export const toUsage = ({ input, output, cached, reasoning }: TokenCounts, cost: number | null): Usage => ({
  input,
  output,
  cached,
  reasoning,
  calls: 1,
  cost,
  estimated: false,
});

/** The usage of one call of which no tokens were counted, by its UTF-16 units: four to a token. Marked, its cost unknown. */
export const estimateUsage = (sentLength: number, answeredLength: number): Usage => ({
  input: Math.ceil(sentLength / 4),
  output: Math.ceil(answeredLength / 4),
  cached: 0,
  reasoning: 0,
  calls: 1,
  cost: null,
  estimated: true,
});
