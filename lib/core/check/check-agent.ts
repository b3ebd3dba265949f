import type { Flow } from "../flow/flow";
import { parseModel } from "../flow/model-name";
import type { ProblemCode, Severity } from "../flow/problem";
import { createSuggester } from "../flow/suggest-name";
import { lookUpPlaces, lookUpsIn, wrongLookUpsIn } from "../flow/template-variables";
import { clip } from "../flow/text-range";
import type { Agent } from "../kinds/agent";
import type { DeclarationChecks, DeclarationProblem, ModelUse } from "../kinds/declaration-checks";
import { findEngineTools } from "../kinds/engine-tools";
import { declaredNames } from "../kinds/members";
import { checkModelFit } from "./check-model-fit";
import { findSchemaMistake } from "./check-schema";
import type { Offer, ProviderOffer } from "./offer";

/** The checks of a flow against what is available to a run. Create them once for a flow: they prepare their look-ups. */
export function createDeclarationChecks(flow: Flow, offer: Offer): DeclarationChecks {
  const checkTools = createToolCheck(offer.tools);
  const checkApprovals = createApprovalCheck(flow);
  const checkTemplates = createTemplateCheck(flow);
  return {
    flow,
    model: createModelCheck(offer.providers),
    price: createPriceCheck(flow, offer),
    agent: (agent) => [
      ...checkTools(agent),
      ...checkApprovals(agent),
      ...checkTemplates(agent),
      ...checkSchema(agent),
      ...checkModelFit(agent),
    ],
  };
}

/** A check that a cost limit counts the calls of a model: without a known price, they would cost nothing in it. */
function createPriceCheck({ limits }: Flow, { isPriced, costCeiling }: Offer): DeclarationChecks["price"] {
  if (!isPriced || (limits.max_cost === undefined && costCeiling === undefined)) return () => [];
  const limit = limits.max_cost === undefined ? "the server's limit of cost" : "max_cost";
  return ({ title, model, field }) => {
    if (model === undefined || isPriced(model) !== false) return [];
    const message = `The price of "${model}" is not known, so ${limit} does not count the calls of ${title[0]?.toLowerCase()}${title.slice(1)}. Set max_tokens under \`limits:\` too, or choose a model with a known price.`;
    return [problem("unpriced-model", "warning", field, message)];
  };
}

function checkSchema({ name, output_schema: schema }: Agent): DeclarationProblem[] {
  const wrong = schema && findSchemaMistake(schema);
  if (!wrong) return [];
  return [problem("invalid-schema", "error", "output_schema", `The output_schema of "${name}" is no schema: ${wrong}`)];
}

const problem = (code: ProblemCode, severity: Severity, field: string, message: string): DeclarationProblem => ({
  code,
  severity,
  field,
  message,
});

/** A check that everything that instructions look up is there. */
function createTemplateCheck(flow: Flow): (agent: Agent) => DeclarationProblem[] {
  const names = declaredNames(flow);
  const known = new Set(names);
  const suggestVariable = createSuggester(flow.vars.keys());
  const suggestName = createSuggester(names);
  return ({ name, instructions }) => [
    ...wrongLookUpsIn(instructions).map((written) => {
      const message = `The instructions of "${name}" hold ${written}, which stays as it is. The environment is never read; put the value under \`vars:\` and write e.g. \${vars.name}.`;
      return problem("unknown-variable", "warning", "instructions", message);
    }),
    ...lookUpsIn(instructions).flatMap((lookUp): DeclarationProblem[] => {
      if (lookUp.type === "var" && !flow.vars.has(lookUp.name)) {
        const near = suggestVariable(lookUp.name);
        const hint = near === null ? `Add it under \`vars:\`.` : `Did you mean ${near}?`;
        const message = `The instructions of "${name}" use \${vars.${lookUp.name}}, which is not under \`vars:\`. ${hint}`;
        return [problem("unknown-variable", "warning", "instructions", message)];
      }
      if (lookUp.type !== "output" || known.has(lookUp.name)) return [];
      const near = suggestName(lookUp.name);
      const hint = near === null ? "Nothing of that name is declared." : `Did you mean ${near}?`;
      const message = `The instructions of "${name}" use \${outputs.${lookUp.name}}, but there is no "${lookUp.name}". ${hint}`;
      return [problem("unknown-variable", "warning", "instructions", message)];
    }),
  ];
}

