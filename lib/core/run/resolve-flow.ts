import { type Expression, namesOf } from "../flow/expression";
import { type Agent, type Flow, findDeclaration, type Group, limits, type Swarm } from "../flow/flow";
import { Graph, GraphError } from "../flow/graph";
import { declaredNames } from "../flow/members";
import { nearest } from "../flow/nearest";
import type { RunError } from "./events";

/** A topology with every name looked up: what can really run. A name that is used in two places is one shared object. */
export type Stage =
  | { type: "agent"; agent: Agent }
  | ContainerStage
  | { type: "serial"; members: readonly Stage[] }
  | { type: "parallel"; members: readonly Stage[]; separator: string };

export interface ContainerStage {
  type: "group" | "swarm";
  name: string;
  body: Stage;
}

export type ResolvedFlow = { ok: true; root: ContainerStage } | { ok: false; error: RunError };

/** Most steps (agents, groups and swarms, counted at every place where they stand) that one flow may have. */
const mostPlaces = 2 * limits.declarations;

/** Deepest nesting of serial and parallel inside one topology: each parenthesis holds at most one of each. */
const deepestExpression = 2 * limits.depth + 2;

/**
 * Looks up everything that the root swarm reaches. A flow that cannot run as a whole (a missing topology, an unknown
 * name, a group that holds itself, a mode that is not supported, far too many steps) is refused before the first model is
 * asked. Never throws.
 */
export function resolveFlow(flow: Flow): ResolvedFlow {
  try {
    return { ok: true, root: new Resolver(flow).resolve() };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ok: false, error: { code: "invalid-flow", message: error.message } };
  }
}

/** Leaves the resolver; never leaves this file. */
class Refusal extends Error {}

type Container = { kind: "group"; value: Group } | { kind: "swarm"; value: Swarm };

/** A finished group or swarm, with how deep it nests and how many steps it comes to. */
interface Built {
  stage: ContainerStage;
  depth: number;
  places: number;
}

class Resolver {
  readonly #flow: Flow;
  readonly #built = new Map<string, Built>();

  constructor(flow: Flow) {
    this.#flow = flow;
  }

  resolve(): ContainerStage {
    const root: Container = { kind: "swarm", value: this.#flow.swarm };
    const reached = this.#reach(root);
    for (const name of this.#order(reached)) {
      const container = reached.get(name);
      if (container) this.#built.set(name, this.#build(container, `${container.kind} "${name}"`));
    }
    return this.#build(root, "root swarm").stage;
  }

  /** Every group and swarm below the root, by name. */
  #reach(root: Container): Map<string, Container> {
    const reached = new Map<string, Container>();
    const waiting: Container[] = [root];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      for (const { name } of next.value.flow ? namesOf(next.value.flow) : []) {
        const found = findDeclaration(this.#flow, name);
        if (!found || found.kind === "agent" || reached.has(name)) continue;
        reached.set(name, found);
        waiting.push(found);
      }
    }
    return reached;
  }

  /** The names so that members come before what holds them. */
  #order(reached: ReadonlyMap<string, Container>): string[] {
    const graph = new Graph();
    for (const [name, { value }] of reached) {
      graph.addNode(name);
      for (const member of value.flow ? namesOf(value.flow) : [])
        if (reached.has(member.name)) graph.addEdge(name, member.name);
    }
    try {
      return graph.sort().reverse();
    } catch (error) {
      if (!(error instanceof GraphError)) throw error;
      const names = error.nodes.slice(0, 5).map((name) => `"${name}"`);
      throw new Refusal(`Groups or swarms hold themselves: ${names.join(", ")}. Take one out of the other.`);
    }
  }

  #build({ kind, value }: Container, title: string): Built {
    if (kind === "swarm" && value.type !== "workflow")
      throw new Refusal(`The ${title} is of type ${value.type}; this version runs swarms of type workflow.`);
    if (!value.flow)
      throw new Refusal(`The ${title} has no flow that can run. Write its flow, e.g. \`flow: planner >> writer\`.`);
    let [depth, places] = [0, 1];
    const used = new Set<string>();
    for (const { name } of namesOf(value.flow)) {
      if (used.has(name))
        throw new Refusal(`"${name}" stands in the ${title} twice. Declare a second one to do it again.`);
      used.add(name);
      const inner = this.#built.get(name);
      depth = Math.max(depth, inner?.depth ?? 0);
      places += inner?.places ?? 1;
    }
    if (depth > limits.depth)
      throw new Refusal(`Groups and swarms nest more than ${limits.depth} deep at the ${title}. Flatten some of them.`);
    if (places > mostPlaces)
      throw new Refusal(`The ${title} comes to more than ${mostPlaces} steps. Use groups in fewer places.`);
    const body = this.#stage(value.flow, value.separator, 0);
    return { stage: { type: kind, name: value.name, body }, depth: depth + 1, places };
  }

  #stage(expression: Expression, separator: string, depth: number): Stage {
    if (expression.type === "name") return this.#member(expression.name);
    if (depth > deepestExpression)
      throw new Refusal(`Parentheses nest more than ${limits.depth} deep. Move some of them into named groups.`);
    const members = expression.members.map((member) => this.#stage(member, separator, depth + 1));
    return expression.type === "serial" ? { type: "serial", members } : { type: "parallel", members, separator };
  }

  #member(name: string): Stage {
    const built = this.#built.get(name);
    if (built) return built.stage;
    const agent = this.#flow.agents.get(name);
    if (agent) return { type: "agent", agent };
    const near = nearest(name, declaredNames(this.#flow));
    const hint = near ? `Did you mean "${near}"?` : "Declare it under `agents:`.";
    throw new Refusal(`There is no agent, group or swarm "${name}". ${hint}`);
  }
}
