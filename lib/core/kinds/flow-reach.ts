import type { Declaration, Flow } from "../flow/flow";
import { parseModel } from "../flow/model-name";

/**
 * What the nodes of a flow reach beside it, sorted, each once: `model PROVIDER`, `tool NAME`, and `tool NAME without approval`
 * for tools that `actsAlone` names, unless their agent asks first. Simulated models reach nothing.
 */
export function listReach({ agents, controls }: Flow, actsAlone: (tool: string) => boolean): string[] {
  const models = [...agents.values(), ...controls.values()].flatMap(modelsOf);
  const providers = models.map((model) => parseModel(model).provider).filter((provider) => provider !== "demo");
  const tools = [...agents.values()].flatMap((agent) =>
    agent.tools.map((tool) =>
      actsAlone(tool) && !agent.needs_approval.includes(tool) ? `${tool} without approval` : tool,
    ),
  );
  return [
    ...new Set([...providers.map((provider) => `model ${provider}`), ...tools.map((tool) => `tool ${tool}`)]),
  ].sort();
}

/** Whether a line of what a flow reaches is a provider of models. */
export const isModelReach = (line: string): boolean => line.startsWith("model ");

const modelsOf = (node: Declaration): string[] =>
  ["model" in node ? node.model : undefined, "fallback_model" in node ? node.fallback_model : undefined].filter(
    (model) => model !== undefined,
  );
