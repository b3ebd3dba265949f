import type { Edge, Node } from "@xyflow/react";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { NoteColor } from "@/lib/core/flow/note";
import type { CardContent } from "@/lib/core/kinds/card-content";
import type { Swarm } from "@/lib/core/kinds/swarm";
import type { LinkType } from "@/lib/core/layout/scene/drawn-links";
import type { LinkRoute } from "@/lib/core/layout/scene/link-points";
import type { MemberRole } from "@/lib/core/layout/scene/member-roles";

export type NodeCardData = {
  key: NodeKey;
  name: string;
  /** Of an agent; see `numberAgents`. */
  agentNumber: number | undefined;
  /** The card has no room for instructions and tools during a run. */
  isCompact: boolean;
  placed: boolean;
  role: MemberRole;
  errors: number;
  warnings: number;
};

type AgentCardData = NodeCardData & Omit<Extract<CardContent, { type: "agent-card" }>, "type">;

export type FrameCardData = NodeCardData &
  Required<Omit<Extract<CardContent, { type: "frame" }>, "type" | "shape">> & {
    shape: "rectangle" | "diamond" | "hexagon";
    /** The direction of what is inside. */
    runsDown: boolean;
    kind: string;
    /** The mode of a group or swarm, otherwise the kind. */
    type: string;
    members: number;
    foldable: boolean;
  };

export type FoldedCardData = NodeCardData & {
  kind: string;
  /** The mode of a group or swarm, otherwise the kind. */
  type: string;
  /** With the numbers of their colours; missing for those that are not declared. */
  agents: readonly { key: NodeKey; name: string; number?: number }[];
};

export type AgentNode = Node<AgentCardData, "agent">;
export type UnknownNode = Node<NodeCardData, "unknown">;
export type FrameNode = Node<FrameCardData, "frame">;
export type ClosedFrameNode = Node<FrameCardData, "closedFrame">;
export type FoldedNode = Node<FoldedCardData, "folded">;
export type UnconnectedZoneNode = Node<{ count: number }, "unconnectedZone">;
/** The root swarm, unless it is a workflow. */
export type SwarmFrameNode = Node<{ mode: Swarm["mode"]; limit: string }, "swarmFrame">;
export type NoteNode = Node<{ id: string; text: string; color: NoteColor }, "note">;
export type CardNode = AgentNode | UnknownNode | FrameNode | ClosedFrameNode | FoldedNode;
export type CanvasNode = CardNode | UnconnectedZoneNode | SwarmFrameNode | NoteNode;

interface BoxSize {
  width: number;
  height: number;
}

export type LinkEdge = Edge<
  {
    fromName: string;
    toName: string;
    type: LinkType;
    /** Of the cards or frames at both ends, in canvas pixels. */
    sourceSize: BoxSize;
    targetSize: BoxSize;
    route: LinkRoute;
    runsDown: boolean;
    /** A link in the other direction has the same line. */
    isPaired: boolean;
    /** The name of a lane; empty for most. */
    label: string;
    /** Of a lane: the length of the diamond along the flow. */
    lead: number;
  },
  "link"
>;
