import { createAgentCheck } from "./check-agent";
import { checkNesting, checkReached, findPlaces } from "./check-structure";
import { type Expression, namesOf } from "./expression";
import { type Flow, findDeclaration, type Swarm } from "./flow";
import { type NodeKey, nodeKey } from "./keys";
import { declaredNames } from "./members";
import { createSuggester } from "./nearest";
import type { Problem } from "./problem";
import { clip } from "./text";

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
  /** Whether a model outside `models` is refused; else it is only pointed out. */
  missingModelIsError?: boolean;
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

/**
 * Everything that is wrong with what a flow says, apart from the form of its text and from drawings that no text can
 * say. Linear in the size of the flow.
 */
export function checkFlow(flow: Flow, offer: Offer = {}): FlowProblem[] {
  const places = findPlaces(flow);
  const checkAgent = createAgentCheck(flow, offer);
  const checkTopology = createTopologyCheck(flow);
  const found: FlowProblem[] = [...checkNames(flow)];
  if (flow.agents.size === 0)
    found.push({ code: "no-agents", severity: "error", message: "The flow has no agents. Add one under `agents:`." });
  for (const agent of flow.agents.values())
    for (const problem of checkAgent(agent)) found.push({ ...problem, owner: agent.name });
  for (const group of flow.groups.values()) found.push(...checkTopology(group.name, group));
  for (const swarm of flow.swarms.values())
    found.push(...checkTopology(swarm.name, swarm), ...checkMode(swarm, swarm.name));
  found.push(...checkTopology(null, flow.swarm), ...checkMode(flow.swarm, null));
  for (const problem of checkNesting(flow)) found.push({ ...problem, severity: "error" });
  for (const problem of checkReached(flow)) found.push({ ...problem, severity: "warning" });
  return found.map((problem) => withNodes(problem, places));
}

/** The cards concerned: the owner's, or for a name inside it the cards of that name there. */
function withNodes(problem: FlowProblem, places: ReadonlyMap<string, readonly NodeKey[]>): FlowProblem {
  const { owner, reference, code } = problem;
  if (owner === undefined) return problem;
  const own = owner === null ? [""] : places.get(owner);
  if (!own) return { ...problem, nodes: [nodeKey("", owner ?? "")] };
  const inside = code === "unknown-name" || code === "duplicate-name" ? reference : undefined;
  if (inside !== undefined) return { ...problem, nodes: own.map((place) => nodeKey(place, inside)) };
  return owner === null ? problem : { ...problem, nodes: own };
}

function checkNames(flow: Flow): FlowProblem[] {
  const names = new Set([...flow.groups.keys(), ...flow.swarms.keys()]);
  return [...names].flatMap((owner): FlowProblem[] => {
    const kinds = [
      flow.agents.has(owner) ? ["an agent"] : [],
      flow.groups.has(owner) ? ["a group"] : [],
      flow.swarms.has(owner) ? ["a swarm"] : [],
    ].flat();
    if (kinds.length < 2) return [];
    const message = `"${owner}" is ${kinds.join(" and ")}. Agents, groups and swarms share one list of names: rename one.`;
    return [{ code: "name-taken", severity: "error", owner, message }];
  });
}

interface Members {
  flow?: Expression;
  agents?: readonly string[];
  edges?: Swarm["edges"];
}

/** A check of the names that a group or swarm holds. */
function createTopologyCheck(flow: Flow): (owner: string | null, members: Members) => FlowProblem[] {
  const suggest = createSuggester(declaredNames(flow));
  return (owner, { flow: expression, agents = [], edges = [] }) => {
    const written = expression ? namesOf(expression) : [];
    // Names of a text have ranges, and the parser has reported those that stand in it twice.
    const listed = written.flatMap(({ name, range }) => (range.to > range.from ? [] : [name]));
    const names = new Set([...written.map(({ name }) => name), ...agents, ...edges.flat()]);
    const unknown = [...names].filter((name) => !findDeclaration(flow, name));
    return [
      ...[...repeated(listed), ...repeated(agents)].map((name): FlowProblem => {
        const message = `"${clip(name)}" is listed twice. Each name may be used once: remove one, or declare a second agent.`;
        return { code: "duplicate-name", severity: "error", owner, reference: name, message };
      }),
      ...unknown.map((name): FlowProblem => {
        const near = suggest(name);
        const hint = near === null ? "Declare it under `agents:`." : `Did you mean "${near}"?`;
        const message = `There is no agent, group or swarm "${clip(name)}". ${hint}`;
        return { code: "unknown-name", severity: "error", owner, reference: name, message };
      }),
    ];
  };
}

function repeated(names: readonly string[]): string[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const name of names) (seen.has(name) ? twice : seen).add(name);
  return [...twice];
}

function checkMode(swarm: Swarm, owner: string | null): FlowProblem[] {
  if (swarm.type === "workflow") return [];
  const title = owner === null ? "The root swarm" : `Swarm "${owner}"`;
  const mode: FlowProblem = {
    code: "unsupported",
    severity: "error",
    owner,
    field: "type",
    message: `${title} is of type ${swarm.type}. This version runs swarms of type workflow; the text is kept as it is.`,
  };
  if (swarm.flow || (swarm.agents ?? []).length > 0) return [mode];
  const message = `${title} has no members. List them, e.g. agents: [triage, billing]; the first one starts.`;
  return [mode, { code: "no-members", severity: "error", owner, message }];
}
