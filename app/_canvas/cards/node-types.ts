import type { NodeTypes } from "@xyflow/react";
import { AgentCard, UnknownCard } from "./agent-card";
import { ClosedFrame, Frame, Zone } from "./frame-nodes";

export const flowNodeTypes = {
  agent: AgentCard,
  unknown: UnknownCard,
  frame: Frame,
  place: ClosedFrame,
  zone: Zone,
} satisfies NodeTypes;
