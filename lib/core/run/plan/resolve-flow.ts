import { parseCondition } from "../../condition/parse";
import { toGraph } from "../../dsl/series-parallel";
import { type Expression, nameExpression, namesOf, serialExpression } from "../../flow/expression";
import { type Flow, limits } from "../../flow/flow";
import { Graph, GraphError } from "../../flow/graph";
import { nearest } from "../../flow/suggest-name";
import { targetsOf } from "../../kinds/engine-tools";
import type { Group } from "../../kinds/group";
import { type Container, containersOf, declaredNames, isControl, isGroup } from "../../kinds/members";
import { membersOf } from "../../kinds/registry";
import type { Swarm } from "../../kinds/swarm";
import { rosterOf } from "../../kinds/swarm-roster";
import type { RunError } from "../events/events";
import type { LeadAndWorkers, NamedPlanNode, PlanNode, SwarmMember, SwarmPlanNode } from "./plan-node";

export type ResolvedFlow = { ok: true; root: SwarmPlanNode } | { ok: false; error: RunError };

/** Most steps (agents, groups, swarms and controls, counted at every place where they stand) that one flow may have. */
const mostPlaces = 2 * limits.declarations;

/** Deepest nesting of serial and parallel inside one topology: each parenthesis holds at most one of each. */
const deepestExpression = 2 * limits.depth + 2;

/**
 * Looks up everything that the root swarm reaches. A flow that cannot run as a whole (a missing topology, an unknown
 * name, a group that holds itself, a condition or schema that cannot be read, far too many steps) is refused before the
 * first model is asked. Never throws.
 */
export async function resolveFlow(flow: Flow): Promise<ResolvedFlow> {
  const hasSchemas = [...flow.agents.values()].some((agent) => agent.output_schema);
  // What reads answers takes half as long to load as the rest of the engine, and most flows do without.
  const answers = hasSchemas ? await import("./answer-schema") : null;
  try {
    return { ok: true, root: new Resolver(flow, answers).resolve() };
  } catch (error) {
    if (!(error instanceof InvalidFlowError)) throw error;
    return { ok: false, error: { code: "invalid-flow", message: error.message } };
  }
}

/** Leaves the resolver; never leaves this file. */
class InvalidFlowError extends Error {}

/** A finished part, with how deep it nests and how many steps it comes to. */
interface ResolvedPart {
  planNode: NamedPlanNode;
  depth: number;
  places: number;
}

class Resolver {
  readonly #flow: Flow;
  readonly #answers: typeof import("./answer-schema") | null;
  readonly #parts: ReadonlyMap<string, Container>;
  readonly #built = new Map<string, ResolvedPart>();

  /** `answers` may be missing for flows without schemas. */
  constructor(flow: Flow, answers: typeof import("./answer-schema") | null) {
    this.#flow = flow;
    this.#answers = answers;
    this.#parts = containersOf(flow);
  }

