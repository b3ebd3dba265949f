import type { Flow } from "../flow/flow";
import { parseModel } from "../flow/model-name";
import { addVariableRepairs, type Repair } from "../flow/problem";
import { createSuggester } from "../flow/suggest-name";
import { type LookUp, lookUpPlaces, lookUpsIn, wrongLookUpsIn } from "../flow/template-variables";
import { clip } from "../flow/text-range";
import type { Agent } from "../kinds/agent";
import {
  createProblem,
  type DeclarationChecks,
  type DeclarationProblem,
  type ModelUse,
} from "../kinds/declaration-checks";
import { findEngineTools } from "../kinds/engine-tools";
import { declaredNames } from "../kinds/members";
import { checkModelFit } from "./check-model-fit";
import { findSchemaMistake } from "./check-schema";
import type { ModelEnding, Offer, ProviderOffer } from "./offer";

/** The checks of a flow against what is available to a run. Create them once for a flow: they build indexes. */
export function createDeclarationChecks(flow: Flow, offer: Offer): DeclarationChecks {
  const checkTools = createToolCheck(offer);
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
    return [createProblem("unpriced-model", "warning", field, message)];
  };
}

function checkSchema({ name, output_schema: schema }: Agent): DeclarationProblem[] {
  const mistake = schema && findSchemaMistake(schema);
  if (!mistake) return [];
  const message = `The output_schema of "${name}" is no schema: ${mistake}`;
  return [createProblem("invalid-schema", "error", "output_schema", message)];
}

/** A check that every variable and output in instructions exists. */
function createTemplateCheck(flow: Flow): (agent: Agent) => DeclarationProblem[] {
  const names = new Set(declaredNames(flow));
  const suggestVariable = createSuggester(flow.vars.keys());
  const suggestName = createSuggester(names);
  const findMistake = (lookUp: LookUp): TemplateMistake[] => {
    if (lookUp.type === "var" && !flow.vars.has(lookUp.name)) {
      const near = suggestVariable(lookUp.name);
      const hint = near === null ? `Add it under \`vars:\`.` : `Did you mean ${near}?`;
      const text = `use \${vars.${lookUp.name}}, which is not under \`vars:\`. ${hint}`;
      return [{ text, ...(near === null && addVariableRepairs(lookUp.name)) }];
    }
    if (lookUp.type !== "output" || names.has(lookUp.name)) return [];
    const near = suggestName(lookUp.name);
    const hint = near === null ? "Nothing of that name is declared." : `Did you mean ${near}?`;
    return [{ text: `use \${outputs.${lookUp.name}}, but there is no "${lookUp.name}". ${hint}` }];
  };
  return ({ name, instructions }) =>
    [...wrongLookUpsIn(instructions).map(describeWrongLookUp), ...lookUpsIn(instructions).flatMap(findMistake)].map(
      ({ text, ...repairs }) => ({
        ...createProblem("unknown-variable", "warning", "instructions", `The instructions of "${name}" ${text}`),
        ...repairs,
      }),
    );
}

/** What is wrong with a look-up: `text` follows `The instructions of "writer" `. */
interface TemplateMistake {
  text: string;
  repairs?: readonly Repair[];
}

const describeWrongLookUp = (written: string): TemplateMistake => ({
  text: `contain ${written}, which is not replaced. The environment is never read; put the value under \`vars:\` and write e.g. \${vars.name}.`,
});

/** Reports the names of a field that are none of these tools; `describe` explains one, without a hint. */
function createToolNameCheck(field: string, tools: Iterable<string>) {
  const toolNames = new Set(tools);
  const suggest = createSuggester(toolNames);
  return (names: readonly string[], describe: (name: string) => string, hintWithoutMatch: string) =>
    names
      .filter((name) => !toolNames.has(name))
      .map((reference): DeclarationProblem => {
        const near = suggest(reference);
        const hint = near === null ? hintWithoutMatch : `Did you mean "${near}"?`;
        const problem = createProblem("unknown-tool", "error", field, `${describe(reference)} ${hint}`);
        return { ...problem, reference, ...(near !== null && { replacement: near }) };
      });
}

function createToolCheck(offer: Offer): (agent: Agent) => DeclarationProblem[] {
  const { tools, switchedOffTools = [], unavailableTools = [] } = offer;
  if (!tools) return () => [];
  const checkNames = createToolNameCheck("tools", tools);
  const listedTools = `There are: ${tools.slice(0, 20).join(", ")}.`;
  const switchedOff = new Set(switchedOffTools);
  const missingSettings = new Map(unavailableTools.map(({ name, missing }) => [name, missing]));
  return (agent) => [
    ...checkNames(
      agent.tools,
      (tool) => `Agent "${agent.name}" uses the tool "${tool}", which does not exist.`,
      listedTools,
    ),
    ...agent.tools
      .filter((tool) => switchedOff.has(tool))
      .map((tool) => {
        const message = `Agent "${agent.name}" uses the tool "${tool}", which is switched off in this team. Remove it, or ask an Admin to switch it on in Settings, Tools.`;
        return { ...createProblem("switched-off-tool", "error", "tools", message), reference: tool };
      }),
    ...agent.tools.flatMap((tool) => {
      const missing = switchedOff.has(tool) ? undefined : missingSettings.get(tool);
      return missing === undefined ? [] : [toMissingSetting(agent, tool, missing)];
    }),
  ];
}

