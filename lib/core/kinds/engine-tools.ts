import type { Flow } from "../flow/flow";
import { groupBy } from "../flow/group-by";
import type { Swarm } from "./swarm";
import { rosterOf } from "./swarm-roster";

/** The tools of the lead of an orchestrate swarm. */
export const orchestrateTools = ["spawn_agent", "list_agents", "get_agent_result", "await_agents"] as const;

/** Maximum length of a tool name that every provider accepts. */
const maxNameLength = 64;

/** Tool names for members: `prefix` and the name, with `_` for characters that providers refuse. Equal names are numbered. */
function toToolNames(prefix: string, names: readonly string[]): Map<string, string> {
  const usedNames = new Set<string>();
  return new Map(
    names.map((name) => {
      const baseName = `${prefix}${name.replaceAll(/[^a-zA-Z0-9_-]/g, "_")}`.slice(0, maxNameLength);
      let freeName = baseName;
      for (let number = 2; usedNames.has(freeName); number++)
        freeName = `${baseName.slice(0, maxNameLength - 4)}_${number}`;
      usedNames.add(freeName);
      return [name, freeName];
    }),
  );
}

/** The tools by which a member of a handoff swarm hands over, by target. */
export const toTransferNames = (targets: readonly string[]): Map<string, string> =>
  toToolNames("transfer_to_", targets);

/** The tools by which the lead of a team delegates, by worker. */
export const toDelegateNames = (workers: readonly string[]): Map<string, string> =>
  toToolNames("delegate_to_", workers);

/** The members that each member of a handoff swarm may hand over to. */
export function targetsOf(swarm: Swarm): Map<string, string[]> {
  const members = new Set(rosterOf(swarm));
  const links = groupBy(
    (swarm.edges ?? []).filter(([, target]) => members.has(target)),
    ([source]) => source,
  );
  return new Map([...links].map(([source, group]) => [source, [...new Set(group.map(([, target]) => target))]]));
}

/** The tools that the engine adds to those of agents, by agent: for handoffs, delegation and background agents. */
export function findEngineTools(flow: Flow): Map<string, Set<string>> {
  const tools = new Map<string, Set<string>>();
  const add = (agent: string, names: Iterable<string>): void => {
    tools.set(agent, new Set([...(tools.get(agent) ?? []), ...names]));
  };
  for (const swarm of [...flow.swarms.values(), flow.swarm]) {
    const [lead, ...workers] = rosterOf(swarm);
    if (lead === undefined) continue;
    // Orbiter's agents hand over by text alone.
    if (swarm.mode === "handoff" && flow.compat !== "orbiter")
      for (const [source, targets] of targetsOf(swarm)) add(source, toTransferNames(targets).values());
    if (swarm.mode === "team") add(lead, toDelegateNames(workers).values());
    if (swarm.mode === "orchestrate") add(lead, orchestrateTools);
  }
  return tools;
}
