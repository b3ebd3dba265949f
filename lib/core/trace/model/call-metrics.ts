import type { Usage } from "../../run/events/usage";
import type { RunNode } from "./run-state";

/** How long the model took to its first word after the request went out, in milliseconds; null: it never spoke. */
export function toFirstTokenMs({ startedAt, firstTokenAt, request }: RunNode): number | null {
  if (firstTokenAt === undefined) return null;
  // Runs of before this was recorded know only when the step began, waits and failed attempts included.
  return Math.max(0, firstTokenAt - Math.max(startedAt, request?.at ?? startedAt));
}

/** Output tokens a second from the first one to the end; null: unknown, or too short to measure. */
export function toTokensPerSecond({ kind, firstTokenAt, endedAt, usage }: RunNode): number | null {
  if (kind !== "llm_call" || firstTokenAt === undefined || endedAt === undefined || usage.output === 0) return null;
  const ms = endedAt - firstTokenAt;
  return ms > 0 ? (usage.output * 1000) / ms : null;
}

/** Tokens of a kind that has a price of its own. */
export interface TokenClass {
  name: "input" | "cached" | "output" | "reasoning";
  tokens: number;
}

/** The four classes, which add up to all tokens: cached ones are no plain input, and thinking is no plain output. */
export function toTokenClasses({ input, cached, output, reasoning }: Usage): TokenClass[] {
  return [
    { name: "input", tokens: Math.max(0, input - cached) },
    { name: "cached", tokens: Math.min(cached, input) },
    { name: "output", tokens: Math.max(0, output - reasoning) },
    { name: "reasoning", tokens: Math.min(reasoning, output) },
  ];
}
