import { parentKey } from "../../flow/node-key";

/** Follows the name of a spawned agent in its path; `number` counts the agents of its swarm from 1. */
export const toSpawnSuffix = (number: number): string => `#spawn-${number}`;

/** The id of a spawned agent within its run, by the path of its swarm: `agent-1`, `desk/agent-1`. */
export const toSpawnedAgentId = (swarmPath: string, number: number): string =>
  swarmPath === "" ? `agent-${number}` : `${swarmPath}/agent-${number}`;

/** The id of the spawned agent whose node has this path; null: it was not spawned. */
export function findSpawnedAgentId(path: string): string | null {
  const number = /#spawn-(\d+)$/.exec(path)?.[1];
  return number === undefined ? null : toSpawnedAgentId(parentKey(path), Number(number));
}

/** The number in an id that `spawn_agent` returned; null: it is no such id. */
export function readSpawnedAgentNumber(id: string): number | null {
  const number = /(?:^|\/)agent-([1-9]\d{0,5})$/.exec(id)?.[1];
  return number === undefined ? null : Number(number);
}
