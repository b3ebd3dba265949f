import type { Flow } from "../../../flow/flow";
import { fillLookUps } from "../../../flow/template-variables";
import { type Agent, agentDefaults } from "../../../kinds/agent";
import { toPythonCall, toPythonComment, toPythonList, toPythonString, toPythonText } from "../python-text";

interface AgentText {
  agent: Agent;
  /** What Orbiter calls it. */
  name: string;
  /** The variables of its tools. */
  tools: readonly string[];
  vars: Flow["vars"];
  notes: Set<string>;
  losses: Set<string>;
}

/** The constructor call of an agent, and above it as comments what Orbiter's agents do not have. */
export function printPythonAgent(variable: string, { agent, name, tools, vars, notes, losses }: AgentText): string {
  const { model, max_steps, temperature, max_tokens, instructions } = agent;
  const values: [string, string][] = [["name", toPythonString(name)]];
  if (model?.startsWith("demo:"))
    notes.add("Orbiter has no simulated models: give the agents that ask `demo:…` a real one.");
  if (model !== undefined) values.push(["model", toPythonString(model)]);
  if (instructions !== "")
    values.push(["instructions", toPythonText(writeOutVars(instructions, vars, { notes, losses }), "    ")]);
  if (tools.length > 0) values.push(["tools", toPythonList(tools)]);
  if (max_steps !== agentDefaults.max_steps) values.push(["max_steps", String(max_steps)]);
  if (temperature !== undefined) values.push(["temperature", String(temperature)]);
  if (max_tokens !== undefined) values.push(["max_tokens", String(max_tokens)]);
  if (agent.written) notes.add(writtenOut);
  const missing = missingFields(agent);
  for (const [field] of missing) losses.add(`Orbiter's agents have no \`${field}\`.`);
  const comments = missing.map(([field, value]) => toPythonComment(`${field}: ${JSON.stringify(value)}`));
  return [...comments, `${variable} = ${toPythonCall("Agent", values)}`].join("\n");
}

const writtenOut = "Variables are written out: Orbiter's constructors have none.";

const writeOutVars = (
  instructions: string,
  vars: Flow["vars"],
  { notes, losses }: Pick<AgentText, "notes" | "losses">,
): string =>
  fillLookUps(instructions, (lookUp) => {
    const value = lookUp.type === "var" ? vars.get(lookUp.name) : undefined;
    if (value !== undefined) notes.add(writtenOut);
    else losses.add("Orbiter looks nothing up in instructions: only variables are written out.");
    return value === undefined ? null : String(value);
  });

/** The fields of an agent that Orbiter's constructor does not have and that are not as usual. */
function missingFields(agent: Agent): [field: string, value: unknown][] {
  const { description, max_retries, loop_threshold, timeout_seconds, output_schema, fallback_model } = agent;
  const { needs_approval, trim_context, use_history } = agent;
  const fields: [string, unknown, usual?: unknown][] = [
    ["description", description],
    ["max_retries", max_retries, agentDefaults.max_retries],
    ["loop_threshold", loop_threshold, agentDefaults.loop_threshold],
    ["timeout_seconds", timeout_seconds],
    ["output_schema", output_schema],
    ["fallback_model", fallback_model],
    ["needs_approval", needs_approval.length > 0 ? needs_approval : undefined],
    ["trim_context", trim_context, false],
    ["use_history", use_history, true],
  ];
  return fields.flatMap(([field, value, usual]): [string, unknown][] => (value === usual ? [] : [[field, value]]));
}
