import { agentColorCount } from "@/lib/core/flow/agent-numbers";

/** The colour of an agent by its number (see `numberAgents`, `TraceView.agentNumberOf`); the neutral one without a number. */
export const agentColor = (number: number | undefined): string =>
  number === undefined ? "var(--idle)" : `var(--agent-${number % agentColorCount})`;
