import type { AgentField } from "../flow/edit";
import { parseModel } from "../flow/model-name";
import { factsOf } from "../flow/model-support";
import type { Agent } from "../kinds/agent";
import type { DeclarationProblem } from "../kinds/declaration-checks";

/** One value that a model refuses: the field, and why. */
export interface Misfit {
  field: Extract<AgentField, "temperature" | "max_tokens" | "tools" | "output_schema">;
  reason: string;
}

/** The values of an agent that its model is known to refuse. Unknown capabilities are not reported. */
export function findMisfits(agent: Agent, model: string): Misfit[] {
  const { provider, name } = parseModel(model);
  const { supports, maxOutput, highestTemperature } = factsOf(provider, name);
  const { temperature, max_tokens: maxTokens, tools, output_schema: schema } = agent;
  const misfits: Misfit[] = [];
  const addMisfit = (field: Misfit["field"], reason: string) => misfits.push({ field, reason });
  if (temperature !== undefined && supports.temperature === false)
    addMisfit("temperature", `${name} takes no temperature; the provider refuses the call.`);
  else if (temperature !== undefined && highestTemperature !== undefined && temperature > highestTemperature)
    addMisfit("temperature", `${name} takes a temperature of 0 to ${highestTemperature}; it is ${temperature}.`);
  if (maxTokens !== undefined && maxOutput !== undefined && maxTokens > maxOutput)
    addMisfit("max_tokens", `${name} answers with at most ${maxOutput} tokens; max_tokens is ${maxTokens}.`);
  if (tools.length > 0 && supports.tools === false) addMisfit("tools", `${name} cannot call tools.`);
  if (schema && supports.structuredOutput === false)
    addMisfit("output_schema", `${name} takes no schema for its answer; the provider refuses the call.`);
  return misfits;
}

/** Warnings for the values that an agent's model, or its fallback, is known to refuse. Each has a repair. */
export function checkModelFit(agent: Agent): DeclarationProblem[] {
  const models = [agent.model, agent.fallback_model].filter((model) => model !== undefined);
  const reportedFields = new Set<string>();
  return models.flatMap((model) =>
    findMisfits(agent, model).flatMap(({ field, reason }): DeclarationProblem[] => {
      if (reportedFields.has(field)) return [];
      reportedFields.add(field);
      const message = `Agent "${agent.name}": ${reason} Remove it, or choose another model.`;
      const edit = { type: "set-agent-field", name: agent.name, field } as const;
      return [{ code: "refused-value", severity: "warning", field, message, repairs: [{ title: "Remove it", edit }] }];
    }),
  );
}
