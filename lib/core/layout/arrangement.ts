import type { FlowDirection } from "../flow/edit";
import type { NodeType } from "../flow/flow";
import type { NodeKey } from "../flow/node-key";
import type { Group } from "../kinds/group";
import type { Swarm } from "../kinds/swarm";

/** One card or frame, in canvas pixels; absolute, pins applied. */
export interface ArrangedNode {
  key: NodeKey;
  name: string;
  type: NodeType | "unknown";
  /** Of a group or swarm. */
  mode?: Group["mode"] | Swarm["mode"];
  /** The lane of its branch, router or loop that begins with it. */
  lane?: string;
  /** Drawn round its members; else drawn as a card. */
  frame: boolean;
  x: number;
  y: number;
  width: number;
  height: number;
  /** The frame that contains it. */
  parent?: NodeKey;
  /** False: declared but in no topology; drawn in rows below. */
  placed: boolean;
}

export type EdgeType = "flow" | "draft" | "handoff" | "delegate";

export interface ArrangedEdge {
  /** Unique in an arrangement. */
  key: string;
  from: NodeKey;
  to: NodeKey;
  /** `flow`: passes the output on. `draft`: of a drawing that no DSL text can express. `handoff`: may hand over. `delegate`: may call. */
  type: EdgeType;
  /** The node whose topology contains the link; `""` is the root swarm. */
  scope: NodeKey;
  fromName: string;
  toName: string;
}

export interface Arrangement {
  /** Frames before their content. */
  nodes: ArrangedNode[];
  edges: ArrangedEdge[];
  /** Right and bottom edge of all nodes; pins may move nodes to the left of 0 or above it. */
  width: number;
  height: number;
  /** The direction of serials: links leave a node on that side. */
  direction: FlowDirection;
}

export interface ArrangeOptions {
  /** The direction of serials, instead of that of the layout. */
  direction?: FlowDirection;
}

/** Pixels, on a grid of 4. */
export const cardSize = { width: 220, height: 84 } as const;
/** Between neighbours of a serial, and between neighbours of a parallel. */
export const gap = { along: 64, across: 24 } as const;
/** The free space of a frame around its members; the top contains its header of 36. */
export const frameInset = { side: 20, top: 44, bottom: 20 } as const;
