import { factsOf } from "../../flow/model-support";
import type { Usage } from "../events/usage";
import type { ModelRequest, ResolvedModel } from "../ports/model";
import type { CallEstimate, CallUse } from "./budget";

/** Tokens that an answer is taken to have when no limit of the agent or the model says less. */
const usualOutput = 4096;

/** UTF-8 bytes of a token, as a rule of thumb; it also holds roughly for scripts of several bytes a character. */
const bytesOfToken = 4;

const encoder = new TextEncoder();
const countTokens = (text: string): number => Math.ceil(encoder.encode(text).length / bytesOfToken);

/** The cost of tokens; 0 where no price is known. */
const toCost = ({ priceOf }: ResolvedModel, input: number, output: number): number => priceOf?.({ input, output }) ?? 0;

/** What one call may use, by what is known at the moment. */
export interface CallForecast {
  /** The input tokens by the request's size alone. */
  size: number;
  estimate(): CallEstimate;
}

/** What calls of a run may use. Estimates grow with what earlier calls of the model used. */
export class CallEstimator {
  readonly #observed = new Map<string, { extraInput: number; largestOutput: number }>();

  /**
   * Its input by the request's size; its output by the agent's `max_tokens`, which is certain, else by what answers
   * usually need at most.
   */
  forecast(found: ResolvedModel, request: ModelRequest): CallForecast {
    const { messages, tools, output_schema: schema, max_tokens: maxTokens } = request;
    const size = countTokens(JSON.stringify([messages, tools, schema ?? null]));
    const usual = Math.min(factsOf(found.provider, found.name).maxOutput ?? usualOutput, usualOutput);
    const estimate = (): CallEstimate => {
      const { extraInput = 0, largestOutput = 0 } = this.#observed.get(toKey(found)) ?? {};
      const input = size + extraInput;
      const toUse = (output: number): CallUse => ({ tokens: input + output, cost: toCost(found, input, output) });
      const most = toUse(maxTokens ?? Math.max(usual, largestOutput));
      return { most, least: maxTokens === undefined ? toUse(1) : most };
    };
    return { size, estimate };
  }

  /** What a call of this size used. */
  observe(found: ResolvedModel, size: number, { input, output }: Usage): void {
    const { extraInput = 0, largestOutput = 0 } = this.#observed.get(toKey(found)) ?? {};
    this.#observed.set(toKey(found), {
      extraInput: Math.max(extraInput, input - size),
      largestOutput: Math.max(largestOutput, output),
    });
  }
}

const toKey = ({ provider, name }: ResolvedModel): string => `${provider}:${name}`;

/** What a call that has an answer used. A cost that the provider's counts do not give is computed from their estimate. */
export const toUse = (found: ResolvedModel, { input, output, cost }: Usage): CallUse => ({
  tokens: input + output,
  cost: cost ?? toCost(found, input, output),
});

/** What a call is taken to have used that was interrupted after its request went out: the input, and the text that came. */
export function toInterruptedUse(found: ResolvedModel, input: number, text: string): CallUse {
  const output = countTokens(text);
  return { tokens: input + output, cost: toCost(found, input, output) };
}
