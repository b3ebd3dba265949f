import type { AgentField } from "../flow/edit";
import { parseModel } from "../flow/model-name";
import { factsOf, type ModelFacts } from "../flow/model-support";
import type { Agent } from "../kinds/agent";
import type { DeclarationProblem } from "../kinds/declaration-checks";

/** One value that a model refuses: why, and which field says it. */
export interface Misfit {
  field: Extract<AgentField, "temperature" | "max_tokens" | "tools" | "output_schema">;
  reason: string;
}

/** The values of an agent that its model is known to refuse. What is not known is not said. */
export function findMisfits(agent: Agent, model: string): Misfit[] {
  const { provider, name } = parseModel(model);
  return misfitsWith(agent, name, factsOf(provider, name));
}

function misfitsWith(agent: Agent, name: string, { supports, maxOutput, highestTemperature }: ModelFacts): Misfit[] {
  const { temperature, max_tokens: maxTokens, tools, output_schema: schema } = agent;
  const found: Misfit[] = [];
  const say = (field: Misfit["field"], reason: string) => found.push({ field, reason });
  if (temperature !== undefined && supports.temperature === false)
    say("temperature", `${name} takes no temperature; the provider refuses the call.`);
  else if (temperature !== undefined && highestTemperature !== undefined && temperature > highestTemperature)
    say("temperature", `${name} takes a temperature of 0 to ${highestTemperature}; it is ${temperature}.`);
  if (maxTokens !== undefined && maxOutput !== undefined && maxTokens > maxOutput)
    say("max_tokens", `${name} answers with at most ${maxOutput} tokens; max_tokens is ${maxTokens}.`);
  if (tools.length > 0 && supports.tools === false) say("tools", `${name} cannot call tools.`);
  if (schema && supports.structuredOutput === false)
    say("output_schema", `${name} takes no schema for its answer; the provider refuses the call.`);
  return found;
}

/** What an agent's model, or its fallback, is known to refuse: warnings, each with its way out. */
export function checkModelFit(agent: Agent): DeclarationProblem[] {
  const models = [agent.model, agent.fallback_model].filter((model) => model !== undefined);
  const seen = new Set<string>();
  return models.flatMap((model) =>
    findMisfits(agent, model).flatMap(({ field, reason }): DeclarationProblem[] => {
      if (seen.has(field)) return [];
      seen.add(field);
      const message = `Agent "${agent.name}": ${reason} Remove it, or choose another model.`;
      const edit = { type: "set-agent-field", name: agent.name, field } as const;
      return [{ code: "refused-value", severity: "warning", field, message, repairs: [{ title: "Remove it", edit }] }];
    }),
  );
}
