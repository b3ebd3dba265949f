import { sourcesOf } from "../flow/expression";
import { type DeclarationTypes, type Flow, findDeclaration } from "../flow/flow";
import type { FlowProblem } from "../flow/problem";
import { clip } from "../flow/text-range";
import { rosterOf } from "./swarm-roster";

/** The problems of a swarm in its mode: too few members, a lead that is no agent, a handoff to an unknown member. */
export function checkSwarmMode(flow: Flow, swarm: DeclarationTypes["swarm"], owner: string | null): FlowProblem[] {
  if (swarm.mode === "workflow") return [];
  const title = owner === null ? "The root swarm" : `Swarm "${owner}"`;
  const roster = rosterOf(swarm);
  const createProblem = (
    severity: FlowProblem["severity"],
    code: FlowProblem["code"],
    message: string,
    field = "agents",
  ) => ({ code, severity, owner, field, message }) satisfies FlowProblem;
  if (roster.length === 0)
    return [
      createProblem(
        "error",
        "no-members",
        `${title} has no members. List them, e.g. agents: [triage, billing]; the first one starts.`,
      ),
    ];
  const problems =
    swarm.mode === "handoff"
      ? checkHandoffs(swarm, title, createProblem)
      : checkLead(flow, swarm, title, createProblem);
  const startNames = swarm.agents || !swarm.flow ? [] : sourcesOf(swarm.flow);
  if (startNames.length > 1) {
    const message = `${title} has several first members: ${startNames.join(", ")}. "${roster[0]}" ${swarm.mode === "handoff" ? "starts" : "leads"}, the first by name. List the members under \`agents:\` instead.`;
    problems.push(createProblem("warning", "invalid-value", message, "flow"));
  }
  return problems;
}

type CreateSwarmProblem = (
  severity: FlowProblem["severity"],
  code: FlowProblem["code"],
  message: string,
  field?: string,
) => FlowProblem;

/** The title inside a sentence. */
const toSentenceTitle = (title: string): string => title.slice(0, 1).toLowerCase() + title.slice(1);

function checkHandoffs(
  swarm: DeclarationTypes["swarm"],
  title: string,
  createProblem: CreateSwarmProblem,
): FlowProblem[] {
  const roster = rosterOf(swarm);
  const members = new Set(roster);
  const edges = swarm.edges ?? [];
  if (edges.length === 0 && roster.length > 1)
    return [
      createProblem(
        "warning",
        "no-handoffs",
        `No member of ${toSentenceTitle(title)} may hand over, so only "${roster[0]}" runs. Allow handoffs, e.g. edges: [[${roster[0]}, ${roster[1]}]].`,
      ),
    ];
  const unknownMembers = [...new Set(edges.flat())].filter((name) => !members.has(name));
  return unknownMembers.map((name) => ({
    ...createProblem(
      "warning",
      "not-reached",
      `"${clip(name)}" is no member of this swarm: no member hands over to it. Add it to \`agents:\`.`,
      "edges",
    ),
    reference: name,
  }));
}

function checkLead(
  flow: Flow,
  swarm: DeclarationTypes["swarm"],
  title: string,
  createProblem: CreateSwarmProblem,
): FlowProblem[] {
  const [lead = "", ...workers] = rosterOf(swarm);
  const problems: FlowProblem[] = [];
  const kind = findDeclaration(flow, lead)?.type;
  if (kind !== undefined && kind !== "agent")
    problems.push(
      createProblem(
        "error",
        "invalid-value",
        `"${clip(lead)}" leads ${toSentenceTitle(title)} and must be an agent; it is a ${kind}. List an agent first.`,
      ),
    );
  if (swarm.mode === "team" && workers.length === 0)
    problems.push(
      createProblem(
        "error",
        "no-members",
        `${title} is a team of one: "${clip(lead)}" has no workers to delegate to. Add a worker, e.g. agents: [${lead}, helper].`,
      ),
    );
  return problems;
}