  resolve(): SwarmPlanNode {
    const reached = this.#reach();
    for (const name of this.#order(reached)) {
      const part = reached.get(name);
      if (part)
        this.#built.set(
          name,
          this.#measured(part, toTitle(part), () => this.#build(part)),
        );
    }
    const { swarm } = this.#flow;
    const build = (): SwarmPlanNode => ({
      type: "swarm",
      name: swarm.name,
      body: this.#swarmBody(swarm, "root swarm"),
    });
    this.#measured(swarm, "root swarm", build);
    return build();
  }

  /** Every part below the root, by name. */
  #reach(): Map<string, Container> {
    const reached = new Map<string, Container>();
    const waiting: Container[] = [this.#flow.swarm];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      for (const name of membersOf(next)) {
        const found = this.#parts.get(name);
        if (!found || reached.has(name)) continue;
        reached.set(name, found);
        waiting.push(found);
      }
    }
    return reached;
  }

  /** The names so that members come before what holds them. */
  #order(reached: ReadonlyMap<string, Container>): string[] {
    const graph = new Graph();
    for (const [name, part] of reached) {
      graph.addNode(name);
      for (const member of membersOf(part)) if (reached.has(member)) graph.addEdge(name, member);
    }
    try {
      return graph.sort().reverse();
    } catch (error) {
      if (!(error instanceof GraphError)) throw error;
      const names = error.nodes.slice(0, 5).map((name) => `"${name}"`);
      throw new InvalidFlowError(`Groups or swarms hold themselves: ${names.join(", ")}. Take one out of the other.`);
    }
  }

  /** Refuses what nests too deep or comes to too many steps. */
  #measured(part: Container, title: string, build: () => NamedPlanNode): ResolvedPart {
    let [depth, places] = [0, 1];
    for (const name of membersOf(part)) {
      const inner = this.#built.get(name);
      depth = Math.max(depth, inner?.depth ?? 0);
      places += inner?.places ?? 1;
    }
    if (depth > limits.depth)
      throw new InvalidFlowError(
        `Groups and swarms nest more than ${limits.depth} deep at the ${title}. Flatten some of them.`,
      );
    if (places > mostPlaces)
      throw new InvalidFlowError(`The ${title} comes to more than ${mostPlaces} steps. Use groups in fewer places.`);
    return { planNode: build(), depth: depth + 1, places };
  }

  #build(part: Container): NamedPlanNode {
    const title = toTitle(part);
    if (isControl(part)) return this.#control(part, title);
    if (isGroup(part)) {
      const options = { separator: part.separator, keepGoing: part.on_error === "continue" };
      return { type: "group", name: part.name, body: this.#topology(part, title, options) };
    }
    return { type: "swarm", name: part.name, body: this.#swarmBody(part, title) };
  }

  #swarmBody(swarm: Swarm, title: string): PlanNode {
    const { separator } = swarm;
    switch (swarm.mode) {
      case "workflow":
        return this.#topology(swarm, title, { separator, keepGoing: false });
      case "handoff": {
        const members = this.#members(swarm, title);
        return {
          type: "handoff",
          members: new Map(members.map((member) => [member.name, member])),
          start: members[0]?.name ?? "",
          targets: targetsOf(swarm),
          max_handoffs: swarm.max_handoffs,
          byTextOnly: this.#flow.compat === "orbiter",
        };
      }
      case "team":
        return { type: "team", ...this.#ledBy(swarm, title) };
      case "orchestrate":
        return {
          type: "orchestrate",
          ...this.#ledBy(swarm, title),
          max_concurrent: swarm.max_concurrent,
          max_agents: swarm.max_agents,
        };
    }
  }

  #members(swarm: Swarm, title: string): SwarmMember[] {
    const names = rosterOf(swarm);
    if (names.length === 0)
      throw new InvalidFlowError(`The ${title} has no members. List them, e.g. agents: [triage, billing].`);
    return names.map((name) => ({
      name,
      planNode: this.#member(name),
      description: this.#flow.agents.get(name)?.description ?? "",
    }));
  }

  #ledBy(swarm: Swarm, title: string): LeadAndWorkers {
    const [first, ...workers] = this.#members(swarm, title);
    if (first?.planNode.type !== "agent")
      throw new InvalidFlowError(`"${first?.name}" leads the ${title} and must be an agent. List an agent first.`);
    if (swarm.mode === "team" && workers.length === 0)
      throw new InvalidFlowError(
        `The ${title} is a team of one: "${first.name}" has nobody to delegate to. Add a worker.`,
      );
    return { lead: first.planNode, workers };
  }

  #control(
    control: Extract<Container, { type: "branch" | "router" | "loop" | "approval" }>,
    title: string,
  ): NamedPlanNode {
    const { name } = control;
    switch (control.type) {
      case "branch":
        return {
          type: "branch",
          name,
          condition: this.#condition(control.condition, title),
          ifTrue: this.#lane(control.if_true),
          ifFalse: this.#lane(control.if_false),
        };
      case "router": {
        if (control.lanes.size === 0)
          throw new InvalidFlowError(`The ${title} has no lanes. Write at least one under \`lanes:\`.`);
        const lanes = [...control.lanes].map(([lane, { when, flow }]) => ({ lane, when, body: this.#lane(flow) }));
        return { type: "router", name, model: control.model, instructions: control.instructions, lanes };
      }
      case "loop": {
        const body = this.#lane(control.body);
        if (!body)
          throw new InvalidFlowError(`The ${title} has no body that can run. Write e.g. body: writer >> critic.`);
        const ways = [control.count, control.while, control.for_each].filter((way) => way !== undefined);
        if (ways.length !== 1)
          throw new InvalidFlowError(`The ${title} needs exactly one of count, while and for_each.`);
        return {
          type: "loop",
          name,
          body,
          limit: control.limit,
          separator: control.separator,
          ...(control.count !== undefined && { count: control.count }),
          ...(control.while !== undefined && { condition: this.#condition(control.while, title) }),
          ...(control.for_each !== undefined && { items: this.#condition(control.for_each, title) }),
        };
      }
      case "approval":
        return { type: "approval", name, message: control.message, timeoutSeconds: control.timeout_seconds };
    }
  }

  #condition(text: string, title: string) {
    const { expression, problems } = parseCondition(text);
    if (expression) return expression;
    throw new InvalidFlowError(
      `The condition of the ${title} cannot be read: ${problems[0]?.message ?? "it is empty"}`,
    );
  }

  #lane(flow: Expression | undefined): PlanNode | null {
    return flow ? this.#expression(flow, "\n\n", 0) : null;
  }

  #topology(part: Group | Swarm, title: string, options: { separator: string; keepGoing: boolean }): PlanNode {
    if (!part.flow)
      throw new InvalidFlowError(
        `The ${title} has no flow that can run. Write its flow, e.g. \`flow: planner >> writer\`.`,
      );
    const used = new Set<string>();
    for (const { name } of namesOf(part.flow)) {
      if (used.has(name))
        throw new InvalidFlowError(`"${name}" stands in the ${title} twice. Declare a second one to do it again.`);
      used.add(name);
    }
    const chained = part.mode === "workflow" && this.#flow.compat === "orbiter";
    const stage = this.#expression(chained ? toChain(part.flow) : part.flow, options.separator, 0);
    return stage.type === "parallel" ? { ...stage, keepGoing: options.keepGoing } : stage;
  }

  #expression(expression: Expression, separator: string, depth: number): PlanNode {
    if (expression.type === "name") return this.#member(expression.name);
    if (depth > deepestExpression)
      throw new InvalidFlowError(
        `Parentheses nest more than ${limits.depth} deep. Move some of them into named groups.`,
      );
    const members = expression.members.map((member) => this.#expression(member, separator, depth + 1));
    return expression.type === "serial"
      ? { type: "serial", members }
      : { type: "parallel", members, separator, keepGoing: false };
  }

  #member(name: string): NamedPlanNode {
    const built = this.#built.get(name);
    if (built) return built.planNode;
    const agent = this.#flow.agents.get(name);
    if (agent) {
      if (!agent.output_schema || !this.#answers) return { type: "agent", name, agent };
      const answer = this.#answers.compileAnswer(agent.output_schema);
      if (answer.ok) return { type: "agent", name, agent, parseAnswer: answer.read };
      throw new InvalidFlowError(`The output_schema of "${name}" is no schema: ${answer.message}`);
    }
    const near = nearest(name, declaredNames(this.#flow));
    const hint = near ? `Did you mean "${near}"?` : "Declare it under `agents:`.";
    throw new InvalidFlowError(`There is no agent, group or swarm "${name}". ${hint}`);
  }
}

function toTitle(part: Container): string {
  const kind = isControl(part) ? part.type : isGroup(part) ? "group" : "swarm";
  return `${kind} "${part.name}"`;
}

/** Orbiter's meaning of a DSL text: an order, in which each gets the answer before it and nothing runs at once. */
const toChain = (flow: Expression): Expression =>
  serialExpression(
    toGraph(flow)
      .sort()
      .map((name) => nameExpression(name)),
  );
