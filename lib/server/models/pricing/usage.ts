import "server-only";
import { noUsage, type Usage } from "@/lib/core/run/events/usage";

/** Tokens as a provider counted them; `cached` and `cacheWrite` are parts of `input`, `reasoning` is part of `output`. */
export type TokenCounts = Pick<Usage, "input" | "output" | "cached" | "reasoning"> & { cacheWrite: number };

/** The usage of one call as its provider counted it; `cost` null: unknown. */
export const toUsage = ({ cacheWrite: _, ...counts }: TokenCounts, cost: number | null): Usage => ({
  ...noUsage,
  ...counts,
  calls: 1,
  cost,
});

/** The usage of one call of which no tokens were counted, by its UTF-16 units: four to a token. Marked, its cost unknown. */
export const estimateUsage = (sentLength: number, answeredLength: number): Usage => ({
  ...noUsage,
  input: Math.ceil(sentLength / 4),
  output: Math.ceil(answeredLength / 4),
  calls: 1,
  cost: null,
  estimated: true,
});
