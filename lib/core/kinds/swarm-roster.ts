import { type Expression, namesOf, sourcesOf } from "../flow/expression";
import { compareCodePoints } from "../flow/graph";

/**
 * The members of a handoff, team or orchestrate swarm; the first one starts or leads: the first of `agents:`, or the
 * source of `flow:` (of several the first by name).
 */
export function rosterOf({ agents, flow }: { agents?: readonly string[]; flow?: Expression }): string[] {
  if (agents) return [...new Set(agents)];
  if (!flow) return [];
  const names = [...new Set(namesOf(flow).map(({ name }) => name))];
  const [lead] = sourcesOf(flow).toSorted(compareCodePoints);
  return lead === undefined ? names : [lead, ...names.filter((name) => name !== lead)];
}
