import type { Flow } from "../flow/flow";
import { groupBy } from "../flow/group-by";
import type { Swarm } from "./swarm";
import { rosterOf } from "./swarm-roster";

/** The tools that the lead of an orchestrate swarm is given. */
export const orchestrateTools = ["spawn_agent", "list_agents", "get_agent_result", "await_agents"] as const;

/** Longest name of a tool that every provider takes. */
const longestName = 64;

/** Tool names for members: `prefix` and the name, with `_` for what providers refuse. Equal ones are numbered. */
function toToolNames(prefix: string, names: readonly string[]): Map<string, string> {
  const taken = new Set<string>();
  return new Map(
    names.map((name) => {
      const wanted = `${prefix}${name.replaceAll(/[^a-zA-Z0-9_-]/g, "_")}`.slice(0, longestName);
      let free = wanted;
      for (let number = 2; taken.has(free); number++) free = `${wanted.slice(0, longestName - 4)}_${number}`;
      taken.add(free);
      return [name, free];
    }),
  );
}

/** The tools by which a member of a handoff swarm hands over, by target. */
export const toTransferNames = (targets: readonly string[]): Map<string, string> =>
  toToolNames("transfer_to_", targets);

/** The tools by which the lead of a team delegates, by worker. */
export const toDelegateNames = (workers: readonly string[]): Map<string, string> =>
  toToolNames("delegate_to_", workers);

/** To whom each member of a handoff swarm may hand over. */
export function targetsOf(swarm: Swarm): Map<string, string[]> {
  const members = new Set(rosterOf(swarm));
  const links = groupBy(
    (swarm.edges ?? []).filter(([, to]) => members.has(to)),
    ([from]) => from,
  );
  return new Map([...links].map(([from, group]) => [from, [...new Set(group.map(([, to]) => to))]]));
}

/** The tools that the engine gives agents beside their own, by agent: what its swarms let it do. */
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
      for (const [from, targets] of targetsOf(swarm)) add(from, toTransferNames(targets).values());
    if (swarm.mode === "team") add(lead, toDelegateNames(workers).values());
    if (swarm.mode === "orchestrate") add(lead, orchestrateTools);
  }
  return tools;
}
