/**
 * The usage of model calls. Tokens are counts; `cached` is the share of `input` read from a cache, `reasoning` the share
 * of `output` spent on thinking. `cost` is in US dollars; null means unknown, which is not 0 and makes a sum unknown.
 */
export interface Usage {
  input: number;
  output: number;
  cached: number;
  reasoning: number;
  /** Number of model calls. */
  calls: number;
  cost: number | null;
  /** True if any count is an estimate instead of a provider's report. */
  estimated: boolean;
}

export const noUsage: Usage = { input: 0, output: 0, cached: 0, reasoning: 0, calls: 0, cost: 0, estimated: false };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cached: a.cached + b.cached,
    reasoning: a.reasoning + b.reasoning,
    calls: a.calls + b.calls,
    cost: a.cost === null || b.cost === null ? null : a.cost + b.cost,
    estimated: a.estimated || b.estimated,
  };
}
