import { factsOf } from "../../flow/model-support";
import { countTokens } from "../events/count-tokens";
import { noUsage, type Usage } from "../events/usage";
import type { ModelRequest, ResolvedModel } from "../ports/model";
import type { CallEstimate, CallUse } from "./budget";

/** Assumed tokens of an answer that neither the agent nor the model limits further. */
const usualOutput = 4096;

/** What one call may use, as far as it is known now. */
export interface CallForecast {
  /** Input tokens, estimated from the request's size alone. */
  size: number;
  estimate(): CallEstimate;
}

/** Estimates what calls of a run may use. Estimates grow with what earlier calls of the model used. */
export class CallEstimator {
  readonly #observed = new Map<string, { extraInput: number; largestOutput: number }>();

  /**
   * Input is estimated from the request's size; output from the agent's `max_tokens`, which is certain, or otherwise from
   * the usual maximum of answers.
   */
  forecast(resolvedModel: ResolvedModel, request: ModelRequest): CallForecast {
    const { messages, tools, output_schema: schema, max_tokens: maxTokens } = request;
    const size = countTokens(JSON.stringify([messages, tools, schema ?? null]));
    const usual = Math.min(factsOf(resolvedModel.provider, resolvedModel.name).maxOutput ?? usualOutput, usualOutput);
    const estimate = (): CallEstimate => {
      const { extraInput = 0, largestOutput = 0 } = this.#observed.get(toKey(resolvedModel)) ?? {};
      const input = size + extraInput;
      const most = toUse(resolvedModel, { input, output: maxTokens ?? Math.max(usual, largestOutput) });
      return { most, least: maxTokens === undefined ? toUse(resolvedModel, { input, output: 1 }) : most };
    };
    return { size, estimate };
  }

  /** Learns from the usage of a finished call of this size. */
  observe(resolvedModel: ResolvedModel, size: number, { input, output }: Usage): void {
    const { extraInput = 0, largestOutput = 0 } = this.#observed.get(toKey(resolvedModel)) ?? {};
    this.#observed.set(toKey(resolvedModel), {
      extraInput: Math.max(extraInput, input - size),
      largestOutput: Math.max(largestOutput, output),
    });
  }
}

const toKey = ({ provider, name }: ResolvedModel): string => `${provider}:${name}`;

/**
 * What tokens count for. A cost that the provider does not report is estimated from them; 0 where no price is known. Of a
 * cost of which only a part is known, that part is the least.
 */
export const toUse = (
  { priceOf }: ResolvedModel,
  { input, output, cost, isCostPartial }: Pick<Usage, "input" | "output"> & Partial<Usage>,
): CallUse => {
  const tokens = input + output;
  if (typeof cost === "number" && !isCostPartial) return { tokens, cost };
  return { tokens, cost: Math.max(cost ?? 0, priceOf?.({ input, output }) ?? 0) };
};

/** The assumed usage of a call that was interrupted after its request was sent: its input and the text received. */
export const toInterruptedUse = (resolvedModel: ResolvedModel, input: number, text: string): CallUse =>
  toUse(resolvedModel, { input, output: countTokens(text) });

/** The usage of calls whose provider reported none, of all their tokens; of unknown cost where no price is known. */
export const estimateUsage = (
  resolvedModel: ResolvedModel | null,
  tokens: { input: number; output: number },
  calls = 1,
): Usage => ({
  ...noUsage,
  ...tokens,
  calls,
  cost: resolvedModel?.provider === "demo" ? 0 : (resolvedModel?.priceOf?.(tokens) ?? null),
  estimated: true,
});
