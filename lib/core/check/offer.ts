import type { JsonSchema } from "../flow/flow";
import type { CheckPattern } from "../flow/problem";

/** A model provider and its availability. */
export interface ProviderOffer {
  id: string;
  label: string;
  /** Whether a run can call it now. */
  available: boolean;
  /** What must be set to make it available, e.g. `OPENAI_API_KEY`. */
  missing?: string;
  /** Why what was entered for it cannot be used, in one sentence. */
  problem?: string;
  /** Model names to suggest. */
  models: readonly string[];
  /** Whether its models cost nothing, have prices in a list (those of `models` do), or have no known price. */
  prices?: "free" | "listed" | "unknown";
  /** Whether a model outside `models` is refused; else it is a warning. */
  missingModelIsError?: boolean;
  /** Models that it has stopped serving, or will soon. */
  endings?: readonly ModelEnding[];
}

/** The announced end of a model. */
export interface ModelEnding {
  /** Its name, without the date of a snapshot. */
  model: string;
  /** The last day on which it is served, `YYYY-MM-DD`. */
  on: string;
  /** That day has passed. */
  isOver: boolean;
  /** What its provider names in its place. */
  next?: string;
}

/** A tool and its availability. */
export interface ToolOffer {
  name: string;
  description: string;
  /** Whether it works now. */
  available: boolean;
  /** What must be set to make it work, e.g. `SEARXNG_URL`. */
  missing?: string;
  /** An Admin of the team has switched it off: a flow with it does not run. */
  isSwitchedOff?: true;
  /** The JSON Schema of its arguments. */
  parameters?: JsonSchema;
}

/** The fields of an offer that tell about tools. */
export const toOfferedTools = (tools: readonly ToolOffer[]) => ({
  tools: tools.map(({ name }) => name),
  switchedOffTools: tools.filter(({ isSwitchedOff }) => isSwitchedOff).map(({ name }) => name),
  unavailableTools: tools.flatMap(({ name, missing }) => (missing === undefined ? [] : [{ name, missing }])),
});

/** The models, tools and prices that are available to a run. A missing field is not checked. */
export interface Offer {
  tools?: readonly string[];
  /** Those of them that no run may use here. */
  switchedOffTools?: readonly string[];
  /** Those of them that do not work now, with what must be set first, e.g. `SEARXNG_URL`. */
  unavailableTools?: readonly { name: string; missing: string }[];
  providers?: readonly ProviderOffer[];
  /** `findPatternMistake`, or a way to it: what reads patterns is large. */
  checkPattern?: CheckPattern;
  /** Whether a `provider:model` has a known price; null while that is not known. */
  isPriced?: (model: string) => boolean | null;
  /** What a run may cost at most here, whatever its flow allows, in US dollars. */
  costCeiling?: number | undefined;
}
