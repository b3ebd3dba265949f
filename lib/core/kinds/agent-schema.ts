import * as z from "zod/mini";
import type { FieldTexts, JsonSchema } from "../flow/flow";
import { isJsonObject } from "../flow/parse-json";
import { agentLimitSchemas, wholeNumber } from "../flow/schemas/run-parameters";
import { agentDefaults, limitEnds, toolCallOrders } from "./agent-defaults";
import "../flow/schemas/zod-locale";

const modelSchema = z.string().check(z.minLength(1), z.maxLength(200));
const toolNamesSchema = z._default(z.array(z.string().check(z.minLength(1))), []);

/** Fields of an agent, under the names that the flow file uses. */
export const agentSchema = z.strictObject({
  model: z.optional(modelSchema),
  instructions: z._default(z.string(), agentDefaults.instructions),
  description: z.optional(z.string()),
  tools: toolNamesSchema,
  /** Missing: `sequential` for the lead and the background agents of an orchestrate swarm, otherwise `parallel`. */
  tool_calls: z.optional(z.enum(toolCallOrders)),
  max_steps: z._default(agentLimitSchemas.max_steps, agentDefaults.max_steps),
  /** Missing: `answer` with `compat: orbiter`, otherwise `fail`. */
  on_limit: z.optional(z.enum(limitEnds)),
  max_retries: z._default(agentLimitSchemas.max_retries, agentDefaults.max_retries),
  loop_threshold: z._default(agentLimitSchemas.loop_threshold, agentDefaults.loop_threshold),
  timeout_seconds: z.optional(z.number().check(z.positive(), z.maximum(86_400))),
  temperature: z.optional(z.number().check(z.minimum(0), z.maximum(2))),
  max_tokens: z.optional(wholeNumber(1, 10_000_000)),
  output_schema: z.optional(z.custom<JsonSchema>(isJsonObject)),
  /** Called once when `model` gave no answer. */
  fallback_model: z.optional(modelSchema),
  /** Tools of `tools` that run only after a user approved the call. */
  needs_approval: toolNamesSchema,
  /** When the conversation is too long for the model: leave out the oldest turns and call it once more. */
  trim_context: z._default(z.boolean(), agentDefaults.trim_context),
  /** Whether it receives the messages from before the run. */
  use_history: z._default(z.boolean(), agentDefaults.use_history),
});

/** An agent with these fields, and the defaults of all others. Throws a ZodError for a wrong field. */
export const createAgent = (
  name: string,
  fields: z.input<typeof agentSchema> = {},
): z.infer<typeof agentSchema> & FieldTexts & { type: "agent"; name: string } => ({
  type: "agent",
  ...agentSchema.parse(fields),
  name,
});
