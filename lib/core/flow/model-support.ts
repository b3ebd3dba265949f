import * as z from "zod/mini";

const capability = z.optional(z.boolean());

/** The known capabilities of a model. A missing field is unknown: nothing is guessed. */
const modelSupportSchema = z.object({
  tools: capability,
  /** Answers by a JSON Schema that the provider enforces. */
  structuredOutput: capability,
  temperature: capability,
  reasoning: capability,
  vision: capability,
});
export type ModelSupport = z.infer<typeof modelSupportSchema>;

const modelFactsSchema = z.object({
  supports: modelSupportSchema,
  /** Maximum tokens of one answer. */
  maxOutput: z.optional(z.number()),
  /** The highest accepted temperature, where that is below 2. */
  highestTemperature: z.optional(z.number()),
});
export type ModelFacts = z.infer<typeof modelFactsSchema>;

/** US dollars per million tokens. */
const modelPriceSchema = z.object({
  input: z.number(),
  output: z.number(),
  /** Input that the provider had cached. */
  cached: z.optional(z.number()),
  /** The day of the price list, e.g. 2026-09-23. */
  asOf: z.string(),
  /** Prompts of more tokens cost more. */
  risesAbove: z.optional(z.number()),
});
export type ModelPrice = z.infer<typeof modelPriceSchema>;

/** A model that the app offers: its known facts and its price. */
export const modelOfferSchema = z.extend(modelFactsSchema, {
  provider: z.string(),
  name: z.string(),
  /** The display name of its maker. */
  label: z.optional(z.string()),
  /** Tokens of input and output together. */
  context: z.optional(z.number()),
  price: z.optional(modelPriceSchema),
  /** Sent as the limit of an answer when the flow sets none; missing: no limit is sent. */
  unsetMaxTokens: z.optional(z.number()),
});
export type ModelOffer = z.infer<typeof modelOfferSchema>;

/** A family of models by a pattern of their names. The first match counts. */
interface Family {
  provider: string;
  names: RegExp;
  facts: ModelFacts;
}

const all = { tools: true, structuredOutput: true, temperature: true, vision: true };
const thinking = { tools: true, structuredOutput: true, temperature: false, reasoning: true, vision: true };

/**
 * From the providers' own documents, as of October 2026: OpenAI's model pages and its guide to reasoning models,
 * Anthropic's model overview, its notes on structured outputs and on what Claude Opus 4.7 and later refuse, Google's
 * Gemini model pages.
 */
const families: readonly Family[] = [
  {
    provider: "openai",
    names: /^o1-(?:mini|preview)/,
    facts: { supports: { tools: false, structuredOutput: false, temperature: false, reasoning: true, vision: false } },
  },
  { provider: "openai", names: /^o3-mini/, facts: { supports: { ...thinking, vision: false }, maxOutput: 100_000 } },
  { provider: "openai", names: /^(?:o1|o3|o4-mini)(?:-|$)/, facts: { supports: thinking, maxOutput: 100_000 } },
  {
    provider: "openai",
    names: /^gpt-5(?:-mini|-nano)?(?:-\d|$)/,
    facts: { supports: thinking, maxOutput: 128_000 },
  },
  { provider: "openai", names: /^gpt-4\.1/, facts: { supports: { ...all, reasoning: false }, maxOutput: 32_768 } },
  { provider: "openai", names: /^gpt-4o-2024-05-13/, facts: { supports: { ...all, structuredOutput: false } } },
  {
    provider: "openai",
    names: /^gpt-4o(?:-mini)?(?:-\d|$)/,
    facts: { supports: { ...all, reasoning: false }, maxOutput: 16_384 },
  },
  {
    provider: "openai",
    names: /^gpt-(?:4-turbo|4|3\.5-turbo)(?:-\d|$)/,
    facts: { supports: { tools: true, structuredOutput: false, temperature: true, reasoning: false } },
  },
  { provider: "openai", names: /^gpt-(?:[5-9])/, facts: { supports: { tools: true, structuredOutput: true } } },
  {
    provider: "anthropic",
    names: /^claude-(?:3-5|3\.5)/,
    facts: claude({ structuredOutput: false, temperature: true, reasoning: false }, 8192),
  },
  {
    provider: "anthropic",
    names: /^claude-(?:3-7|3\.7)/,
    facts: claude({ structuredOutput: false, temperature: true, reasoning: true }, 64_000),
  },
  {
    provider: "anthropic",
    names: /^claude-3-/,
    facts: claude({ structuredOutput: false, temperature: true, reasoning: false }, 4096),
  },
  {
    provider: "anthropic",
    names: /^claude-(?:opus|sonnet)-4(?:-0)?(?:-\d{8}|$)/,
    facts: claude({ structuredOutput: false, temperature: true, reasoning: true }),
  },
  {
    provider: "anthropic",
    names: /^claude-opus-4-1/,
    facts: claude({ structuredOutput: true, temperature: true, reasoning: true }, 32_000),
  },
  {
    provider: "anthropic",
    names: /^claude-(?:opus-4-5|sonnet-4-[56]|haiku-4-5)/,
    facts: claude({ structuredOutput: true, temperature: true, reasoning: true }, 64_000),
  },
  {
    provider: "anthropic",
    names: /^claude-opus-4-6/,
    facts: claude({ structuredOutput: true, temperature: true, reasoning: true }, 128_000),
  },
  {
    provider: "anthropic",
    names: /^claude-(?:opus-4-[78]|[a-z]+-5)/,
    facts: claude({ structuredOutput: true, temperature: false, reasoning: true }),
  },
  { provider: "google", names: /^gemini-2\.0/, facts: { supports: { ...all, reasoning: false }, maxOutput: 8192 } },
  { provider: "google", names: /^gemini-2\.5/, facts: { supports: { ...all, reasoning: true }, maxOutput: 65_536 } },
  { provider: "google", names: /^gemini-[3-9]/, facts: { supports: { ...all, reasoning: true } } },
  { provider: "demo", names: /^/, facts: { supports: { tools: true, structuredOutput: true } } },
];

function claude(supports: ModelSupport, maxOutput?: number): ModelFacts {
  return {
    supports: { tools: true, vision: true, ...supports },
    ...(maxOutput !== undefined && { maxOutput }),
    ...(supports.temperature && { highestTemperature: 1 }),
  };
}

const nothing: ModelFacts = { supports: {} };

/** The known facts of a model. `name`: without the provider and its colon. */
export const factsOf = (provider: string, name: string): ModelFacts =>
  families.find((family) => family.provider === provider && family.names.test(name))?.facts ?? nothing;
