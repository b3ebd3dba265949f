import { clip, type Range } from "../../flow/text-range";
import type { OrbiterSwarm } from "./import/build-flow";
import type { Findings } from "./import/imported";

/** What an agent of Orbiter has in common with one of a flow, apart from its name, tools and handoffs. */
export const orbiterAgentFields: readonly string[] = [
  "model",
  "instructions",
  "max_steps",
  "temperature",
  "max_tokens",
];

const modes = ["workflow", "handoff", "team"] as const;

/** The mode of a swarm of Orbiter, which is a workflow where it is missing; another mode is reported as lost. */
export function toOrbiterMode(mode = "workflow", findings: Findings, range?: Range): OrbiterSwarm["mode"] {
  const validMode = modes.find((knownMode) => knownMode === mode);
  if (validMode) return validMode;
  const message = `The mode "${clip(mode)}" of a swarm is none of ${modes.join(", ")}; it becomes a workflow.`;
  findings.lose("invalid-value", message, range);
  return "workflow";
}
