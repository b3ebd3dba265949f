/** A cost in US dollars. */
export interface Cost {
  /** Null: nothing of it is known, which is not 0. */
  cost: number | null;
  /** Set where other parts of a sum are unknown: it is at least `cost`. */
  isCostPartial?: true | undefined;
}

/**
 * The usage of model calls. Tokens are counts; `cached` is the share of `input` read from a cache, `reasoning` the share
 * of `output` spent on thinking.
 */
export interface Usage extends Cost {
  input: number;
  output: number;
  cached: number;
  reasoning: number;
  /** Number of model calls. */
  calls: number;
  /** True if any count is an estimate instead of a provider's report. */
  estimated: boolean;
}

export const noUsage: Usage = { input: 0, output: 0, cached: 0, reasoning: 0, calls: 0, cost: 0, estimated: false };

/** A sum of which `known` dollars are known. */
export function toCost(known: number, hasUnknown: boolean): Cost {
  if (!hasUnknown) return { cost: known };
  return known === 0 ? { cost: null } : { cost: known, isCostPartial: true };
}

export const hasUnknownCost = ({ cost, isCostPartial }: Cost): boolean => cost === null || isCostPartial === true;

export const addCosts = (a: Cost, b: Cost): Cost =>
  toCost((a.cost ?? 0) + (b.cost ?? 0), hasUnknownCost(a) || hasUnknownCost(b));

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cached: a.cached + b.cached,
    reasoning: a.reasoning + b.reasoning,
    calls: a.calls + b.calls,
    ...addCosts(a, b),
    estimated: a.estimated || b.estimated,
  };
}