function toMissingSetting({ name, tools, needs_approval: approvals }: Agent, tool: string, missing: string) {
  const message = `Agent "${name}" uses the tool "${tool}", which does not work here: an administrator sets ${missing} on the server and restarts it. Or remove the tool.`;
  const problem: DeclarationProblem = {
    ...createProblem("missing-setting", "error", "tools", message),
    reference: tool,
  };
  if (approvals.includes(tool)) return problem;
  const otherTools = tools.filter((other) => other !== tool);
  const value = otherTools.length > 0 ? otherTools : undefined;
  const edit = { type: "set-agent-field", name, field: "tools", value } as const;
  return { ...problem, repairs: [{ title: `Remove ${tool}`, edit }] };
}

/** A check that the agent can call every tool for which approval is required: any other would have no effect. */
function createApprovalCheck(flow: Flow): (agent: Agent) => DeclarationProblem[] {
  let engineTools: ReadonlyMap<string, ReadonlySet<string>> | null = null;
  return ({ name, tools, needs_approval: required }) => {
    if (required.length === 0) return [];
    engineTools ??= findEngineTools(flow);
    const checkNames = createToolNameCheck("needs_approval", [...tools, ...(engineTools.get(name) ?? [])]);
    const describe = (tool: string): string =>
      `Agent "${name}" needs approval for "${tool}", which is none of its tools, so no call would wait for approval.`;
    return checkNames(required, describe, "Add it to `tools:`, or remove it here.");
  };
}

/** A check of models by their names. Its messages begin with the title of the node. */
export function createModelCheck(providers: Offer["providers"]): (use: ModelUse) => DeclarationProblem[] {
  const byId = new Map(
    (providers ?? []).map((provider) => [provider.id, { provider, models: new Set(provider.models) }]),
  );
  const suggest = createSuggester(byId.keys());
  return ({ title, model, written, field }) => {
    if (model === undefined) {
      // The look-up without a value is reported as a problem of its own.
      if (written?.[field] !== undefined) return [];
      const message = `${title} has no model. Add one, e.g. model: "demo:assistant".`;
      return [createProblem("missing-model", "error", field, message)];
    }
    const [lookUp] = lookUpPlaces(model);
    if (lookUp) {
      const message = `${title} uses the model "${clip(model)}", in which ${clip(lookUp.written)} is not replaced. The environment is never read; put the value under \`vars:\` and write e.g. \${vars.name}.`;
      return [createProblem("unknown-variable", "error", field, message)];
    }
    if (!providers) return [];
    const { provider: id, name } = parseModel(model);
    const providerEntry = byId.get(id);
    if (providerEntry) return checkOffered({ title, name, field }, providerEntry.provider, providerEntry.models);
    const near = suggest(id);
    const hint = near === null ? `There are: ${[...byId.keys()].join(", ")}.` : `Did you mean "${near}"?`;
    const message = `${title} uses the provider "${id}", which does not exist. ${hint}`;
    return [createProblem("unknown-provider", "error", field, message)];
  };
}

/** Providers that accept any model name: their lists contain examples. */
const openProviders = new Set(["demo", "compatible"]);

/** The date of a pinned version at the end of a model's name. */
const versionDate = /-\d{4}-?\d{2}-?\d{2}$/;

/** `user`: which nodes use it, as a clause. */
export function describeMissingKey({ label, problem, missing = "its key" }: ProviderOffer, user: string): string {
  if (problem !== undefined) return `${label} cannot be asked, and ${user}. ${problem}`;
  const noun = missing.endsWith("_URL") ? "address" : "key";
  return `No ${noun} for ${label}: ${user}. Add it in Settings, or set ${missing} and restart the server.`;
}

function describeEnding(title: string, name: string, { on, isOver, next }: ModelEnding): string {
  const end = isOver
    ? `ended on ${on}, so its calls fail, or another model answers`
    : `its provider serves until ${on}`;
  const hint = next === undefined ? "Choose another model." : `Its provider names ${next} in its place.`;
  return `${title} uses the model "${name}", which ${end}. ${hint}`;
}

function checkOffered(
  { title, name, field }: { title: string; name: string; field: string },
  provider: ProviderOffer,
  models: ReadonlySet<string>,
): DeclarationProblem[] {
  if (name.trim() === "") {
    const example = `${provider.id}:${provider.models[0] ?? "model"}`;
    const message = `${title} names the provider "${provider.id}" but no model. Write e.g. "${example}".`;
    return [createProblem("unknown-model", "error", field, message)];
  }
  const problems: DeclarationProblem[] = [];
  if (!provider.available) {
    const user = `${title[0]?.toLowerCase()}${title.slice(1)} uses it`;
    const message = describeMissingKey(provider, user);
    problems.push({ ...createProblem("missing-key", "error", field, message), provider: provider.id });
  }
  const ending = provider.endings?.find(({ model }) => model === name || model === name.replace(versionDate, ""));
  if (ending)
    return [...problems, createProblem("ending-model", "warning", field, describeEnding(title, name, ending))];
  if (
    models.size > 0 &&
    !models.has(name) &&
    !models.has(name.replace(versionDate, "")) &&
    !openProviders.has(provider.id)
  ) {
    const required = provider.missingModelIsError === true;
    const hint = required
      ? `Use one of them, e.g. "${provider.id}:${provider.models[0] ?? ""}".`
      : "It is sent as it is.";
    const message = `"${name}" is not in the list of ${provider.label} models. ${hint}`;
    problems.push(createProblem("unknown-model", required ? "error" : "warning", field, message));
  }
  return problems;
}
