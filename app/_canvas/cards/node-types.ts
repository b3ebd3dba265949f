import type { NodeTypes } from "@xyflow/react";
import { AgentCard, UnknownCard } from "./agent-card";
import { FoldedCard } from "./folded-card";
import { ClosedFrame, Frame, SwarmFrame, UnconnectedZone } from "./frame-nodes";

/** The component that draws each type of node on the canvas. */
export const flowNodeTypes = {
  agent: AgentCard,
  unknown: UnknownCard,
  frame: Frame,
  closedFrame: ClosedFrame,
  folded: FoldedCard,
  unconnectedZone: UnconnectedZone,
  swarmFrame: SwarmFrame,
} satisfies NodeTypes;
