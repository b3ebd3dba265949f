import type { Condition } from "../../condition/condition";
import { parseCondition } from "../../condition/parse";
import { toGraph } from "../../dsl/series-parallel";
import { type Expression, nameExpression, namesOf, serialExpression } from "../../flow/expression";
import { defaultSeparator, type Flow, limits } from "../../flow/flow";
import { compareCodePoints } from "../../flow/graph";
import { nearest } from "../../flow/suggest-name";
import { orderContainers } from "../../kinds/container-order";
import { type Container, declaredNames } from "../../kinds/members";
import { membersOf } from "../../kinds/registry";
import type { RunError } from "../events/events";
import type { AnswerPort } from "../ports/answers";
import { builtInCompilers, compileDeclaration } from "./compiler-registry";
import { InvalidFlowError, type PlanCompiler, type TopologyOptions } from "./plan-compiler";
import type { NamedPlanNode, PlanNode, PlanNodeOf } from "./plan-node";

/** The plan of a flow: its root swarm. Or why the flow cannot run. */
export type ResolvedFlow = { ok: true; root: PlanNodeOf<"swarm"> } | { ok: false; error: RunError };

/** Most nodes (agents, groups, swarms and controls, counted once for each use) of one plan. */
const mostNodes = 2 * limits.declarations;

/** Deepest nesting of serial and parallel inside one topology: each parenthesis adds at most one of each. */
const deepestExpression = 2 * limits.depth + 2;

/**
 * Compiles everything that the root swarm contains. A flow that cannot run as a whole (a missing topology, an unknown
 * name, a group that contains itself, an invalid condition or schema, far too many nodes) is refused before the first
 * model is called. Never throws. `answers` reads answers by a schema; missing: this thread does.
 */
export async function resolveFlow(flow: Flow, answers?: AnswerPort): Promise<ResolvedFlow> {
  const hasSchemas = [...flow.agents.values()].some((agent) => agent.output_schema);
  const schemas = hasSchemas ? await checkSchemas(flow, answers) : null;
  try {
    return { ok: true, root: new FlowCompiler(flow, schemas).compile() };
  } catch (error) {
    if (!(error instanceof InvalidFlowError)) throw error;
    return { ok: false, error: { code: "invalid-flow", message: error.message } };
  }
}

/** The plan of a flow that runs; null: it cannot run. Its agents do not read answers by their schemas. */
export function planFlow(flow: Flow): PlanNodeOf<"swarm"> | null {
  try {
    return new FlowCompiler(flow, null).compile();
  } catch (error) {
    if (error instanceof InvalidFlowError) return null;
    throw error;
  }
}

/** How answers are read, and by agent why its schema cannot be used. */
interface CheckedSchemas {
  answers: AnswerPort;
  mistakes: ReadonlyMap<string, string>;
}

async function checkSchemas(flow: Flow, givenPort: AnswerPort | undefined): Promise<CheckedSchemas> {
  // The schema compiler takes half as long to load as the rest of the engine, and most flows do without.
  const answers = givenPort ?? (await import("./answer-schema")).createAnswerPort();
  const mistakes = new Map<string, string>();
  for (const { name, output_schema: schema } of flow.agents.values()) {
    const mistake = schema ? await answers.findSchemaMistake(schema) : null;
    if (mistake !== null) mistakes.set(name, mistake);
  }
  return { answers, mistakes };
}

/** A compiled declaration, with its nesting depth and its number of nodes. */
interface CompiledDeclaration {
  planNode: NamedPlanNode;
  depth: number;
  nodes: number;
}

class FlowCompiler implements PlanCompiler {
  readonly #compiled = new Map<string, CompiledDeclaration>();

  /** `schemas` may be null for flows without schemas. */
  constructor(
    readonly flow: Flow,
    private readonly schemas: CheckedSchemas | null,
  ) {}

  compile(): PlanNodeOf<"swarm"> {
    for (const container of this.#listInOrder()) {
      const { name } = container;
      const title = `${container.type} "${name}"`;
      const size = this.#measure(container, title);
      this.#compiled.set(name, { ...size, planNode: compileDeclaration(container, title, this) });
    }
    this.#measure(this.flow.swarm, "root swarm");
    return builtInCompilers.swarm.compile(this.flow.swarm, "root swarm", this);
  }

