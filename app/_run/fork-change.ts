/** What a step of a run got instead of what it would have got. */
export interface ForkChange {
  model: string | null;
  hasInput: boolean;
  hasInstructions: boolean;
}

/** The changes in words, e.g. `model demo:critic, other input`; empty: none. */
export const describeChange = ({ model, hasInput, hasInstructions }: ForkChange): string =>
  [model !== null && `model ${model}`, hasInput && "other input", hasInstructions && "other instructions"]
    .filter((change) => change !== false)
    .join(", ");
