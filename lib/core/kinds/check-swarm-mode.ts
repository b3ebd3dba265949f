import { sourcesOf } from "../flow/expression";
import { type DeclarationTypes, type Flow, findDeclaration } from "../flow/flow";
import type { FlowProblem } from "../flow/problem";
import { clip } from "../flow/text-range";
import { rosterOf } from "./swarm-roster";

/** What is wrong with a swarm by its mode: too few members, a lead that is no agent, a handoff that leads nowhere. */
export function checkSwarmMode(flow: Flow, swarm: DeclarationTypes["swarm"], owner: string | null): FlowProblem[] {
  if (swarm.mode === "workflow") return [];
  const title = owner === null ? "The root swarm" : `Swarm "${owner}"`;
  const roster = rosterOf(swarm);
  const say = (severity: FlowProblem["severity"], code: FlowProblem["code"], message: string, field = "agents") =>
    ({ code, severity, owner, field, message }) satisfies FlowProblem;
  if (roster.length === 0)
    return [
      say(
        "error",
        "no-members",
        `${title} has no members. List them, e.g. agents: [triage, billing]; the first one starts.`,
      ),
    ];
  const problems = swarm.mode === "handoff" ? checkHandoffs(swarm, title, say) : checkLead(flow, swarm, title, say);
  const first = swarm.agents || !swarm.flow ? [] : sourcesOf(swarm.flow);
  if (first.length > 1) {
    const message = `${title} says several firsts: ${first.join(", ")}. "${roster[0]}" ${swarm.mode === "handoff" ? "starts" : "leads"}, the first by name. List the members under \`agents:\` instead.`;
    problems.push(say("warning", "invalid-value", message, "flow"));
  }
  return problems;
}

type Say = (
  severity: FlowProblem["severity"],
  code: FlowProblem["code"],
  message: string,
  field?: string,
) => FlowProblem;

/** The title inside a sentence. */
const toInner = (title: string): string => title.slice(0, 1).toLowerCase() + title.slice(1);

function checkHandoffs(swarm: DeclarationTypes["swarm"], title: string, say: Say): FlowProblem[] {
  const roster = rosterOf(swarm);
  const members = new Set(roster);
  const edges = swarm.edges ?? [];
  if (edges.length === 0 && roster.length > 1)
    return [
      say(
        "warning",
        "no-handoffs",
        `Nobody in ${toInner(title)} may hand over, so only "${roster[0]}" runs. Say who may, e.g. edges: [[${roster[0]}, ${roster[1]}]].`,
      ),
    ];
  const strangers = [...new Set(edges.flat())].filter((name) => !members.has(name));
  return strangers.map((name) => ({
    ...say(
      "warning",
      "not-reached",
      `"${clip(name)}" is no member of this swarm: nobody hands over to it. Add it to \`agents:\`.`,
      "edges",
    ),
    reference: name,
  }));
}

function checkLead(flow: Flow, swarm: DeclarationTypes["swarm"], title: string, say: Say): FlowProblem[] {
  const [lead = "", ...workers] = rosterOf(swarm);
  const problems: FlowProblem[] = [];
  const kind = findDeclaration(flow, lead)?.type;
  if (kind !== undefined && kind !== "agent")
    problems.push(
      say(
        "error",
        "invalid-value",
        `"${clip(lead)}" leads ${toInner(title)} and must be an agent; it is a ${kind}. List an agent first.`,
      ),
    );
  if (swarm.mode === "team" && workers.length === 0)
    problems.push(
      say(
        "error",
        "no-members",
        `${title} is a team of one: "${clip(lead)}" has nobody to delegate to. Add a worker, e.g. agents: [${lead}, helper].`,
      ),
    );
  return problems;
}
