import type { Declaration, DeclarationTypes, NodeType } from "../../flow/flow";
import { targetsOf } from "../../kinds/engine-tools";
import type { Swarm } from "../../kinds/swarm";
import { rosterOf } from "../../kinds/swarm-roster";
import { type DeclarationCompiler, InvalidFlowError, type PlanCompiler } from "./plan-compiler";
import type { LeadAndWorkers, NamedPlanNode, PlanNode, PlanNodeOf, SwarmMember } from "./plan-node";

/** How declarations of each type are compiled. */
export const builtInCompilers = {
  group: {
    compile: ({ type, name, flow, separator, on_error }, title, compiler) => ({
      type,
      name,
      body: compiler.topology(flow, title, { separator, keepGoing: on_error === "continue" }),
    }),
  },
  swarm: {
    compile: (swarm, title, compiler) => ({
      type: swarm.type,
      name: swarm.name,
      body: bodyCompilers[swarm.mode](swarm, title, compiler),
    }),
  },
  branch: {
    compile: ({ type, name, condition, if_true, if_false }, title, compiler) => ({
      type,
      name,
      condition: compiler.condition(condition, title),
      ifTrue: compiler.lane(if_true),
      ifFalse: compiler.lane(if_false),
    }),
  },
  router: {
    compile({ lanes, ...router }, title, compiler) {
      if (lanes.size === 0)
        throw new InvalidFlowError(`The ${title} has no lanes. Write at least one under \`lanes:\`.`);
      return {
        ...router,
        lanes: [...lanes].map(([lane, { when, flow }]) => ({ lane, when, body: compiler.lane(flow) })),
      };
    },
  },
  loop: {
    compile({ body: flow, while: condition, for_each: items, ...loop }, title, compiler) {
      const body = compiler.lane(flow);
      if (!body)
        throw new InvalidFlowError(`The ${title} has no body that can run. Write e.g. body: writer >> critic.`);
      if ([loop.count, condition, items].filter((repetition) => repetition !== undefined).length !== 1)
        throw new InvalidFlowError(`The ${title} needs exactly one of count, while and for_each.`);
      return {
        ...loop,
        body,
        ...(condition !== undefined && { condition: compiler.condition(condition, title) }),
        ...(items !== undefined && { items: compiler.condition(items, title) }),
      };
    },
  },
  approval: { compile: (approval) => approval },
} satisfies { readonly [Type in NodeType]?: DeclarationCompiler<DeclarationTypes[Type]> };

const compilers = new Map<string, DeclarationCompiler>(Object.entries<DeclarationCompiler>(builtInCompilers));

/** Adds the compiler of a node type that can contain others, or directs the flow. */
export function registerCompiler(type: NodeType, compiler: DeclarationCompiler): void {
  compilers.set(type, compiler);
}

export function compileDeclaration(declaration: Declaration, title: string, compiler: PlanCompiler): NamedPlanNode {
  const declarationCompiler = compilers.get(declaration.type);
  if (!declarationCompiler) throw new Error(`No compiler is registered for the type ${declaration.type}.`);
  return declarationCompiler.compile(declaration, title, compiler);
}

const bodyCompilers: Record<Swarm["mode"], (swarm: Swarm, title: string, compiler: PlanCompiler) => PlanNode> = {
  workflow: ({ flow, separator }, title, compiler) =>
    compiler.topology(flow, title, { separator, keepGoing: false, isChain: compiler.flow.compat === "orbiter" }),
  handoff(swarm, title, compiler) {
    const members = compileMembers(swarm, title, compiler);
    return {
      type: "handoff",
      members: new Map(members.map((member) => [member.name, member])),
      start: members[0]?.name ?? "",
      targets: targetsOf(swarm),
      max_handoffs: swarm.max_handoffs,
      byTextOnly: compiler.flow.compat === "orbiter",
    };
  },
  team(swarm, title, compiler) {
    const { lead, workers } = compileLead(swarm, title, compiler);
    if (workers.length === 0)
      throw new InvalidFlowError(
        `The ${title} is a team of one: "${lead.name}" has no workers to delegate to. Add a worker.`,
      );
    return { type: "team", lead, workers };
  },
  orchestrate: (swarm, title, compiler) => ({
    type: "orchestrate",
    ...toSequential(compileLead(swarm, title, compiler)),
    max_concurrent: swarm.max_concurrent,
    max_agents: swarm.max_agents,
  }),
};

/** The agents of an orchestrate swarm run the tool calls of one turn in call order, where they do not declare otherwise. */
function toSequential({ lead, workers }: LeadAndWorkers): LeadAndWorkers {
  const inOrder = (planNode: PlanNodeOf<"agent">): PlanNodeOf<"agent"> => {
    const { agent } = planNode;
    return { ...planNode, agent: { ...agent, tool_calls: agent.tool_calls ?? "sequential" } };
  };
  return {
    lead: inOrder(lead),
    workers: workers.map((worker) =>
      "agent" in worker.planNode ? { ...worker, planNode: inOrder(worker.planNode) } : worker,
    ),
  };
}

function compileMembers(swarm: Swarm, title: string, compiler: PlanCompiler): SwarmMember[] {
  const names = rosterOf(swarm);
  if (names.length === 0)
    throw new InvalidFlowError(`The ${title} has no members. List them, e.g. agents: [triage, billing].`);
  return names.map((name) => ({
    name,
    planNode: compiler.member(name),
    description: compiler.flow.agents.get(name)?.description ?? "",
  }));
}

function compileLead(swarm: Swarm, title: string, compiler: PlanCompiler): LeadAndWorkers {
  const [lead, ...workers] = compileMembers(swarm, title, compiler);
  if (!lead || !("agent" in lead.planNode))
    throw new InvalidFlowError(`"${lead?.name}" leads the ${title} and must be an agent. List an agent first.`);
  return { lead: lead.planNode, workers };
}
