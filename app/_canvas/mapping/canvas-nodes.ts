import type { Edge, Node } from "@xyflow/react";
import type { CardContent } from "@/app/_kinds/kind-view";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { NoteColor } from "@/lib/core/flow/note";
import type { EdgeType } from "@/lib/core/layout/arrange-flow";
import type { LinkRoute } from "../scene/link-route";

export type NodeCardData = {
  key: NodeKey;
  name: string;
  placed: boolean;
  /** The lane that begins here, in words; empty for most. */
  lane: string;
  errors: number;
  warnings: number;
};

type AgentCardData = NodeCardData & Omit<Extract<CardContent, { type: "agent-card" }>, "type">;

export type FrameCardData = NodeCardData &
  Required<Omit<Extract<CardContent, { type: "frame" }>, "type">> & {
    kind: string;
    /** The mode of a group or swarm, otherwise the kind. */
    type: string;
    members: number;
  };

export type AgentNode = Node<AgentCardData, "agent">;
export type UnknownNode = Node<NodeCardData, "unknown">;
export type FrameNode = Node<FrameCardData, "frame">;
export type ClosedFrameNode = Node<FrameCardData, "closedFrame">;
export type UnconnectedZoneNode = Node<{ count: number }, "unconnectedZone">;
export type NoteNode = Node<{ id: string; text: string; color: NoteColor }, "note">;
export type CardNode = AgentNode | UnknownNode | FrameNode | ClosedFrameNode;
export type CanvasNode = CardNode | UnconnectedZoneNode | NoteNode;

export type LinkEdge = Edge<
  {
    fromName: string;
    toName: string;
    type: EdgeType;
    /** Lengths of the cards at both ends along the flow, in canvas pixels. */
    fromLength: number;
    toLength: number;
  } & LinkRoute,
  "link"
>;
