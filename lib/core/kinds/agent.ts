import type * as z from "zod/mini";
import type { AgentField } from "../flow/edit";
import type { FieldTexts } from "../flow/flow";
import { parseModel } from "../flow/model-name";
import { agentDefaults } from "./agent-defaults";
import type { agentSchema } from "./agent-schema";
import { toShownTools } from "./card-content";
import { addDeclaration, defineKind } from "./define-kind";
import { agentFieldAliases, agentFieldTypes } from "./field-types";
import { searchField, searchFieldsOf } from "./search-field";

declare module "../flow/flow" {
  interface DeclarationTypes {
    agent: Agent;
  }
}

/** A model with instructions and tools that runs the tool-calling loop. */
export type Agent = z.infer<typeof agentSchema> & FieldTexts & { type: "agent"; name: string };

export const isAgentField = (name: string): name is AgentField => Object.hasOwn(agentFieldTypes, name);

/** More characters than a card has room for. */
const shownInstructions = 240;

export const agentKind = defineKind<Agent>({
  type: "agent",
  article: "an",
  section: "agents",
  fieldTypes: agentFieldTypes,
  otherFieldTypes: { name: "name", system_prompt: agentFieldTypes[agentFieldAliases.system_prompt] },
  isAlwaysWritten: true,
  mayBeListed: true,
  title: (name) => `agent "${name}"`,
  collection: ({ agents }) => agents,
  declare: ({ agents }, agent) => addDeclaration(agents, agent),
  create: (name) => ({ type: "agent", ...agentDefaults, tools: [], needs_approval: [], name }),
  read(reader) {
    const fields = reader.agentFields({
      texts: ["model", "fallback_model", "instructions", "description"],
      prose: ["description"],
      unfilled: ["instructions"],
      aliases: agentFieldAliases,
    });
    return { type: "agent", ...fields, ...reader.fieldTexts(), name: reader.name };
  },
  write({ name: _name, type: _type, written: _written, ...fields }) {
    const { model, description, instructions, tools, tool_calls, max_steps, on_limit, ...otherFields } = fields;
    const { max_retries, loop_threshold, needs_approval, trim_context, use_history, ...optionalFields } = otherFields;
    return [
      ["model", model],
      ["description", description],
      ["instructions", instructions === "" ? undefined : instructions],
      ["tools", tools.length > 0 ? tools : undefined],
      ["tool_calls", tool_calls],
      ["max_steps", max_steps === agentDefaults.max_steps ? undefined : max_steps],
      ["on_limit", on_limit],
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
