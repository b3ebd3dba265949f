import type { JsonSchema } from "../flow/flow";
import type { CheckPattern } from "../flow/problem";

/** A provider as the app offers it. */
export interface ProviderOffer {
  id: string;
  label: string;
  /** Whether a run could ask it now. */
  available: boolean;
  /** What must be set to make it available, e.g. `OPENAI_API_KEY`. */
  missing?: string;
  /** Model names to suggest. */
  models: readonly string[];
  /** Whether its models cost nothing, have prices in a list (those of `models` do), or have no known price. */
  prices?: "free" | "listed" | "unknown";
  /** Whether a model outside `models` is refused; else it is only pointed out. */
  missingModelIsError?: boolean;
}

/** A tool as the app offers it. */
export interface ToolOffer {
  name: string;
  description: string;
  /** Whether it would work now. */
  available: boolean;
  /** What must be set to make it work, e.g. `SEARXNG_URL`. */
  missing?: string;
  /** The JSON Schema of its arguments. */
  parameters?: JsonSchema;
}

/** What there is to run with. A missing part is not checked. */
export interface Offer {
  tools?: readonly string[];
  providers?: readonly ProviderOffer[];
  /** `findPatternMistake`, or a way to it: what reads patterns is large. */
  checkPattern?: CheckPattern;
  /** Whether a `provider:model` has a known price; null while that is not known. */
  isPriced?: (model: string) => boolean | null;
  /** What a run may cost at most here, whatever its flow allows, in US dollars. */
  costCeiling?: number | undefined;
}
