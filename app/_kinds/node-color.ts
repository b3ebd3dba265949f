import { numberAgents } from "@/lib/core/flow/agent-numbers";
import type { Flow } from "@/lib/core/flow/flow";
import { agentColor } from "../_ui/agent-color";

/** Null for names that share the neutral colour. */
export function colorOfName(flow: Flow, name: string): string | null {
  const number = numberAgents(flow).get(name);
  return number === undefined ? null : agentColor(number);
}
