import { type Expression, namesOf } from "../flow/expression";
import { type Flow, findDeclaration, type JsonSchema } from "../flow/flow";
import { declaredNames, isEmptyFlow, partsOf } from "../flow/members";
import { type NodeKey, nodeKey } from "../flow/node-key";
import type { Problem } from "../flow/problem";
import { createSuggester } from "../flow/suggest-name";
import { clip } from "../flow/text-range";
import { lanesOf } from "../kinds/registry";
import type { Swarm } from "../kinds/swarm";
import { createAgentCheck, createRouterCheck } from "./check-agent";
import { checkNesting, checkReached, findPlaces } from "./check-nesting";
import { checkMode } from "./check-swarm-mode";

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
  /** Whether its models cost nothing, have prices in a list (those of `models` do), or have no known price. */
  prices?: "free" | "listed" | "unknown";
  /** Whether a model outside `models` is refused; else it is only pointed out. */
  missingModelIsError?: boolean;
}

/** A tool as the app offers it. */
export interface ToolOffer {
  name: string;
  description: string;
  /** Whether it would work now. */
  available: boolean;
  /** What must be set to make it work, e.g. `SEARXNG_URL`. */
  missing?: string;
  /** The JSON Schema of its arguments. */
  parameters?: JsonSchema;
}

/** What is wrong with a pattern that conditions look for, in a sentence; null when nothing is, as far as is known. */
export type CheckPattern = (pattern: string) => string | null;

/** What there is to run with. A missing part is not checked. */
export interface Offer {
  tools?: readonly string[];
  providers?: readonly ProviderOffer[];
  /** `findPatternMistake`, or a way to it: what reads patterns is large. */
  checkPattern?: CheckPattern;
  /** Whether a `provider:model` has a known price; null while that is not known. */
  isPriced?: (model: string) => boolean | null;
  /** What a run may cost at most here, whatever its flow allows, in US dollars. */
  costCeiling?: number | undefined;
}

/** A problem together with the declaration (and, for references, the name inside it) that it belongs to. */
export interface FlowProblem extends Problem {
  /** Declared name of the agent, group or swarm; `null` is the root swarm. */
  owner?: string | null;
  /** The field of the owner that is wrong. */
  field?: string;
  /** The name inside the owner's topology, or inside the list of `field`, that is wrong. */
  reference?: string;
  /** What to write instead of `reference`. */
  replacement?: string;
}

/**
 * Everything that is wrong with what a flow says, apart from the form of its text and from drawings that no text can
 * say. Linear in the size of the flow.
 */
export function checkFlow(flow: Flow, offer: Offer = {}): FlowProblem[] {
  const places = findPlaces(flow);
  const checkAgent = createAgentCheck(flow, offer);
  const checkRouter = createRouterCheck(flow, offer);
  const checkTopology = createTopologyCheck(flow);
  const found: FlowProblem[] = [...checkNames(flow)];
  if (flow.agents.size === 0) found.push(noAgents(flow));
  for (const agent of flow.agents.values())
    for (const problem of checkAgent(agent)) found.push({ ...problem, owner: agent.name });
  for (const group of flow.groups.values()) found.push(...checkTopology(group.name, group));
  for (const swarm of flow.swarms.values())
    found.push(...checkTopology(swarm.name, swarm), ...checkMode(flow, swarm, swarm.name));
  for (const control of flow.controls.values()) {
    const lanes = lanesOf(control).map(([, lane]) => lane);
    found.push(...checkTopology(control.name, { lanes }), ...checkRouter(control));
  }
  found.push(...checkTopology(null, flow.swarm), ...(isEmptyFlow(flow) ? [] : checkMode(flow, flow.swarm, null)));
  for (const problem of checkNesting(flow)) found.push({ ...problem, severity: "error" });
  for (const problem of checkReached(flow)) found.push({ ...problem, severity: "warning" });
  return found.map((problem) => withNodes(problem, places));
}

/** A new flow is empty and has no mistake; still nothing of it can run. */
const noAgents = (flow: Flow): FlowProblem =>
  isEmptyFlow(flow)
    ? { code: "no-agents", severity: "info", message: "The flow has no agents yet. Add one to run it." }
    : { code: "no-agents", severity: "error", message: "The flow has no agents. Add one under `agents:`." };

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
  return [...partsOf(flow).keys()].flatMap((owner): FlowProblem[] => {
    const control = flow.controls.get(owner);
    const kinds = [
      flow.agents.has(owner) ? ["an agent"] : [],
      flow.groups.has(owner) ? ["a group"] : [],
      flow.swarms.has(owner) ? ["a swarm"] : [],
      control ? [`${control.type === "approval" ? "an" : "a"} ${control.type}`] : [],
    ].flat();
    if (kinds.length < 2) return [];
    const message = `"${owner}" is ${kinds.join(" and ")}. All of them share one list of names: rename one.`;
    return [{ code: "name-taken", severity: "error", owner, message }];
  });
}

interface Members {
  flow?: Expression;
  agents?: readonly string[];
  edges?: Swarm["edges"];
  /** The ways of a control: each has a text of its own. */
  lanes?: readonly (Expression | undefined)[];
}

/** A check of the names that a group or swarm holds. */
function createTopologyCheck(flow: Flow): (owner: string | null, members: Members) => FlowProblem[] {
  const suggest = createSuggester(declaredNames(flow));
  return (owner, { flow: expression, agents = [], edges = [], lanes = [] }) => {
    const written = [expression, ...lanes].flatMap((part) => (part ? namesOf(part) : []));
    // Names of a text have ranges, and the parser has reported those that stand in it twice.
    const listed = written.flatMap(({ name, range }) => (range.to > range.from ? [] : [name]));
    const names = new Set([...written.map(({ name }) => name), ...agents, ...edges.flat()]);
    const unknown = [...names].filter((name) => !findDeclaration(flow, name));
    return [
      ...[...repeated(listed), ...repeated(agents), ...inSeveral(lanes)].map((name): FlowProblem => {
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

/** Names that stand in more than one of the lanes. */
const inSeveral = (lanes: readonly (Expression | undefined)[]): string[] =>
  repeated(lanes.flatMap((lane) => (lane ? [...new Set(namesOf(lane).map(({ name }) => name))] : [])));