function createToolCheck(tools: Offer["tools"]): (agent: Agent) => DeclarationProblem[] {
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
        return {
          ...problem("unknown-tool", "error", "tools", message),
          reference: tool,
          ...(near !== null && { replacement: near }),
        };
      });
}

/** A check that every tool for which approval is required is one that the agent can call: any other would have no effect. */
function createApprovalCheck(flow: Flow): (agent: Agent) => DeclarationProblem[] {
  let engineTools: ReadonlyMap<string, ReadonlySet<string>> | null = null;
  return ({ name, tools, needs_approval: required }) => {
    if (required.length === 0) return [];
    engineTools ??= findEngineTools(flow);
    const callable = new Set([...tools, ...(engineTools.get(name) ?? [])]);
    const suggest = createSuggester(callable);
    return required
      .filter((tool) => !callable.has(tool))
      .map((tool) => {
        const near = suggest(tool);
        const hint = near === null ? "Add it to `tools:`, or remove it here." : `Did you mean "${near}"?`;
        const message = `Agent "${name}" needs approval for "${tool}", which is none of its tools, so no call would wait for a person. ${hint}`;
        return {
          ...problem("unknown-tool", "error", "needs_approval", message),
          reference: tool,
          ...(near !== null && { replacement: near }),
        };
      });
  };
}

/** A check of models by their names; what it finds begins with who asks. */
export function createModelCheck(providers: Offer["providers"]): (use: ModelUse) => DeclarationProblem[] {
  const byId = new Map(
    (providers ?? []).map((provider) => [provider.id, { provider, models: new Set(provider.models) }]),
  );
  const suggest = createSuggester(byId.keys());
  return ({ title, model, written, field }) => {
    if (model === undefined) {
      // The look-up that gives no model is a problem of its own.
      if (written?.[field] !== undefined) return [];
      const message = `${title} has no model. Add one, e.g. model: "demo:assistant".`;
      return [problem("missing-model", "error", field, message)];
    }
    const [lookUp] = lookUpPlaces(model);
    if (lookUp) {
      const message = `${title} asks for the model "${clip(model)}", in which ${clip(lookUp.written)} stays as it is. The environment is never read; put the value under \`vars:\` and write e.g. \${vars.name}.`;
      return [problem("unknown-variable", "error", field, message)];
    }
    if (!providers) return [];
    const { provider: id, name } = parseModel(model);
    const known = byId.get(id);
    if (known) return checkOffered({ title, name, field }, known.provider, known.models);
    const near = suggest(id);
    const hint = near === null ? `There are: ${[...byId.keys()].join(", ")}.` : `Did you mean "${near}"?`;
    const message = `${title} asks for the provider "${id}", which does not exist. ${hint}`;
    return [problem("unknown-provider", "error", field, message)];
  };
}

/** Providers that take any model name: their list holds examples. */
const open = new Set(["demo", "compatible"]);

/** The date of a fixed version behind a model's name. */
const date = /-\d{4}-?\d{2}-?\d{2}$/;

function checkOffered(
  { title, name, field }: { title: string; name: string; field: string },
  provider: ProviderOffer,
  models: ReadonlySet<string>,
): DeclarationProblem[] {
  if (name.trim() === "") {
    const example = `${provider.id}:${provider.models[0] ?? "model"}`;
    const message = `${title} names the provider "${provider.id}" but no model. Write e.g. "${example}".`;
    return [problem("unknown-model", "error", field, message)];
  }
  const problems: DeclarationProblem[] = [];
  if (!provider.available) {
    const need = provider.missing ?? "its key";
    const message = `${title} needs ${provider.label}: set ${need} and start again, or use a "demo:" model.`;
    problems.push(problem("missing-key", "error", field, message));
  }
  if (models.size > 0 && !models.has(name) && !models.has(name.replace(date, "")) && !open.has(provider.id)) {
    const required = provider.missingModelIsError === true;
    const hint = required
      ? `Use one of them, e.g. "${provider.id}:${provider.models[0] ?? ""}".`
      : "It is sent as it is.";
    const message = `"${name}" is not in the list of ${provider.label} models. ${hint}`;
    problems.push(problem("unknown-model", required ? "error" : "warning", field, message));
  }
  return problems;
}
