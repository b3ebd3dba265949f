import { type Expression, namesOf } from "./expression";
import { type Agent, type Flow, findDeclaration, limits, type Swarm } from "./flow";
import { type NodeKey, nodeKey } from "./keys";
import { nearest } from "./nearest";
import type { Problem, ProblemCode, Severity } from "./problem";

/** A provider as the app offers it. */
export interface ProviderOffer {
  id: string;
  label: string;
  /** Whether a run could ask it now. */
  available: boolean;
  /** What must be set to make it available, e.g. `OPENAI_API_KEY`. */
  missing?: string;
  /** Model names to suggest. */
  models: readonly string[];
}

/** What there is to run with. A missing part is not checked. */
export interface Offer {
  tools?: readonly string[];
  providers?: readonly ProviderOffer[];
}

/** A problem together with the declaration (and, for references, the name inside it) that it belongs to. */
export interface FlowProblem extends Problem {
  /** Declared name of the agent, group or swarm; `null` is the root swarm. */
  owner?: string | null;
  /** The field of the owner that is wrong. */
  field?: string;
  /** The name inside the owner's topology that is wrong. */
  reference?: string;
}

/** Everything that is wrong with what a flow says, apart from the form of its text. Linear in the size of the flow. */
export function checkFlow(flow: Flow, offer: Offer = {}): FlowProblem[] {
  const problems: FlowProblem[] = [];
  const places = findPlaces(flow);
  const report: Report = (code, severity, message, at) => {
    const nodes = at.nodes ?? (typeof at.owner === "string" ? places.get(at.owner) : undefined);
    problems.push({ code, severity, message, ...at, ...(nodes && nodes.length > 0 ? { nodes } : {}) });
  };
  if (flow.agents.size === 0) report("no-agents", "error", "The flow has no agents. Add one under `agents:`.", {});
  checkNames(flow, report);
  for (const agent of flow.agents.values()) checkAgent(agent, flow, offer, report);
  for (const group of flow.groups.values()) checkTopology(flow, group.name, group.flow, report);
  for (const swarm of flow.swarms.values()) checkSwarm(flow, swarm, swarm.name, report);
  checkSwarm(flow, flow.swarm, null, report);
  checkCycles(flow, report);
  checkReached(flow, report);
  return problems;
}

type Report = (
  code: ProblemCode,
  severity: Severity,
  message: string,
  at: { owner?: string | null; field?: string; reference?: string; nodes?: readonly NodeKey[] },
) => void;

/** Where each declared name stands on the canvas; at most a handful of places a name. */
function findPlaces(flow: Flow): Map<string, NodeKey[]> {
  const places = new Map<string, NodeKey[]>();
  const visit = (swarm: NodeKey, members: readonly string[], open: ReadonlySet<string>): void => {
    for (const name of members) {
      const key = nodeKey(swarm, name);
      const known = places.get(name);
      if (!known) places.set(name, [key]);
      else if (known.length < 8) known.push(key);
      else continue;
      const found = findDeclaration(flow, name);
      if (!found || found.kind === "agent" || open.has(name) || open.size >= limits.depth) continue;
      visit(key, membersOf(found.value), new Set(open).add(name));
    }
  };
  visit("", membersOf(flow.swarm), new Set());
  for (const name of [...flow.agents.keys(), ...flow.groups.keys(), ...flow.swarms.keys()])
    if (!places.has(name)) places.set(name, [nodeKey("", name)]);
  return places;
}

/** The names that a group or swarm holds, in written order. */
export function membersOf(part: { flow?: Expression; agents?: readonly string[]; edges?: Swarm["edges"] }): string[] {
  const names = part.flow ? namesOf(part.flow).map(({ name }) => name) : [];
  return [...new Set([...names, ...(part.agents ?? []), ...(part.edges ?? []).flat()])];
}

function checkNames(flow: Flow, report: Report): void {
  for (const name of [...flow.groups.keys(), ...flow.swarms.keys()]) {
    const kinds = [
      flow.agents.has(name) && "an agent",
      flow.groups.has(name) && "a group",
      flow.swarms.has(name) && "a swarm",
    ];
    const used = kinds.filter((kind) => kind !== false);
    const owner = name;
    if (used.length > 1)
      report(
        "name-taken",
        "error",
        `"${name}" is ${used.join(" and ")}. Agents, groups and swarms share one list of names: rename one.`,
        { owner },
      );
  }
}

function checkAgent(agent: Agent, flow: Flow, offer: Offer, report: Report): void {
  const owner = agent.name;
  if (agent.model === undefined)
    report("missing-model", "error", `Agent "${owner}" has no model. Add e.g. model: "demo:${owner}".`, {
      owner,
      field: "model",
    });
  else checkModel(agent.model, owner, offer.providers, report);
  for (const tool of agent.tools) {
    if (!offer.tools || offer.tools.includes(tool)) continue;
    const near = nearest(tool, offer.tools);
    const hint = near ? `Did you mean "${near}"?` : `There are: ${offer.tools.join(", ")}.`;
    report("unknown-tool", "error", `Agent "${owner}" uses the tool "${tool}", which does not exist. ${hint}`, {
      owner,
      field: "tools",
      reference: tool,
    });
  }
  for (const [, name = ""] of agent.instructions.matchAll(/\$\{vars\.([^}]*)\}/g)) {
    if (flow.vars.has(name)) continue;
    const near = nearest(name, [...flow.vars.keys()]);
    report(
      "unknown-variable",
      "warning",
      `The instructions of "${owner}" use \${vars.${name}}, which is not under \`vars:\`.${near ? ` Did you mean ${near}?` : ""}`,
      { owner, field: "instructions" },
    );
  }
}