  /** The containers that the root swarm reaches; members precede their containers. */
  #listInOrder(): Container[] {
    const { order, cycles } = orderContainers(this.flow, membersOf(this.flow.swarm));
    const [cycle] = cycles;
    if (!cycle) return order;
    const start = cycle.indexOf(cycle.toSorted(compareCodePoints)[0] ?? "");
    const names = [...cycle.slice(start), ...cycle.slice(0, start)].slice(0, 5).map((name) => `"${name}"`);
    throw new InvalidFlowError(`Groups or swarms contain themselves: ${names.join(", ")}. Take one out of the other.`);
  }

  /** Refuses what nests too deeply or has too many nodes. */
  #measure(container: Container, title: string): Omit<CompiledDeclaration, "planNode"> {
    let [depth, nodes] = [0, 1];
    for (const name of membersOf(container)) {
      const member = this.#compiled.get(name);
      depth = Math.max(depth, member?.depth ?? 0);
      nodes += member?.nodes ?? 1;
    }
    if (depth > limits.depth)
      throw new InvalidFlowError(
        `Groups and swarms nest more than ${limits.depth} deep at the ${title}. Flatten some of them.`,
      );
    if (nodes > mostNodes)
      throw new InvalidFlowError(`The ${title} has more than ${mostNodes} steps. Use groups in fewer places.`);
    return { depth: depth + 1, nodes };
  }

  condition(text: string, title: string): Condition {
    const { expression, problems } = parseCondition(text);
    if (expression) return expression;
    throw new InvalidFlowError(
      `The condition of the ${title} cannot be read: ${problems[0]?.message ?? "it is empty"}`,
    );
  }

  lane(flow: Expression | undefined): PlanNode | null {
    return flow ? this.#expression(flow, defaultSeparator, 0) : null;
  }

  topology(
    flow: Expression | undefined,
    title: string,
    { separator, keepGoing, isChain = false }: TopologyOptions,
  ): PlanNode {
    if (!flow)
      throw new InvalidFlowError(
        `The ${title} has no flow that can run. Write its flow, e.g. \`flow: planner >> writer\`.`,
      );
    const names = new Set<string>();
    for (const { name } of namesOf(flow)) {
      if (names.has(name))
        throw new InvalidFlowError(`"${name}" occurs in the ${title} twice. Declare a second one to do it again.`);
      names.add(name);
    }
    const planNode = this.#expression(isChain ? toChain(flow) : flow, separator, 0);
    return planNode.type === "parallel" ? { ...planNode, keepGoing } : planNode;
  }

  #expression(expression: Expression, separator: string, depth: number): PlanNode {
    if (expression.type === "name") return this.member(expression.name);
    if (depth > deepestExpression)
      throw new InvalidFlowError(
        `Parentheses nest more than ${limits.depth} deep. Move some of them into named groups.`,
      );
    const members = expression.members.map((member) => this.#expression(member, separator, depth + 1));
    return expression.type === "serial"
      ? { type: "serial", members }
      : { type: "parallel", members, separator, keepGoing: false };
  }

  member(name: string): NamedPlanNode {
    const compiled = this.#compiled.get(name);
    if (compiled) return compiled.planNode;
    const agent = this.flow.agents.get(name);
    if (!agent) {
      const suggestion = nearest(name, declaredNames(this.flow));
      const hint = suggestion ? `Did you mean "${suggestion}"?` : "Declare it under `agents:`.";
      throw new InvalidFlowError(`There is no agent, group or swarm "${name}". ${hint}`);
    }
    const { output_schema: schema } = agent;
    if (!schema || !this.schemas) return { type: "agent", name, agent };
    const { answers, mistakes } = this.schemas;
    const mistake = mistakes.get(name);
    if (mistake !== undefined) throw new InvalidFlowError(`The output_schema of "${name}" is no schema: ${mistake}`);
    return { type: "agent", name, agent, parseAnswer: (text) => answers.read(schema, text) };
  }
}

/** Orbiter's meaning of a DSL text: an order, in which each member gets the output of the one before. */
const toChain = (flow: Expression): Expression =>
  serialExpression(
    toGraph(flow)
      .sort()
      .map((name) => nameExpression(name)),
  );
