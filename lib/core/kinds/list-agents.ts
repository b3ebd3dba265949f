import type { FlowAgents } from "../flow/agent-numbers";
import type { Flow } from "../flow/flow";
import { findUnreached } from "./members";

export function listAgents(flow: Flow): FlowAgents {
  const unreached = new Set(findUnreached(flow));
  const declared = [...flow.agents.keys()];
  return { declared, placed: declared.filter((name) => !unreached.has(name)) };
}
