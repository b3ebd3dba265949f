import * as z from "zod/mini";
import type { FieldTexts, JsonSchema } from "../flow/flow";
import "../flow/zod-locale";

declare module "../flow/flow" {
  interface DeclarationTypes {
    agent: Agent;
  }
}

export const agentDefaults = { max_steps: 10, max_retries: 3, loop_threshold: 3 } as const;

const wholeNumber = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most));
const modelSchema = z.string().check(z.minLength(1), z.maxLength(200));
const toolNamesSchema = z._default(z.array(z.string().check(z.minLength(1))), []);

/** Fields of an agent, under the names that the flow file uses. */
export const agentSchema = z.strictObject({
  model: z.optional(modelSchema),
  instructions: z._default(z.string(), ""),
  description: z.optional(z.string()),
  tools: toolNamesSchema,
  max_steps: z._default(wholeNumber(1, 1000), agentDefaults.max_steps),
  max_retries: z._default(wholeNumber(0, 20), agentDefaults.max_retries),
  loop_threshold: z._default(wholeNumber(1, 100), agentDefaults.loop_threshold),
  timeout_seconds: z.optional(z.number().check(z.positive(), z.maximum(86_400))),
  temperature: z.optional(z.number().check(z.minimum(0), z.maximum(2))),
  max_tokens: z.optional(wholeNumber(1, 10_000_000)),
  output_schema: z.optional(
    z.custom<JsonSchema>((value) => typeof value === "object" && value !== null && !Array.isArray(value)),
  ),
  /** Called once when `model` gave no answer. */
  fallback_model: z.optional(modelSchema),
  /** Tools of `tools` that run only after a user approved the call. */
  needs_approval: toolNamesSchema,
  /** When the conversation is too long for the model: leave out the oldest turns and call it once more. */
  trim_context: z._default(z.boolean(), false),
  /** Whether it receives the messages from before the run. */
  use_history: z._default(z.boolean(), true),
});

/** A model with instructions and tools that runs the tool-calling loop. */
export type Agent = z.infer<typeof agentSchema> & FieldTexts & { type: "agent"; name: string };

/** An agent with these fields, and the defaults of all others. Throws a ZodError for a wrong field. */
export const createAgent = (name: string, fields: z.input<typeof agentSchema> = {}): Agent => ({
  type: "agent",
  ...agentSchema.parse(fields),
  name,
});
