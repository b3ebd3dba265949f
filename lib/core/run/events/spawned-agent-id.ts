import * as z from "zod/mini";
import { nodeKey, parentKey } from "../../flow/node-key";
import { findJsonAs } from "../../flow/parse-json";

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

const spawnedAgentSchema = z.object({ id: z.string(), agent: z.string() });
export type SpawnedAgentName = z.infer<typeof spawnedAgentSchema>;

const spawnedIdSchema = z.object({ id: z.string() });

/** The id in a result of `spawn_agent`; null: it is no such result. */
export const readSpawnedId = (output: string): string | null => findJsonAs(output, spawnedIdSchema)?.id ?? null;

/** What a result of `spawn_agent` says about the agent; null: it is no such result. */
export const readSpawnedAgent = (output: string): SpawnedAgentName | null => findJsonAs(output, spawnedAgentSchema);

/** What a spawned agent is asked, by the arguments of its call. */
export const toSpawnedTask = ({ purpose, context = "" }: { purpose: string; context?: string | undefined }): string =>
  context === "" ? purpose : `${purpose}\n\n${context}`;

/** The path of the node of a spawned agent; null: its id is not one of `spawn_agent`. */
export function toSpawnedAgentPath({ id, agent }: SpawnedAgentName): string | null {
  const number = readSpawnedAgentNumber(id);
  return number === null ? null : nodeKey(parentKey(id), agent) + toSpawnSuffix(number);
}

/** The number in an id that `spawn_agent` returned; null: it is no such id. */
export function readSpawnedAgentNumber(id: string): number | null {
  const number = /(?:^|\/)agent-([1-9]\d{0,5})$/.exec(id)?.[1];
  return number === undefined ? null : Number(number);
}
