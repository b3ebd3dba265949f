import { targetsOf } from "../../kinds/engine-tools";
import type { Swarm } from "../../kinds/swarm";
import { rosterOf } from "../../kinds/swarm-roster";
import { type DeclarationCompiler, InvalidFlowError, type PlanCompiler } from "./plan-compiler";
import type { LeadAndWorkers, PlanNode, PlanNodeOf, SwarmMember } from "./plan-node";

export const swarmCompiler: DeclarationCompiler<Swarm, PlanNodeOf<"swarm">> = {
  compile: (swarm, title, compiler) => ({
    type: "swarm",
    name: swarm.name,
    body: bodyCompilers[swarm.mode](swarm, title, compiler),
  }),
};

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
    ...compileLead(swarm, title, compiler),
    max_concurrent: swarm.max_concurrent,
    max_agents: swarm.max_agents,
  }),
};

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
