import type { FlowProblem, Offer, ProviderOffer } from "./check";
import type { Agent, Flow } from "./flow";
import { parseModel } from "./model-name";
import { createSuggester } from "./nearest";
import type { ProblemCode, Severity } from "./problem";

type Found = Omit<FlowProblem, "nodes" | "owner">;

/** A check of agents against what there is to run with. Build it once for a flow: it prepares its look-ups. */
export function createAgentCheck(flow: Flow, offer: Offer): (agent: Agent) => Found[] {
  const checkModel = createModelCheck(offer.providers);
  const checkTools = createToolCheck(offer.tools);
  const suggestVariable = createSuggester(flow.vars.keys());
  return (agent) => [
    ...checkModel(agent),
    ...checkTools(agent),
    ...unknownVariables(agent, flow).map((name) => {
      const near = suggestVariable(name);
      const hint = near === null ? `Add it under \`vars:\`.` : `Did you mean ${near}?`;
      const message = `The instructions of "${agent.name}" use \${vars.${name}}, which is not under \`vars:\`. ${hint}`;
      return problem("unknown-variable", "warning", "instructions", message);
    }),
  ];
}

const problem = (code: ProblemCode, severity: Severity, field: string, message: string): Found => ({
  code,
  severity,
  field,
  message,
});

function unknownVariables(agent: Agent, flow: Flow): string[] {
  const names = new Set<string>();
  for (const [, name = ""] of agent.instructions.matchAll(/\$\{vars\.([^{}$]{0,200})\}/g))
    if (!flow.vars.has(name)) names.add(name);
  return [...names];
}

function createToolCheck(tools: Offer["tools"]): (agent: Agent) => Found[] {
  if (!tools) return () => [];
  const known = new Set(tools);
  const suggest = createSuggester(tools);
  return (agent) =>
    agent.tools
      .filter((tool) => !known.has(tool))
      .map((tool) => {
        const near = suggest(tool);
        const hint = near === null ? `There are: ${tools.slice(0, 20).join(", ")}.` : `Did you mean "${near}"?`;
        const message = `Agent "${agent.name}" uses the tool "${tool}", which does not exist. ${hint}`;
        return { ...problem("unknown-tool", "error", "tools", message), reference: tool };
      });
}

function createModelCheck(providers: Offer["providers"]): (agent: Agent) => Found[] {
  const byId = new Map(
    (providers ?? []).map((provider) => [provider.id, { provider, models: new Set(provider.models) }]),
  );
  const suggest = createSuggester(byId.keys());
  return ({ name: owner, model }) => {
    if (model === undefined) {
      const message = `Agent "${owner}" has no model. Add one, e.g. model: "demo:assistant".`;
      return [problem("missing-model", "error", "model", message)];
    }
    if (!providers) return [];
    const { provider: id, name } = parseModel(model);
    const known = byId.get(id);
    if (known) return checkOffered(owner, name, known.provider, known.models);
    const near = suggest(id);
    const hint = near === null ? `There are: ${[...byId.keys()].join(", ")}.` : `Did you mean "${near}"?`;
    const message = `Agent "${owner}" asks for the provider "${id}", which does not exist. ${hint}`;
    return [problem("unknown-provider", "error", "model", message)];
  };
}

/** Providers that take any model name: their list holds examples. */
const open = new Set(["demo", "compatible"]);

/** The date of a fixed version behind a model's name. */
const date = /-\d{4}-?\d{2}-?\d{2}$/;

function checkOffered(owner: string, name: string, provider: ProviderOffer, models: ReadonlySet<string>): Found[] {
  if (name.trim() === "") {
    const example = `${provider.id}:${provider.models[0] ?? "model"}`;
    const message = `Agent "${owner}" names the provider "${provider.id}" but no model. Write e.g. "${example}".`;
    return [problem("unknown-model", "error", "model", message)];
  }
  const problems: Found[] = [];
  if (!provider.available) {
    const need = provider.missing ?? "its key";
    const message = `Agent "${owner}" needs ${provider.label}: set ${need} and start again, or use a "demo:" model.`;
    problems.push(problem("missing-key", "error", "model", message));
  }
  if (models.size > 0 && !models.has(name) && !models.has(name.replace(date, "")) && !open.has(provider.id)) {
    const required = provider.missingModelIsError === true;
    const hint = required
      ? `Use one of them, e.g. "${provider.id}:${provider.models[0] ?? ""}".`
      : "It is sent as it is.";
    const message = `"${name}" is not in the list of ${provider.label} models. ${hint}`;
    problems.push(problem("unknown-model", required ? "error" : "warning", "model", message));
  }
  return problems;
}
