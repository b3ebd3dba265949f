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
  /** The connected server that reports it, e.g. `127.0.0.1:11434`. */
  server: z.optional(z.string()),
  /** Tokens of input and output together. */
  context: z.optional(z.number()),
  price: z.optional(modelPriceSchema),
  /** The last day on which its provider serves it, `YYYY-MM-DD`, and what it names in its place; missing: none is announced. */
  ending: z.optional(z.object({ on: z.string(), next: z.optional(z.string()) })),
  /** Sent as the limit of an answer when the flow sets none; missing: no limit is sent. */
  unsetMaxTokens: z.optional(z.number()),
});
export type ModelOffer = z.infer<typeof modelOfferSchema>;

/** A family of models by a pattern of their names. */
type Family = readonly [names: RegExp, facts: ModelFacts];

const all = { tools: true, structuredOutput: true, temperature: true, vision: true };
const withoutReasoning = { ...all, reasoning: false };
const thinking = { tools: true, structuredOutput: true, temperature: false, reasoning: true, vision: true };
const withTools = { tools: true, structuredOutput: true };

/** Models of Anthropic take temperatures of 0 to 1, or none. */
const claude = (supports: ModelSupport, maxOutput?: number): ModelFacts => ({
  supports: { ...all, reasoning: true, ...supports },
  ...(maxOutput !== undefined && { maxOutput }),
  ...(supports.temperature !== false && { highestTemperature: 1 }),
});

/**
 * By provider; the first match counts. From the providers' own documents, as of October 2026: OpenAI's model pages and its
 * guide to reasoning models, Anthropic's model overview, its notes on structured outputs and on what Claude Opus 4.7 and
 * later refuse, Google's Gemini model pages.
 */
const families = new Map(
  Object.entries<readonly Family[]>({
    openai: [
      [/^o1-(?:mini|preview)/, { supports: { ...thinking, tools: false, structuredOutput: false, vision: false } }],
      [/^o3-mini/, { supports: { ...thinking, vision: false }, maxOutput: 100_000 }],
      [/^(?:o1|o3|o4-mini)(?:-|$)/, { supports: thinking, maxOutput: 100_000 }],
      [/^gpt-5(?:-mini|-nano)?(?:-\d|$)/, { supports: thinking, maxOutput: 128_000 }],
      [/^gpt-4\.1/, { supports: withoutReasoning, maxOutput: 32_768 }],
      [/^gpt-4o-2024-05-13/, { supports: { ...all, structuredOutput: false } }],
      [/^gpt-4o(?:-mini)?(?:-\d|$)/, { supports: withoutReasoning, maxOutput: 16_384 }],
      [
        /^gpt-(?:4-turbo|4|3\.5-turbo)(?:-\d|$)/,
        { supports: { tools: true, structuredOutput: false, temperature: true, reasoning: false } },
      ],
      [/^gpt-(?:[5-9])/, { supports: withTools }],
    ],
    anthropic: [
      [/^claude-(?:3-5|3\.5)/, claude({ structuredOutput: false, reasoning: false }, 8192)],
      [/^claude-(?:3-7|3\.7)/, claude({ structuredOutput: false }, 64_000)],
      [/^claude-3-/, claude({ structuredOutput: false, reasoning: false }, 4096)],
      [/^claude-(?:opus|sonnet)-4(?:-0)?(?:-\d{8}|$)/, claude({ structuredOutput: false })],
      [/^claude-opus-4-1/, claude({}, 32_000)],
      [/^claude-(?:opus-4-5|sonnet-4-[56]|haiku-4-5)/, claude({}, 64_000)],
      [/^claude-opus-4-6/, claude({}, 128_000)],
      [/^claude-(?:opus-4-[78]|[a-z]+-5)/, claude({ temperature: false })],
    ],
    google: [
      [/^gemini-2\.0/, { supports: withoutReasoning, maxOutput: 8192 }],
      [/^gemini-2\.5/, { supports: { ...all, reasoning: true }, maxOutput: 65_536 }],
      [/^gemini-[3-9]/, { supports: { ...all, reasoning: true } }],
    ],
    demo: [[/^/, { supports: withTools }]],
  }),
);

const nothing: ModelFacts = { supports: {} };

/** The known facts of a model. `name`: without the provider and its colon. */
export const factsOf = (provider: string, name: string): ModelFacts =>
  families.get(provider)?.find(([names]) => names.test(name))?.[1] ?? nothing;
