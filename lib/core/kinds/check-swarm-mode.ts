import { sourcesOf } from "../flow/expression";
import { type DeclarationTypes, type Flow, findDeclaration } from "../flow/flow";
import { clip } from "../flow/text-range";
import { createProblem, type DeclarationProblem } from "./declaration-checks";
import { rosterOf } from "./swarm-roster";

/** A swarm that is no workflow, with what its checks need. */
interface CheckedSwarm {
  swarm: DeclarationTypes["swarm"];
  /** At the start of a sentence. */
  title: string;
  roster: readonly string[];
}

/** The problems of a swarm in its mode: too few members, a lead that is no agent, a handoff to an unknown member. */
export function checkSwarmMode(
  flow: Flow,
  swarm: DeclarationTypes["swarm"],
  owner: string | null,
): DeclarationProblem[] {
  if (swarm.mode === "workflow") return [];
  const title = owner === null ? "The root swarm" : `Swarm "${owner}"`;
  const roster = rosterOf(swarm);
  if (roster.length === 0) {
    const message = `${title} has no members. List them, e.g. agents: [triage, billing]; the first one starts.`;
    return [createProblem("no-members", "error", "agents", message)];
  }
  const checked = { swarm, title, roster };
  const problems = swarm.mode === "handoff" ? checkHandoffs(checked) : checkLead(flow, checked);
  const startNames = swarm.agents || !swarm.flow ? [] : sourcesOf(swarm.flow);
  if (startNames.length < 2) return problems;
  const message = `${title} has several first members: ${startNames.join(", ")}. "${roster[0]}" ${swarm.mode === "handoff" ? "starts" : "leads"}, the first by name. List the members under \`agents:\` instead.`;
  return [...problems, createProblem("invalid-value", "warning", "flow", message)];
}

/** The title inside a sentence. */
const toSentenceTitle = (title: string): string => title.slice(0, 1).toLowerCase() + title.slice(1);

function checkHandoffs({ swarm: { edges = [] }, title, roster }: CheckedSwarm): DeclarationProblem[] {
  if (edges.length === 0 && roster.length > 1) {
    const message = `No member of ${toSentenceTitle(title)} may hand over, so only "${roster[0]}" runs. Allow handoffs, e.g. edges: [[${roster[0]}, ${roster[1]}]].`;
    return [createProblem("no-handoffs", "warning", "agents", message)];
  }
  const members = new Set(roster);
  const unknownMembers = [...new Set(edges.flat())].filter((name) => !members.has(name));
  return unknownMembers.map((name) => {
    const message = `"${clip(name)}" is no member of this swarm: no member hands over to it. Add it to \`agents:\`.`;
    return { ...createProblem("not-reached", "warning", "edges", message), reference: name };
  });
}

function checkLead(flow: Flow, { swarm, title, roster }: CheckedSwarm): DeclarationProblem[] {
  const [lead = "", ...workers] = roster;
  const problems: DeclarationProblem[] = [];
  const kind = findDeclaration(flow, lead)?.type;
  if (kind !== undefined && kind !== "agent") {
    const message = `"${clip(lead)}" leads ${toSentenceTitle(title)} and must be an agent; it is a ${kind}. List an agent first.`;
    problems.push(createProblem("invalid-value", "error", "agents", message));
  }
  if (swarm.mode === "team" && workers.length === 0) {
    const message = `${title} is a team of one: "${clip(lead)}" has no workers to delegate to. Add a worker, e.g. agents: [${lead}, helper].`;
    problems.push(createProblem("no-members", "error", "agents", message));
  }
  return problems;
}