function checkModel(model: string, owner: string, providers: Offer["providers"], report: Report): void {
  if (!providers) return;
  const colon = model.indexOf(":");
  const [id, name] = colon < 0 ? ["openai", model] : [model.slice(0, colon), model.slice(colon + 1)];
  const provider = providers.find((one) => one.id === id);
  const field = "model";
  if (!provider) {
    const near = nearest(
      id,
      providers.map((one) => one.id),
    );
    report(
      "unknown-provider",
      "error",
      `Agent "${owner}" asks for the provider "${id}", which does not exist. ${near ? `Did you mean "${near}"?` : `There are: ${providers.map((one) => one.id).join(", ")}.`}`,
      { owner, field },
    );
  } else if (name.trim() === "")
    report(
      "unknown-model",
      "error",
      `Agent "${owner}" names the provider "${id}" but no model. Write e.g. "${id}:${provider.models[0] ?? "model"}".`,
      { owner, field },
    );
  else if (!provider.available)
    report(
      "missing-key",
      "error",
      `Agent "${owner}" needs ${provider.label}: set ${provider.missing ?? "its key"} and start again, or use a "demo:" model.`,
      { owner, field },
    );
  else if (provider.models.length > 0 && !provider.models.includes(name) && id !== "demo" && id !== "compatible")
    report(
      "unknown-model",
      "warning",
      `"${name}" is not in the list of ${provider.label} models. It is sent as it is.`,
      { owner, field },
    );
}

function checkTopology(flow: Flow, owner: string | null, expression: Expression | undefined, report: Report): void {
  const reported = new Set<string>();
  for (const { name } of expression ? namesOf(expression) : []) checkReference(flow, owner, name, reported, report);
}

function checkReference(flow: Flow, owner: string | null, name: string, reported: Set<string>, report: Report): void {
  if (findDeclaration(flow, name) || reported.has(name)) return;
  reported.add(name);
  const near = nearest(name, [...flow.agents.keys(), ...flow.groups.keys(), ...flow.swarms.keys()]);
  const hint = near ? `Did you mean "${near}"?` : "Declare it under `agents:`.";
  report("unknown-name", "error", `There is no agent, group or swarm "${name}". ${hint}`, { owner, reference: name });
}

function checkSwarm(flow: Flow, swarm: Swarm, owner: string | null, report: Report): void {
  const title = owner === null ? "The root swarm" : `Swarm "${owner}"`;
  const reported = new Set<string>();
  checkTopology(flow, owner, swarm.flow, report);
  for (const name of [...(swarm.agents ?? []), ...(swarm.edges ?? []).flat()])
    checkReference(flow, owner, name, reported, report);
  if (swarm.type !== "workflow")
    report(
      "unsupported",
      "error",
      `${title} is of type ${swarm.type}. This version runs swarms of type workflow; the text is kept as it is.`,
      { owner, field: "type" },
    );
}

/** Groups and swarms that hold themselves, directly or through others. */
function checkCycles(flow: Flow, report: Report): void {
  const state = new Map<string, "open" | "done">();
  const visit = (name: string, trail: readonly string[]): void => {
    if (state.get(name) === "done") return;
    const found = findDeclaration(flow, name);
    if (!found || found.kind === "agent") return;
    if (state.get(name) === "open") {
      const loop = [...trail.slice(trail.indexOf(name)), name];
      report("cycle", "error", `"${name}" holds itself: ${loop.join(" → ")}. Take one of them out.`, { owner: name });
      return;
    }
    if (trail.length >= limits.depth) {
      report(
        "too-deep",
        "error",
        `Groups and swarms nest more than ${limits.depth} deep at "${name}". Flatten some of them.`,
        { owner: name },
      );
      return;
    }
    state.set(name, "open");
    for (const member of membersOf(found.value)) visit(member, [...trail, name]);
    state.set(name, "done");
  };
  for (const name of [...flow.groups.keys(), ...flow.swarms.keys()]) visit(name, []);
}

function checkReached(flow: Flow, report: Report): void {
  const reached = new Set<string>();
  const waiting = membersOf(flow.swarm);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    const found = findDeclaration(flow, name);
    if (found && found.kind !== "agent") waiting.push(...membersOf(found.value));
  }
  // Nothing can be reached while the topology itself could not be read: that is said elsewhere.
  if (!flow.swarm.flow && membersOf(flow.swarm).length === 0) return;
  for (const name of [...flow.agents.keys(), ...flow.groups.keys(), ...flow.swarms.keys()])
    if (!reached.has(name))
      report(
        "not-reached",
        "warning",
        `"${name}" is declared but not in the flow, so it never runs. Connect it, or delete it.`,
        { owner: name },
      );
}
