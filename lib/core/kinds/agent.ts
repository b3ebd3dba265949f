import * as z from "zod/mini";
import type { AgentField } from "../flow/edit";
import type { FieldTexts, JsonSchema } from "../flow/flow";
import { parseModel } from "../flow/model-name";
import { isJsonObject } from "../flow/parse-json";
import { toShownTools } from "./card-content";
import { addDeclaration, defineKind } from "./define-kind";
import { searchField, searchFieldsOf } from "./search-field";
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
  output_schema: z.optional(z.custom<JsonSchema>(isJsonObject)),
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

const isAgentField = (field: string): field is AgentField => Object.hasOwn(agentSchema.shape, field);
export const agentFields: readonly AgentField[] = Object.keys(agentSchema.shape).filter(isAgentField);

/** More characters than a card has room for. */
const shownInstructions = 240;

export const agentKind = defineKind<Agent>({
  type: "agent",
  article: "an",
  section: "agents",
  fields: agentFields,
  otherFields: ["name", "system_prompt"],
  isAlwaysWritten: true,
  mayBeListed: true,
  promptFields: ["instructions", "system_prompt"],
  title: (name) => `agent "${name}"`,
  collection: ({ agents }) => agents,
  declare: ({ agents }, agent) => addDeclaration(agents, agent),
  create: (name) => createAgent(name),
  read(reader) {
    const fields = reader.schemaFields<AgentField>(agentSchema.shape, {
      texts: ["model", "fallback_model", "instructions", "description"],
      prose: ["description"],
      unfilled: ["instructions"],
      aliases: { system_prompt: "instructions" },
    });
    return { type: "agent", ...agentSchema.parse(fields), ...reader.fieldTexts(), name: reader.name };
  },
  write({ name: _name, type: _type, written: _written, ...fields }) {
    const { model, description, instructions, tools, max_steps, max_retries, loop_threshold, ...otherFields } = fields;
    const { needs_approval, trim_context, use_history, ...optionalFields } = otherFields;
    return [
      ["model", model],
      ["description", description],
      ["instructions", instructions === "" ? undefined : instructions],
      ["tools", tools.length > 0 ? tools : undefined],
      ["max_steps", max_steps === agentDefaults.max_steps ? undefined : max_steps],
      ["max_retries", max_retries === agentDefaults.max_retries ? undefined : max_retries],
      ["loop_threshold", loop_threshold === agentDefaults.loop_threshold ? undefined : loop_threshold],
      ["needs_approval", needs_approval.length > 0 ? needs_approval : undefined],
      ["trim_context", trim_context ? true : undefined],
      ["use_history", use_history ? undefined : false],
      ...Object.entries(optionalFields),
    ];
  },
  searchFields: (agent) => [
    ...searchFieldsOf(agent, [
      ["models", "Model", "model"],
      ["models", "Fallback model", "fallback_model"],
      ["other", "Description", "description"],
      ["instructions", "Instructions", "instructions"],
    ]),
    ...agent.tools.flatMap((tool, index) => searchField("tools", "Tool", ["tools", String(index)], tool)),
  ],
  check(agent, checks) {
    const models = (["model", "fallback_model"] as const).map((field) => ({
      title: `Agent "${agent.name}"`,
      model: agent[field],
      written: agent.written,
      field,
    }));
    return [
      ...models.filter(({ field, model }) => field === "model" || model !== undefined).flatMap(checks.model),
      ...models.flatMap(checks.price),
      ...checks.agent(agent),
    ];
  },
  card({ model, tools, instructions }) {
    const { provider, name } = model ? parseModel(model) : { provider: "", name: "" };
    return {
      type: "agent-card",
      provider,
      model: name,
      instructions: instructions
        .slice(0, 2 * shownInstructions)
        .replace(/\s+/g, " ")
        .trim()
        .slice(0, shownInstructions),
      ...toShownTools(tools),
    };
  },
});
