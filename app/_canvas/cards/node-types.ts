import type { NodeTypes } from "@xyflow/react";
import { AgentCard, UnknownCard } from "./agent-card";
import { ClosedFrame, Frame, Zone } from "./frame-nodes";

/** What draws the nodes of a flow, wherever it is shown; notes are drawn otherwise where nothing can be changed. */
export const flowNodeTypes = {
  agent: AgentCard,
  unknown: UnknownCard,
  frame: Frame,
  place: ClosedFrame,
  zone: Zone,
} satisfies NodeTypes;
