import type { Flow } from "../flow/flow";
import { toFingerprint } from "../flow/hash-text";

/** By which the settings of an agent are compared with those of another version of its flow; null: the flow has no such agent. */
export function fingerprintAgent({ agents }: Pick<Flow, "agents">, name: string): string | null {
  const agent = agents.get(name);
  if (!agent) return null;
  const fields = Object.entries(agent).filter(([, value]) => value !== undefined);
  return toFingerprint(JSON.stringify(fields.sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** By name, of those that the flow has. */
export const fingerprintAgents = (flow: Pick<Flow, "agents">, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const fingerprint = fingerprintAgent(flow, name);
      return fingerprint === null ? [] : [[name, fingerprint]];
    }),
  );
