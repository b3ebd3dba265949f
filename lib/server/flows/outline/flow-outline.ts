import "server-only";
import { printFlow } from "@/lib/core/dsl/print";
import type { Flow } from "@/lib/core/flow/flow";
import { countNouns } from "@/lib/core/flow/format-count";
import { cutName, toDisplayName } from "@/lib/core/flow/list/display-name";
import { errorsOf, isMissingOnServer, type Problem } from "@/lib/core/flow/problem";
import { rosterOf } from "@/lib/core/kinds/swarm-roster";
import { toThumbnail } from "@/lib/core/layout/thumbnail/to-thumbnail";

/** What a list shows of a flow. */
export interface FlowOutline {
  name: string;
  outline: string;
  agents: number;
  errors: number;
  search: string;
  picture: string;
}

const maxNameCharacters = 200;

export const toOutline = ({ flow, problems }: { flow: Flow; problems: readonly Problem[] }): FlowOutline => ({
  name: toFlowName(flow),
  outline: describeSwarm(flow).slice(0, 400),
  agents: flow.agents.size,
  // Keys and settings come and go without a save.
  errors: errorsOf(problems).filter((problem) => !isMissingOnServer(problem)).length,
  search: toSearchText(flow),
  picture: JSON.stringify(toThumbnail(flow)),
});

/** The name in the text of a new flow. */
const untitledName = "Untitled flow";

/**
 * The name of the text is its author's: lists have it without what hides or breaks lines. Flows that have no
 * name yet are told apart by their first agents.
 */
function toFlowName({ name, agents }: Flow): string {
  const shownName = toDisplayName(name) || (name === "" ? "" : untitledName);
  if (shownName !== untitledName || agents.size === 0) return cutName(shownName, maxNameCharacters);
  const firstAgents = [...agents.keys()].slice(0, 3).map(toDisplayName).join(", ");
  return cutName(`Untitled: ${firstAgents}${agents.size > 3 ? ", …" : ""}`, maxNameCharacters);
}

/** What the root swarm is: the DSL text of a workflow, else its mode and size; empty when there is nothing in it. */
function describeSwarm({ swarm, agents }: Flow): string {
  const count = rosterOf(swarm).length || agents.size;
  const members = countNouns(count, "agent");
  switch (swarm.mode) {
    case "workflow":
      if (swarm.flow) return printFlow(swarm.flow);
      return swarm.edges ? `Unfinished drawing, ${members}` : "";
    case "team":
      return `Team of ${count}`;
    case "handoff":
      return `Handoff, ${members}`;
    case "orchestrate":
      return `Orchestrator, ${members}`;
  }
}

/** How much of a flow can be searched, in UTF-16 units. */
const searchedUnits = 100_000;

/** What is kept of a flow for its search: names, agents and instructions in lower case. Never empty. */
function toSearchText({ name, description = "", agents, groups, swarms, controls }: Flow): string {
  const lines = [name, description, ...groups.keys(), ...swarms.keys(), ...controls.keys(), ...agents.keys()];
  for (const { model = "", description: role = "", instructions = "" } of agents.values())
    lines.push(model, role, instructions);
  return `${lines.join("\n").slice(0, searchedUnits).toLowerCase()}\n`;
}
