import type { Flow } from "../../../flow/flow";
import { fillLookUps } from "../../../flow/template-variables";
import { type Agent, agentKind } from "../../../kinds/agent";
import { agentDefaults } from "../../../kinds/agent-defaults";
import { createAgent } from "../../../kinds/agent-schema";
import { orbiterAgentFields } from "../orbiter-flow";
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
  if (model?.startsWith("demo:"))
    notes.add("Orbiter has no simulated models: give the agents that ask `demo:…` a real one.");
  const text = writeOutVars(instructions, vars, { notes, losses });
  if (agent.written) notes.add(writtenOut);
  const missing = missingFields(agent);
  for (const [field] of missing) losses.add(`Orbiter's agents have no \`${field}\`.`);
  const comments = missing.map(([field, value]) => toPythonComment(`${field}: ${JSON.stringify(value)}`));
  const call = toPythonCall("Agent", {
    name: toPythonString(name),
    model: model && toPythonString(model),
    instructions: instructions === "" ? undefined : toPythonText(text, "    "),
    tools: tools.length > 0 ? toPythonList(tools) : undefined,
    max_steps: max_steps === agentDefaults.max_steps ? undefined : String(max_steps),
    temperature: temperature?.toString(),
    max_tokens: max_tokens?.toString(),
  });
  return [...comments, `${variable} = ${call}`].join("\n");
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

const usualFields = new Map<string, unknown>(Object.entries(createAgent("usual")));
const fieldsOfSwarmloom = agentKind.fields.filter((field) => field !== "tools" && !orbiterAgentFields.includes(field));

/** Values that say what holds for every agent of Orbiter. */
const orbiterValues: Readonly<Record<string, unknown>> = {
  tool_calls: "parallel",
  on_limit: "answer",
} satisfies Partial<Agent>;

/** The fields of an agent that Orbiter's constructor does not have and that are not as usual. */
function missingFields(agent: Agent): [field: string, value: unknown][] {
  const values = new Map<string, unknown>(Object.entries(agent));
  const isUsual = (field: string): boolean =>
    JSON.stringify(values.get(field)) === JSON.stringify(usualFields.get(field));
  const isOrbiters = (field: string): boolean =>
    Object.hasOwn(orbiterValues, field) && values.get(field) === orbiterValues[field];
  return fieldsOfSwarmloom.flatMap((field) =>
    isUsual(field) || isOrbiters(field) ? [] : [[field, values.get(field)]],
  );
}
