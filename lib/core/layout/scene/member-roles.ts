import { type Flow, findDeclaration } from "../../flow/flow";
import { keyNames } from "../../flow/node-key";
import type { Swarm } from "../../kinds/swarm";
import { rosterOf } from "../../kinds/swarm-roster";
import type { ArrangedNode } from "../arrange-flow";

/** What a member of a swarm does in it: starts a handoff swarm; leads a team or an orchestration, or works for it. */
export type MemberRole = "start" | "lead" | "worker" | "spawned" | "none";

/** Returns the role of a node in the swarm that contains it. */
export function rolesOf(flow: Flow): (node: ArrangedNode) => MemberRole {
  const firstMembers = new Map<Swarm, string | undefined>();
  const firstOf = (swarm: Swarm): string | undefined => {
    if (!firstMembers.has(swarm)) firstMembers.set(swarm, rosterOf(swarm)[0]);
    return firstMembers.get(swarm);
  };
  return ({ name, parent, placed }) => {
    const scope = parent === undefined ? flow.swarm : findDeclaration(flow, keyNames(parent).at(-1) ?? "");
    if (!placed || scope?.type !== "swarm" || scope.mode === "workflow") return "none";
    const isFirst = firstOf(scope) === name;
    if (scope.mode === "handoff") return isFirst ? "start" : "none";
    if (isFirst) return "lead";
    return scope.mode === "team" ? "worker" : "spawned";
  };
}
